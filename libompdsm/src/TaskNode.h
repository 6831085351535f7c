// TaskNode.h: where a task stands among the others, and which of them it may have to wait for.
//
// libomp counts the same. But its threads cannot do what there is to do while tasks are on other
// nodes, so threads wait in libomp only for what is over (TaskWaits.h).
#pragma once
#include "fabric/Transport.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace ompdsm {

/// A taskgroup construct that a task is in, while it is.
struct TaskGroup {
  TaskGroup *outer = nullptr;
  std::atomic<unsigned> members{0}; ///< That have not ended, on whatever node.
};

/// Of a task that was given away: which node gave it, and the number that it has there.
struct TaskOrigin {
  std::uint64_t id = 0;
  std::uint32_t node = 0;
};

/// Those of a task's ancestors, the task itself included, that were given away, as far as they are
/// known: of more the outermost are forgotten.
struct TaskOrigins {
  static constexpr std::uint32_t kMost = 8;
  std::uint32_t count = 0;
  std::array<TaskOrigin, kMost> list{};

  TaskOrigins with(TaskOrigin origin) const {
    TaskOrigins more = *this;
    if (more.count == kMost)
      std::copy(list.begin() + 1, list.end(), more.list.begin());
    else
      ++more.count;
    more.list[more.count - 1] = origin;
    return more;
  }
  /// Calls isIt(id) for those that `node` gave away until it returns true.
  template <class IsIt> bool anyOf(NodeId node, IsIt isIt) const {
    return std::any_of(list.begin(), list.begin() + count, [&](const TaskOrigin &origin) {
      return origin.node == node && isIt(origin.id);
    });
  }
};

/// An explicit task, or the implicit one of a thread in a spread region.
struct TaskNode {
  TaskNode *parent = nullptr;           ///< Lives as long; null of an implicit task.
  TaskGroup *memberOf = nullptr;        ///< Innermost group in which it was created.
  TaskGroup *group = nullptr;           ///< Innermost group that its code is in.
  const TaskOrigins *origins = nullptr; ///< Null: none.
  TaskNode *suspended = nullptr;        ///< Of an undeferred task: what its thread executed before.
  unsigned root = 0;  ///< Global number of the thread whose implicit task it descends from.
  unsigned depth = 0; ///< Explicit tasks around it.
  bool hasDependences = false; ///< Others may begin when it ends.
  bool isFinal = false;        ///< Its descendants are executed where they are created.
  /// Its code will not create or await tasks; of an implicit one, before the barrier that its
  /// thread is in ends.
  std::atomic<bool> isOver{false};
  std::atomic<unsigned> children{0}; ///< That have not ended, on whatever node.
  std::atomic<unsigned> parts{0};    ///< That libomp has to execute; of an untied task several.

  /// libomp gets the task, or its next part.
  void noteStart() {
    if (parts.fetch_add(1, std::memory_order_relaxed) != 0)
      return;
    if (parent->isOver.load(std::memory_order_relaxed))
      parent->isOver.store(false, std::memory_order_relaxed); // The barrier has ended.
    parent->children.fetch_add(1, std::memory_order_relaxed);
    if (memberOf)
      memberOf->members.fetch_add(1, std::memory_order_relaxed);
  }
  /// A part has been executed. True with the last one.
  bool endPart() { return parts.fetch_sub(1, std::memory_order_acq_rel) == 1; }
};

/// A task has ended. Whoever waits for it may free these then. Returns whether it was the last one
/// of its parent or group.
inline bool noteTaskEnd(TaskNode &parent, TaskGroup *memberOf) {
  const bool isLast = memberOf && memberOf->members.fetch_sub(1, std::memory_order_release) == 1;
  return parent.children.fetch_sub(1, std::memory_order_release) == 1 || isLast;
}

} // namespace ompdsm
