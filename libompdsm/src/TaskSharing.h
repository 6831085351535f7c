// TaskSharing.h: tasks that are executed by other nodes than those that created them.
//
// A node whose threads have nothing to do asks others for tasks, one after the other: its leader at
// a barrier or at the end of a region, and any thread whose implicit task waits for its tasks. A
// thread that comes to execute a task while its node is asked gives it away instead: what it has
// written goes along (a release to that node), libomp is told that the task is detached, and goes
// on with it when word comes that it has ended, behind what was written for it there. So
// dependences, groups and waits remain libomp's. Tasks leave that take long enough (TaskWorth.h),
// that nobody has begun, and that need nothing of their node but memory: no destructors, no
// reductions, no event.
//
// Who is asked and has nothing at present keeps the question, unless it has nothing to do itself.
// Who waits for a task that another node has not begun takes it back and executes it: then a thread
// never waits for a task that stands behind one that waits for the thread, and two tasks for two
// nodes do not end up on one. A thread in an explicit task executes nothing meanwhile that does not
// descend from it, as in libomp (OpenMP 5.2, 12.9: what it ties to the thread may hold locks).
//
// A barrier begins where all nodes have nothing to do, and no task is away: each says so to node 0
// once, and node 0 to all. A node that gets a task later need not take that back, as the task's
// creator waits for it.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/TaskAsking.h"
#include "libompdsm/src/TaskSites.h"
#include "libompdsm/src/TaskWorth.h"
#include "libompdsm/src/Tasks.h"
#include "protocol/engine/PendingRelease.h"
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace ompdsm {

struct RegionFrame;
struct Runtime;
struct SpreadRegion;

/// Of one node; relaxed, read at any time.
struct TaskStatistics {
  std::atomic<std::uint64_t> given{0}, taken{0}, takenBack{0};
};

class TaskSharing {
public:
  explicit TaskSharing(Runtime &runtime);
  void registerHandlers();
  const TaskStatistics &statistics() const { return statistics_; }

  /// Whether tasks of such a region may leave the node.
  bool isSharedIn(const SpreadRegion &region) const;
  /// The node's part of a region begins.
  void beginRegion(const SpreadRegion &region);
  /// Until the region ends no task leaves the node: there are objects of reductions for those that
  /// are here.
  void keepTasks() { keepsTasks_.store(true, std::memory_order_relaxed); }

  /// The program has made a task that ends by an event.
  void noteEvent() { hasEvents_.store(true, std::memory_order_relaxed); }
  bool hasEvents() const { return hasEvents_.load(std::memory_order_relaxed); }

  /// A thread of the region makes an untied task. Where the node has several threads no task leaves
  /// it from then on, and the leader enters libomp's barrier at once: only there libomp lets it
  /// execute children of untied tasks that have begun on another thread.
  void noteUntied(const RegionFrame &frame);

  /// Whether it fits into a message.
  bool mayCarry(const TaskForm &form) const;
  /// Whether another node has asked for tasks.
  bool isWanted() const { return wanted_.load(std::memory_order_relaxed) != 0; }
  /// Keeps a task that libomp would execute at once, where the node has one thread: the thread
  /// comes to the latest when it waits, and others get the oldest, which are the largest in
  /// recursions. Returns false if it may not be kept, or there are many.
  bool keepReady(const RegionFrame &frame, Task *task);
  /// Gives a task that has not begun to a node that has asked for one like it. Returns whether it
  /// has left.
  bool give(std::int32_t gtid, Task &task);
  TaskWorth &worth() { return worth_; }

  /// The calling thread is about to create a child of the task.
  void visit(RegionFrame &frame, std::int32_t gtid, const TaskNode &node);
  /// The thread may execute another task now.
  void yield(RegionFrame &frame, std::int32_t gtid, const TaskNode &node);
  /// The task will wait in libomp for some of its children: returns when no child is on another
  /// node. Until leaveLibomp() no task with dependences leaves.
  void keepForLibomp(RegionFrame &frame, std::int32_t gtid, const TaskNode &node);
  void leaveLibomp() { libompWaits_.fetch_sub(1, std::memory_order_relaxed); }
  /// Returns when all children of the task have ended.
  void awaitChildren(RegionFrame &frame, std::int32_t gtid, const TaskNode &node);
  /// The same of the members of the group that the task is in.
  void awaitGroup(RegionFrame &frame, std::int32_t gtid, const TaskNode &node);
  /// The node's leader, before it enters a barrier or ends its part of the region: returns when no
  /// node has tasks for others. `code`: of the barrier or the region.
  /// `meet` is libomp's barrier of the node's threads, which is called once meanwhile.
  void awaitAll(RegionFrame &frame, std::int32_t gtid, const void *code,
                const std::function<void()> &meet);
  /// The same of this node alone.
  void awaitNode(RegionFrame &frame, std::int32_t gtid, const std::function<void()> &meet);
  /// Another thread of the node is about to do so.
  void noteArrival(RegionFrame &frame);

  /// libomp gets a task to execute.
  void noteCreated();
  /// It has executed it, or given it away.
  /// `isLast`: of its parent or group.
  void noteEnded(bool isLast);

private:
  using Clock = std::chrono::steady_clock;
  using TaskId = std::uint64_t; ///< Of the node that gives it.
  /// A region, and how many barriers of it have looked for tasks.
  struct Phase {
    std::uint64_t region = 0, barriers = 0;
    auto operator<=>(const Phase &) const = default;
  };
  struct AskBody {
    Phase phase;
    TaskWish wish;
  };
  struct IdleBody {
    Phase phase;
    std::uint64_t anyCreated = 0; ///< Since the last barrier that looked.
  };
  struct GiveBody {
    TaskId id = 0;
    TaskForm form = {};
    TaskOrigins origins = {}; ///< This one the last.
    ReleasePass pass = {};
  };
  struct EndBody {
    TaskId id = 0;
    std::uint64_t nanoseconds = 0; ///< That it took.
    ReleasePass pass = {};
  };
  /// A task that is to be executed here.
  struct Arrival {
    NodeId from = 0; ///< This node, if it was taken back.
    GiveBody body;
    std::vector<std::byte> content = {};
  };
  /// A task of this node that another one has.
  struct Given {
    Task *task = nullptr;
    TaskForm form;
    NodeId to = 0;
    TaskOrigins origins = {};
    TaskNode *parent = nullptr;
    TaskGroup *group = nullptr;
    bool hasDependences = false;
    void *event = nullptr; ///< Null: libomp has not got the task.
    Clock::time_point recalledAt{}, askedAt{};
  };
  /// Of a task that is given away.
  struct Departure {
    NodeId to = 0;
    GiveBody body = {};
  };
  /// A thread that waits, and for what.
  struct Waiter {
    RegionFrame &frame;
    std::int32_t gtid;
    const TaskNode *parent = nullptr; ///< Of which it awaits the children; null at a barrier.
    const TaskGroup *group = nullptr; ///< Or the members of this.
    bool isLeader() const { return !parent; }
    bool awaits(const TaskNode *ofParent, const TaskGroup *ofGroup) const {
      return !parent || (group ? group == ofGroup : parent == ofParent);
    }
    /// Whether it may execute tasks that do not descend from one that it waits for.
    bool helps() const;
    /// Whether it may tell libomp that this one has ended.
    bool mayEnd(const Given &given) const;
    TaskWish wish() const; ///< What it asks others for.
  };
  /// Of the threads of one node, on a cache line of their own.
  struct alignas(64) Count {
    std::atomic<std::uint64_t> created{0}, ended{0};
  };

  template <class Done> bool helpLibomp(const Waiter &waiter, Done isDone);
  template <class Done> void waitUntil(const Waiter &waiter, Done isDone);
  Departure depart(Task &task, void *event); ///< Needs mutex_; isAskedFor. `event`: see Given.
  void send(const Task &task, Departure departure);
  bool executeReady(const Waiter &waiter);
  void giveReady();
  void awaitNone(const Waiter &waiter, const std::atomic<unsigned> &tasks);
  void awaitGiven(const Waiter &waiter);
  bool leavesToLibomp(const RegionFrame &frame) const;
  std::unique_ptr<Arrival> takeArrival(const Waiter &waiter);
  bool invite(const Waiter &waiter);
  static std::int32_t accept(std::int32_t gtid, Task *task); ///< Code of libomp's tasks.
  void execute(std::int32_t gtid, const Arrival &arrival);
  bool endFinished(const Waiter &waiter);
  void tellLibomp(std::int32_t gtid, const Given &ended);
  void askOthers(const Waiter &waiter);
  void askHolder(const Waiter &waiter);                                ///< Needs mutex_.
  bool isAskedFor(const TaskHeader &header) const;                     ///< Needs mutex_.
  bool mayExecute(const Waiter &waiter, const Arrival &arrival) const; ///< Needs mutex_.
  void takeBack(const Waiter &waiter);
  void noteIdle();
  bool isIdle() const; ///< Needs mutex_.
  std::uint64_t liveTasks() const;
  ReleasePass handOver(NodeId to);
  Count &count();
  void beginPhase(const Phase &phase, unsigned nodes); ///< Needs mutex_.
  void change();                                       ///< Threads that wait look again.

  void onAsk(NodeId from, const AskBody &body);
  void onGive(NodeId from, fabric::Bytes bytes);
  void onEnd(const EndBody &body);
  void onRecall(NodeId from, TaskId id);
  void onReturn(TaskId id);
  void onDeny(NodeId from, const Phase &phase);
  void onIdle(const IdleBody &body);
  void onAllIdle(const IdleBody &body);

  Runtime &runtime_;
  const bool isOn_;
  TaskStatistics statistics_;
  TaskWorth worth_;
  std::array<Count, 16> counts_;
  std::atomic<unsigned> changes_{0};     ///< Counts what may end somebody's waiting.
  std::atomic<unsigned> wanted_{0};      ///< Tasks that others have asked for, and may have.
  std::atomic<unsigned> waiting_{0};     ///< Threads in waitUntil that execute nothing.
  std::atomic<unsigned> executing_{0};   ///< Arrivals.
  std::atomic<unsigned> libompWaits_{0}; ///< Threads that wait in libomp for dependences.
  std::atomic<unsigned> unended_{0};     ///< Given tasks of which word has come.
  std::atomic<unsigned> away_{0};        ///< Given tasks that libomp does not know the end of.
  std::atomic<unsigned> arrived_{0}; ///< How often others than the leader have come to barriers.
  std::atomic<bool> keepsTasks_{false}, anyCreated_{false};
  std::atomic<bool> hasEvents_{false};
  std::atomic<bool> hasUntied_{false}, leaderHelps_{false};
  std::mutex mutex_; ///< Guards all below; held while posting. The messenger's are inside.
  Phase phase_;
  unsigned awaited_ = 0;   ///< What arrived_ is when all are at the next barrier.
  bool looks_ = false;     ///< The leader is at a barrier that looks for tasks.
  bool saidIdle_ = false;  ///< In this phase.
  bool isOver_ = false;    ///< All have.
  bool hadTasks_ = false;  ///< Some node, when isOver_.
  unsigned idleNodes_ = 0; ///< Node 0.
  TaskSites sites_;
  TaskQuestions questions_;                       ///< Of others.
  std::vector<std::pair<NodeId, AskBody>> early_; ///< Of nodes that are in the next phase.
  TaskAsking asking_;                             ///< Of this node.
  TaskId lastId_ = 0;
  std::map<TaskId, Given> given_;
  std::deque<std::unique_ptr<Arrival>> arrivals_;
  std::size_t invited_ = 0;                      ///< Tasks of libomp that will take one of them.
  static constexpr std::size_t kMostReady = 256; ///< As libomp has in a queue.
  std::deque<Task *> ready_;                     ///< By age.
  std::deque<EndBody> finished_;                 ///< Given tasks that have ended.
};

} // namespace ompdsm
