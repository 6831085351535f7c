// TaskAsking.h: which node is asked for tasks, and which nodes have asked. Pure.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/TaskNode.h"
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace ompdsm {

/// What a node asks another one for.
struct TaskWish {
  static constexpr std::uint32_t kAnyRoot = 0xffffffff;
  std::uint32_t tasks = 0;       ///< Most of them.
  std::uint32_t root = kAnyRoot; ///< Descendants of this thread's implicit task (TaskNode::root).
  std::uint64_t ancestor = 0;    ///< Not 0: of a task that the node has given away so (TaskOrigin).
  /// Whether a task like this is one; `from`: who wishes.
  bool isMetBy(NodeId from, std::uint32_t ofRoot, const TaskOrigins *origins) const {
    if (ancestor == 0)
      return root == kAnyRoot || root == ofRoot;
    return origins && origins->anyOf(from, [this](std::uint64_t id) { return id == ancestor; });
  }
};

/// What other nodes have asked for and not got.
class TaskQuestions {
public:
  /// Wishes for more tasks of the same kind add up, but for descendants: the latest counts.
  void add(NodeId node, TaskWish wish) {
    for (Question &known : questions_)
      if (known.node == node && known.wish.root == wish.root &&
          (known.wish.ancestor != 0) == (wish.ancestor != 0)) {
        if (wish.ancestor == 0)
          wish.tasks = std::min(known.wish.tasks + wish.tasks, kMostTasks);
        known.wish = wish;
        return;
      }
    wish.tasks = std::min(wish.tasks, kMostTasks);
    questions_.push_back({node, wish});
  }
  /// Whether a task like this is asked for.
  bool areMetBy(std::uint32_t root, const TaskOrigins *origins) const {
    return std::any_of(questions_.begin(), questions_.end(), [&](const Question &question) {
      return question.wish.isMetBy(question.node, root, origins);
    });
  }
  /// A node that has asked for a task like this, which it gets: in turn.
  std::optional<NodeId> take(std::uint32_t root, const TaskOrigins *origins) {
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      Question question = questions_[i];
      if (!question.wish.isMetBy(question.node, root, origins))
        continue;
      questions_.erase(questions_.begin() + std::ptrdiff_t(i));
      if (--question.wish.tasks != 0)
        questions_.push_back(question);
      return question.node;
    }
    return std::nullopt;
  }
  /// Calls visit(node) for each that has asked, and forgets them.
  template <class Visit> void clear(Visit visit) {
    for (const Question &question : questions_)
      visit(question.node);
    questions_.clear();
  }
  unsigned count() const {
    unsigned tasks = 0;
    for (const Question &question : questions_)
      tasks += question.wish.tasks;
    return tasks;
  }

private:
  static constexpr std::uint32_t kMostTasks = 1 << 12;
  struct Question {
    NodeId node = 0;
    TaskWish wish;
  };
  std::vector<Question> questions_;
};

/// Whom a node asks: first who gave it the last task; if that one has none for a while, another,
/// too. Who says that it has nothing to do itself is asked again later.
class TaskAsking {
public:
  using Clock = std::chrono::steady_clock;
  void begin(unsigned nodes, NodeId self) {
    others_.assign(nodes, {});
    self_ = self;
    last_ = self == 0 ? NodeId(nodes - 1) : NodeId(0);
    patience_ = kLeastPatience;
    askedAt_ = {};
  }
  unsigned nodes() const { return unsigned(others_.size()); } ///< In the team.
  /// The node wants up to `tasks`, of which it has some already that have not begun. Returns whom
  /// to ask for how many, if anybody.
  std::optional<std::pair<NodeId, unsigned>> next(unsigned tasks, unsigned has,
                                                  Clock::time_point now) {
    unsigned asked = 0;
    for (const Other &other : others_)
      asked += other.asked;
    Other &last = others_[last_];
    if (asked + has < tasks && last.hasGiven && !last.isDenied)
      return ask(last_, tasks - asked - has, now);
    if (has != 0 || (asked != 0 && now - askedAt_ < patience_))
      return std::nullopt;
    for (unsigned step = 0; step < others_.size(); ++step) {
      const auto node = NodeId((last_ + step) % others_.size());
      Other &other = others_[node];
      if (other.isDenied && now - other.deniedAt >= other.pause)
        other.isDenied = false;
      if (node == self_ || other.asked != 0 || other.isDenied)
        continue;
      if (asked != 0)
        patience_ = std::min(patience_ * 2, kMostPatience);
      return ask(node, tasks, now);
    }
    return std::nullopt;
  }
  void noteGift(NodeId from) {
    Other &other = others_[from];
    other.asked -= other.asked != 0;
    other.hasGiven = true;
    other.pause = kLeastPause;
    last_ = from;
    patience_ = kLeastPatience;
  }
  void noteDenial(NodeId from, Clock::time_point now) {
    Other &other = others_[from];
    other.asked = 0;
    other.isDenied = true;
    other.deniedAt = now;
    other.pause = std::clamp<Clock::duration>(other.pause * 2, kLeastPause, kMostPause);
  }

private:
  static constexpr Clock::duration kLeastPatience = std::chrono::microseconds(100),
                                   kMostPatience = std::chrono::milliseconds(10),
                                   kLeastPause = std::chrono::milliseconds(1),
                                   kMostPause = std::chrono::milliseconds(20);
  struct Other {
    unsigned asked = 0; ///< Tasks that have not come.
    bool hasGiven = false, isDenied = false;
    Clock::time_point deniedAt{};
    Clock::duration pause{};
  };
  std::pair<NodeId, unsigned> ask(NodeId node, unsigned tasks, Clock::time_point now) {
    others_[node].asked += tasks;
    askedAt_ = now;
    return {node, tasks};
  }
  std::vector<Other> others_;
  NodeId self_ = 0, last_ = 0;
  Clock::duration patience_ = kLeastPatience;
  Clock::time_point askedAt_{};
};

} // namespace ompdsm
