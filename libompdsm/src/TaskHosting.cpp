// TaskHosting.cpp: what threads do that wait for tasks of other nodes.
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TaskSharing.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <sched.h>
#include <utility>

namespace ompdsm {

namespace {
using std::chrono::microseconds;
/// How long a thread that waits does not look again by itself: for tasks of libomp, and whether it
/// is time to ask another node, or to take tasks back.
constexpr microseconds kLeastPause{50}, kMostPause{1000};
/// How long it does so in libomp before it waits for messages, too.
constexpr microseconds kSpinning{20};
/// Of a task that is to come back.
constexpr microseconds kRecallAgain{2000};
/// Of one whose descendants are to come.
constexpr microseconds kAskAgain{500};
} // namespace

bool TaskSharing::Waiter::helps() const { return isLeader() || parent == frame.implicitTask; }

// libomp gives the thread what may begin then. It has to be something that the thread may execute,
// as libomp does not look behind it; or, at a barrier, that threads in libomp's barrier get.
bool TaskSharing::Waiter::mayEnd(const Given &given) const {
  if (!given.hasDependences)
    return true;
  if (isLeader())
    return given.parent == frame.implicitTask ||
           given.parent->isOver.load(std::memory_order_acquire);
  return awaits(given.parent, given.group);
}

TaskWish TaskSharing::Waiter::wish() const {
  if (isLeader())
    return {.tasks = 2 * frame.region->localThreads};
  return {.tasks = 1, .root = frame.globalThread};
}

void TaskSharing::beginRegion(const SpreadRegion &region) {
  std::lock_guard lock(mutex_);
  beginPhase({.region = region.sequence, .barriers = 0}, region.layout.nodesInTeam());
  keepsTasks_.store(region.localThreads > 1 && hasUntied_.load(std::memory_order_relaxed),
                    std::memory_order_relaxed);
  arrived_.store(0, std::memory_order_relaxed);
  awaited_ = region.localThreads - 1;
}

void TaskSharing::beginPhase(const Phase &phase, unsigned nodes) {
  phase_ = phase;
  saidIdle_ = isOver_ = hadTasks_ = false;
  idleNodes_ = 0;
  asking_.begin(nodes, runtime_.node);
  questions_.clear([](NodeId) {});
  for (const auto &[from, body] : std::exchange(early_, {}))
    onAsk(from, body);
  wanted_.store(questions_.count(), std::memory_order_relaxed);
}

/// Executes what libomp has for the thread, for a while. Returns whether the waiting is over.
template <class Done> bool TaskSharing::helpLibomp(const Waiter &waiter, Done isDone) {
  if (waiter.isLeader()) {
    leaderHelps_.store(true);
    if (!hasUntied_.load())
      libomp().__kmpc_omp_taskyield(nullptr, waiter.gtid, 0);
    leaderHelps_.store(false, std::memory_order_release);
    return isDone();
  }
  const auto begin = Clock::now();
  do {
    libomp().__kmpc_omp_taskyield(nullptr, waiter.gtid, 0);
    if (isDone())
      return true;
  } while (Clock::now() - begin < kSpinning);
  return false;
}

template <class Done> void TaskSharing::waitUntil(const Waiter &waiter, Done isDone) {
  microseconds pause = kLeastPause;
  while (!isDone()) {
    const unsigned seen = changes_.load(std::memory_order_acquire);
    if (endFinished(waiter)) {
      pause = kLeastPause;
      continue;
    }
    const bool hasHelpers = waiter.frame.region->localThreads > 1;
    if (hasHelpers && waiter.isLeader()) {
      if (invite(waiter))
        continue;
    } else if (const std::unique_ptr<Arrival> arrival = takeArrival(waiter)) {
      execute(waiter.gtid, *arrival);
      pause = kLeastPause;
      continue;
    }
    if (executeReady(waiter)) {
      pause = kLeastPause;
      continue;
    }
    if (hasHelpers && helpLibomp(waiter, isDone))
      return;
    if (waiter.isLeader())
      noteIdle();
    askOthers(waiter);
    waiting_.fetch_add(1, std::memory_order_seq_cst);
    bool isChanged = false;
    {
      const OfflineScope offline;
      isChanged = runtime_.messenger->waitAtMost(
          pause, [&] { return changes_.load(std::memory_order_acquire) != seen; });
    }
    waiting_.fetch_sub(1, std::memory_order_relaxed);
    if (isChanged)
      continue;
    pause = std::min(pause * 2, kMostPause);
    takeBack(waiter);
  }
}

bool TaskSharing::mayExecute(const Waiter &waiter, const Arrival &arrival) const {
  if (waiter.isLeader() || (waiter.helps() && arrival.body.form.root == waiter.frame.globalThread))
    return true;
  return arrival.body.origins.anyOf(runtime_.node, [&](TaskId id) {
    const auto given = given_.find(id);
    return given != given_.end() && waiter.awaits(given->second.parent, given->second.group);
  });
}

void TaskSharing::askOthers(const Waiter &waiter) {
  std::lock_guard lock(mutex_);
  if (isOver_)
    return;
  if (!waiter.helps())
    return askHolder(waiter);
  const TaskWish wish = waiter.wish();
  const auto asked = asking_.next(wish.tasks, unsigned(arrivals_.size()), Clock::now());
  if (!asked)
    return;
  const AskBody body{phase_, {.tasks = asked->second, .root = wish.root}};
  postTeamMessage(*runtime_.messenger, asked->first, TeamMessage::TaskAsk, {bytesOf(body)});
}

/// Who has a task that the thread waits for may have descendants of it to give.
void TaskSharing::askHolder(const Waiter &waiter) {
  const auto now = Clock::now();
  for (auto &[id, given] : given_) {
    if (given.to == runtime_.node || now - given.askedAt < kAskAgain ||
        !waiter.awaits(given.parent, given.group))
      continue;
    given.askedAt = now;
    const AskBody body{phase_, {.tasks = 1, .ancestor = id}};
    postTeamMessage(*runtime_.messenger, given.to, TeamMessage::TaskAsk, {bytesOf(body)});
    return;
  }
}

/// Of the tasks that the thread waits for, the latest that has not been asked back lately.
void TaskSharing::takeBack(const Waiter &waiter) {
  std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  for (auto entry = given_.rbegin(); entry != given_.rend(); ++entry) {
    Given &given = entry->second;
    if (given.to == runtime_.node || now - given.recalledAt < kRecallAgain ||
        !waiter.awaits(given.parent, given.group))
      continue;
    given.recalledAt = now;
    postTeamMessage(*runtime_.messenger, given.to, TeamMessage::TaskRecall,
                    {bytesOf(entry->first)});
    return;
  }
}

void TaskSharing::visit(RegionFrame &frame, std::int32_t gtid, const TaskNode &node) {
  if (unended_.load(std::memory_order_relaxed) != 0)
    endFinished({.frame = frame, .gtid = gtid, .parent = &node});
}

void TaskSharing::yield(RegionFrame &frame, std::int32_t gtid, const TaskNode &node) {
  visit(frame, gtid, node);
  executeReady({.frame = frame, .gtid = gtid, .parent = &node});
}

void TaskSharing::keepForLibomp(RegionFrame &frame, std::int32_t gtid, const TaskNode &node) {
  libompWaits_.fetch_add(1, std::memory_order_relaxed);
  waitUntil({.frame = frame, .gtid = gtid, .parent = &node}, [&] {
    std::lock_guard lock(mutex_);
    return std::none_of(given_.begin(), given_.end(),
                        [&](const auto &entry) { return entry.second.parent == &node; });
  });
}

void TaskSharing::awaitChildren(RegionFrame &frame, std::int32_t gtid, const TaskNode &node) {
  awaitNone({.frame = frame, .gtid = gtid, .parent = &node}, node.children);
}

void TaskSharing::awaitGroup(RegionFrame &frame, std::int32_t gtid, const TaskNode &node) {
  awaitNone({.frame = frame, .gtid = gtid, .parent = &node, .group = node.group},
            node.group->members);
}

void TaskSharing::awaitNone(const Waiter &waiter, const std::atomic<unsigned> &tasks) {
  if (leavesToLibomp(waiter.frame) && away_.load(std::memory_order_acquire) == 0)
    return; // libomp waits for them.
  waitUntil(waiter, [&] { return tasks.load(std::memory_order_acquire) == 0; });
}

void TaskSharing::awaitAll(RegionFrame &frame, std::int32_t gtid, const void *code,
                           const std::function<void()> &meet) {
  const unsigned nodes = frame.region->layout.nodesInTeam();
  bool looks = false;
  {
    std::lock_guard lock(mutex_);
    looks_ = looks = sites_.beginVisit(code, nodes);
  }
  if (!looks)
    return awaitNode(frame, gtid, meet);
  const Waiter waiter{.frame = frame, .gtid = gtid};
  const auto isOver = [&] {
    std::lock_guard lock(mutex_);
    // A thread that has just said that a task has ended may still be online.
    return isOver_ && executing_.load(std::memory_order_acquire) == 0;
  };
  waitUntil(waiter, [&] { return isOver() || leavesToLibomp(frame); });
  const bool meetsFirst = !isOver();
  if (meetsFirst) {
    awaitGiven(waiter);
    meet();
    waitUntil(waiter, isOver);
  }
  {
    std::lock_guard lock(mutex_);
    looks_ = false;
    awaited_ += frame.region->localThreads - 1;
    sites_.endVisit(code, nodes, hadTasks_);
    beginPhase({.region = phase_.region, .barriers = phase_.barriers + 1}, nodes);
  }
  if (!meetsFirst)
    meet();
}

void TaskSharing::awaitNode(RegionFrame &frame, std::int32_t gtid,
                            const std::function<void()> &meet) {
  const Waiter waiter{.frame = frame, .gtid = gtid};
  waitUntil(waiter, [&] {
    std::lock_guard lock(mutex_);
    return isIdle() || leavesToLibomp(frame);
  });
  awaitGiven(waiter);
  {
    std::lock_guard lock(mutex_);
    awaited_ += frame.region->localThreads - 1;
  }
  meet();
}

void TaskSharing::awaitGiven(const Waiter &waiter) {
  waitUntil(waiter, [&] { return away_.load(std::memory_order_acquire) == 0; });
}

bool TaskSharing::leavesToLibomp(const RegionFrame &frame) const {
  return hasUntied_.load(std::memory_order_acquire) && frame.region->localThreads > 1;
}

void TaskSharing::noteUntied(const RegionFrame &frame) {
  keepTasks();
  if (hasUntied_.exchange(true) || frame.localThread == 0)
    return;
  // Once in a job.
  const auto end = Clock::now() + std::chrono::milliseconds(100);
  while (leaderHelps_.load(std::memory_order_acquire) && Clock::now() < end)
    sched_yield();
}

void TaskSharing::noteArrival(RegionFrame &frame) {
  frame.implicitTask->isOver.store(true, std::memory_order_release);
  arrived_.fetch_add(1, std::memory_order_release);
  change();
}

// --- When all nodes have nothing to do.

TaskSharing::Count &TaskSharing::count() {
  const RegionFrame *frame = currentThread.frame;
  return counts_[(frame ? frame->localThread : 0) % counts_.size()];
}

void TaskSharing::noteCreated() {
  count().created.fetch_add(1, std::memory_order_relaxed);
  if (!anyCreated_.load(std::memory_order_relaxed))
    anyCreated_.store(true, std::memory_order_relaxed);
}

void TaskSharing::noteEnded(bool isLast) {
  count().ended.fetch_add(1, std::memory_order_release);
  if (waiting_.load(std::memory_order_relaxed) != 0 && (isLast || liveTasks() == 0))
    change();
}

/// Of those that libomp has here. Ends are counted first, so that 0 means none.
std::uint64_t TaskSharing::liveTasks() const {
  std::uint64_t created = 0, ended = 0;
  for (const Count &each : counts_)
    ended += each.ended.load(std::memory_order_acquire);
  for (const Count &each : counts_)
    created += each.created.load(std::memory_order_acquire);
  return created - ended;
}

bool TaskSharing::isIdle() const {
  return arrived_.load(std::memory_order_acquire) == awaited_ && liveTasks() == 0 &&
         away_.load(std::memory_order_acquire) == 0 && arrivals_.empty() &&
         executing_.load(std::memory_order_acquire) == 0;
}

void TaskSharing::noteIdle() {
  std::lock_guard lock(mutex_);
  if (!looks_ || !isIdle())
    return;
  questions_.clear([this](NodeId from) {
    postTeamMessage(*runtime_.messenger, from, TeamMessage::TaskDeny, {bytesOf(phase_)});
  });
  wanted_.store(0, std::memory_order_relaxed);
  if (saidIdle_)
    return;
  saidIdle_ = true;
  const IdleBody body{phase_, anyCreated_.exchange(false, std::memory_order_relaxed)};
  if (runtime_.node != 0)
    return postTeamMessage(*runtime_.messenger, 0, TeamMessage::TasksIdle, {bytesOf(body)});
  onIdle(body);
}

void TaskSharing::onIdle(const IdleBody &body) {
  OMPDSM_CHECK(body.phase == phase_);
  hadTasks_ |= body.anyCreated != 0;
  ++idleNodes_;
  if (idleNodes_ < asking_.nodes())
    return;
  const IdleBody all{phase_, hadTasks_};
  for (unsigned node = 1; node < asking_.nodes(); ++node)
    postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::TasksAllIdle, {bytesOf(all)});
  onAllIdle(all);
}

void TaskSharing::onAllIdle(const IdleBody &body) {
  OMPDSM_CHECK(body.phase == phase_);
  hadTasks_ = body.anyCreated != 0;
  isOver_ = true;
  change();
}

} // namespace ompdsm
