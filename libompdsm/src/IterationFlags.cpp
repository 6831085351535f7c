// IterationFlags.cpp: the threads' side: raising and waiting.
#include "libompdsm/src/IterationFlags.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/engine/StopWatch.h"
#include <algorithm>

namespace ompdsm {

namespace {
using std::chrono::microseconds;
/// What a thread has asked for ahead is released so often at most: it has others before that.
constexpr microseconds kAhead{8};
/// A flag that nobody has asked for is released if no release of the node has begun for so long:
/// more often costs more than to be asked for it. Twice as long each time that nobody does.
constexpr microseconds kLeastUnasked{20}, kMostUnasked{320};
} // namespace

IterationFlags::Key IterationFlags::keyOf(const RegionFrame &frame, FlaggedLoop loop) {
  return {frame.region->sequence, loop.number * 2 + std::uint64_t(loop.kind)};
}

void IterationFlags::raise(const RegionFrame &frame, FlaggedLoop which, std::uint64_t iteration) {
  const Key key = keyOf(frame, which);
  bool isDue = false;
  {
    std::lock_guard lock(mutex_);
    Loop &loop = loops_[key];
    if (!loop.flags.hasUnreleased())
      unreleased_.push_back(key);
    loop.flags.raise(iteration);
    std::erase_if(loop.askers, [&](const Asker &asker) {
      if (asker.node != runtime_.node || asker.iteration != iteration)
        return false;
      answer(asker, {iteration, 1, {runtime_.node, {}}});
      return true;
    });
    isDue = frame.region->spansNodes() && (loop.isLate || isAwaited(loop, iteration));
  }
  if (isDue)
    return releaseNode();
  setReleaseOwed(true);
  acquireHere(); // a synchronisation point
}

/// Whether another node is to be told of that flag now.
bool IterationFlags::isAwaited(const Loop &loop, std::uint64_t iteration) const {
  const auto age = Clock::now() - releasedAt_;
  const auto wants = [&](const Asker &asker) {
    const std::uint64_t distance = iteration - asker.iteration;
    return (asker.waits && distance == 0) || (distance <= asker.ahead && age >= kAhead);
  };
  return age >= unasked_ || std::any_of(loop.askers.begin(), loop.askers.end(), wants);
}

void IterationFlags::releaseNode() {
  std::lock_guard releasing(releaseMutex_);
  std::vector<std::pair<Key, FlagRuns::Iterations>> covered;
  {
    std::lock_guard lock(mutex_);
    for (const Key &key : std::exchange(unreleased_, {}))
      if (const auto loop = loops_.find(key); loop != loops_.end())
        covered.emplace_back(key, loop->second.flags.takeUnreleased());
  }
  PendingRelease begun = beginReleaseHere();
  {
    std::lock_guard lock(mutex_);
    latest_ = std::move(begun);
    releasedAt_ = Clock::now();
    unasked_ = std::clamp<Clock::duration>(unasked_ * 2, kLeastUnasked, kMostUnasked);
    for (const auto &[key, iterations] : covered)
      if (const auto loop = loops_.find(key); loop != loops_.end()) {
        loop->second.flags.noteReleased(iterations);
        answerReleased(key, loop->second);
      }
  }
  runtime_.messenger->flush();
}

void IterationFlags::releaseRaised() {
  {
    std::lock_guard lock(mutex_);
    if (unreleased_.empty())
      return;
  }
  releaseNode();
}

void IterationFlags::wait(const RegionFrame &frame, FlaggedLoop which, std::uint64_t iteration) {
  const Key key = keyOf(frame, which);
  AskBody body{
      .region = key.first, .loop = key.second, .iteration = iteration, .thread = frame.localThread};
  std::unique_lock lock(mutex_);
  Waiting &waiting = waitingOf(frame);
  if (loops_[key].flags.isOwn(iteration)) {
    lock.unlock();
    return acquireHere();
  }
  waiting.from.noteNeed(key, iteration);
  if (waiting.from.isAskedFor()) { // It may have come.
    lock.unlock();
    runtime_.messenger->makeProgress();
    lock.lock();
  }
  Loop &loop = loops_[key];
  learn(loop);
  if (loop.flags.isKnown(iteration)) {
    lock.unlock();
    return acquireHere();
  }
  waiting.isAnswered.store(false, std::memory_order_relaxed);
  const Asker here{.node = runtime_.node, .thread = frame.localThread, .iteration = iteration};
  const auto arrival = std::find_if(loop.arrivals.begin(), loop.arrivals.end(),
                                    [&](const Arrival &arrival) { return arrival.has(iteration); });
  bool asks = false;
  if (arrival != loop.arrivals.end()) {
    answer(here, *arrival);
  } else {
    loop.askers.push_back(here);
    asks = !waiting.from.isAskedFor();
    if (asks)
      body.ahead = waiting.from.ask();
  }
  lock.unlock();
  const bool hasAskedAgain = waitFor(frame, waiting, body, asks);
  lock.lock();
  waiting.from.noteGiver(waiting.arrival.pass.giver, hasAskedAgain);
}

/// Whether the thread has asked all again. An acquire when it ends: going online is one.
bool IterationFlags::waitFor(const RegionFrame &frame, const Waiting &waiting, AskBody body,
                             bool asks) {
  StopWatch watch(statistics_.nanoseconds);
  statistics_.waits.fetch_add(1, std::memory_order_relaxed);
  const Messenger::Attendance attendance(*runtime_.messenger);
  const auto isAnswered = [&] {
    return waiting.isAnswered.load(std::memory_order_acquire) && isHere(waiting.arrival);
  };
  const auto goesOn = [&] {
    return isAnswered() || lateLoops_.load(std::memory_order_relaxed) != 0;
  };
  if (asks)
    ask(frame, body, waiting.from.isSure() ? std::optional(waiting.from.node()) : std::nullopt);
  releaseRaised(); // It has nothing else to do, and others ask for these later.
  do {
    if (lateLoops_.load(std::memory_order_relaxed) != 0)
      releaseNode();
    const OfflineScope offline;
    if (body.isUrgent) {
      runtime_.messenger->waitUntil(goesOn);
    } else if (!runtime_.messenger->waitAtMost(waiting.from.patience(), goesOn)) {
      body.isUrgent = 1;
      ask(frame, body, std::nullopt);
    }
  } while (!isAnswered());
  return body.isUrgent;
}

/// That node, or all others.
void IterationFlags::ask(const RegionFrame &frame, const AskBody &body,
                         std::optional<NodeId> node) {
  for (unsigned other = 0; other < frame.region->layout.nodesInTeam(); ++other)
    if (other != runtime_.node && (!node || other == *node))
      postTeamMessage(*runtime_.messenger, NodeId(other), TeamMessage::FlagAsk, {bytesOf(body)});
}

bool IterationFlags::isHere(const Arrival &arrival) const {
  return runtime_.engine->hasProcessed(arrival.pass.giver, arrival.pass.handover);
}

/// What has come with arrivals that are here.
void IterationFlags::learn(Loop &loop) {
  std::erase_if(loop.arrivals, [&](const Arrival &arrival) {
    const bool here = isHere(arrival);
    if (here)
      loop.flags.learn(arrival.first, arrival.count);
    return here;
  });
}

/// A thread of this node.
void IterationFlags::answer(const Asker &asker, const Arrival &arrival) {
  Waiting &waiting = waiting_[asker.thread];
  waiting.arrival = arrival;
  // Release pairs with the acquire in waitFor().
  waiting.isAnswered.store(true, std::memory_order_release);
  runtime_.messenger->notify();
}

IterationFlags::Waiting &IterationFlags::waitingOf(const RegionFrame &frame) {
  const unsigned nodes = frame.region->layout.nodesInTeam();
  while (waiting_.size() <= frame.localThread)
    waiting_.emplace_back(
        NodeId(waiting_.empty() ? (runtime_.node + nodes - 1) % nodes : runtime_.node));
  return waiting_[frame.localThread];
}

void IterationFlags::endLoops(const RegionFrame &frame) {
  std::lock_guard lock(mutex_);
  if (loops_.empty())
    return;
  firstActiveRegion_ = frame.region->sequence;
  firstActiveLoop_[unsigned(FlaggedLoop::Kind::Ordered)] = frame.loopsMet;
  firstActiveLoop_[unsigned(FlaggedLoop::Kind::Doacross)] = frame.doacrossMet;
  forgetOver();
}

void IterationFlags::endRegion(std::uint64_t region) {
  std::lock_guard lock(mutex_);
  firstActiveRegion_ = region + 1;
  std::fill(std::begin(firstActiveLoop_), std::end(firstActiveLoop_), 0);
  forgetOver();
}

/// Nodes that have begun the next region may have asked for flags of it.
void IterationFlags::forgetOver() {
  std::erase_if(unreleased_, [this](const Key &key) { return isOver(key); });
  for (auto entry = loops_.begin(); entry != loops_.end();) {
    if (!isOver(entry->first)) {
      ++entry;
      continue;
    }
    setLate(entry->second, false);
    entry = loops_.erase(entry);
  }
}

bool IterationFlags::isOver(const Key &key) const {
  const auto [region, loop] = key;
  return region < firstActiveRegion_ ||
         (region == firstActiveRegion_ && loop / 2 < firstActiveLoop_[loop % 2]);
}

} // namespace ompdsm
