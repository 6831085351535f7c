// IterationFlags.cpp: raising, asking, answering.
#include "libompdsm/src/IterationFlags.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <optional>

namespace ompdsm {

namespace {
using std::chrono::microseconds;
/// A raised flag is released at once if no release of the node has begun for so long: more often
/// costs more than to be asked for it.
constexpr microseconds kUnreleased{20};
/// From so many times in a row on only one node is asked. Each error makes it four times as many;
/// as before after so many times.
constexpr unsigned kLeastWanted = 2, kMostWanted = 512;
/// The others are asked after the patience, which doubles when they were asked in vain.
constexpr microseconds kLeastPatience{200}, kMostPatience{6400};
} // namespace

void IterationFlags::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::FlagAsk), [this](NodeId from, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onAsk(from, bodyFrom<AskBody>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::FlagAnswer), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    answer(bodyFrom<AnswerBody>(bytes));
  });
}

IterationFlags::Key IterationFlags::keyOf(const RegionFrame &frame, FlaggedLoop loop) {
  return {frame.region->sequence, loop.number * 2 + std::uint64_t(loop.kind)};
}

bool IterationFlags::isOver(const Key &key) const {
  const auto [region, loop] = key;
  return region < firstActiveRegion_ ||
         (region == firstActiveRegion_ && loop / 2 < firstActiveLoop_[loop % 2]);
}

// --- The threads' side.

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
      if (asker.iteration != iteration)
        return false;
      const bool isHere = asker.node == runtime_.node;
      isDue |= !isHere;
      if (isHere)
        answer({asker.wait, 1, asker.thread, {runtime_.node, {}}});
      return isHere;
    });
    isDue |= loop.isLate || Clock::now() - releasedAt_ >= kUnreleased;
  }
  if (isDue && frame.region->spansNodes())
    return releaseNode();
  setReleaseOwed(true);
  acquireHere(); // a synchronisation point
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
    for (const auto &[key, iterations] : covered)
      if (const auto loop = loops_.find(key); loop != loops_.end()) {
        loop->second.flags.noteReleased(iterations);
        answerReleased(loop->second);
      }
  }
  runtime_.messenger->flush();
}

void IterationFlags::releaseIfLate() {
  if (lateLoops_.load(std::memory_order_relaxed) == 0)
    return;
  goOnline();
  releaseNode();
  goOffline();
}

void IterationFlags::wait(const RegionFrame &frame, FlaggedLoop which, std::uint64_t iteration) {
  const Key key = keyOf(frame, which);
  AskBody body{
      .region = key.first, .loop = key.second, .iteration = iteration, .thread = frame.localThread};
  Waiting *waiting = nullptr;
  {
    std::lock_guard lock(mutex_);
    Loop &loop = loops_[key];
    if (!loop.flags.isKnown(iteration)) {
      waiting = &waitingOf(frame);
      body.wait = ++waiting->wait;
      waiting->isAnswered.store(false, std::memory_order_relaxed);
      note(loop, {iteration, runtime_.node, frame.localThread, body.wait});
    }
  }
  if (!waiting)
    return acquireHere();
  const bool wasPatient = waitFor(frame, *waiting, body);
  std::lock_guard lock(mutex_);
  learn(body, *waiting, wasPatient);
}

/// Whether one node alone was asked, and then the others. An acquire when it ends: going online is
/// one.
bool IterationFlags::waitFor(const RegionFrame &frame, const Waiting &waiting,
                             const AskBody &body) {
  const Messenger::Attendance attendance(*runtime_.messenger);
  const auto goesOn = [&] {
    return isHere(waiting) || lateLoops_.load(std::memory_order_relaxed) != 0;
  };
  const bool isSure = waiting.from.isSure();
  ask(Asked::Expected, frame, waiting, body);
  if (!isSure)
    ask(Asked::Others, frame, waiting, body);
  bool allAsked = !isSure;
  releaseRaised(); // It has nothing else to do, and others ask for these later.
  do {
    if (lateLoops_.load(std::memory_order_relaxed) != 0)
      releaseNode();
    const OfflineScope offline;
    if (allAsked) {
      runtime_.messenger->waitUntil(goesOn);
    } else if (!runtime_.messenger->waitAtMost(waiting.from.patience, goesOn)) {
      ask(Asked::Others, frame, waiting, body);
      allAsked = true;
    }
  } while (!isHere(waiting));
  return isSure && allAsked;
}

void IterationFlags::ask(Asked whom, const RegionFrame &frame, const Waiting &waiting,
                         const AskBody &body) {
  for (unsigned node = 0; node < frame.region->layout.nodesInTeam(); ++node)
    if (node != runtime_.node && (node == waiting.from.node) == (whom == Asked::Expected))
      postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::FlagAsk, {bytesOf(body)});
}

bool IterationFlags::isHere(const Waiting &waiting) const {
  return waiting.isAnswered.load(std::memory_order_acquire) &&
         runtime_.engine->hasProcessed(waiting.pass.giver, waiting.pass.handover);
}

void IterationFlags::releaseRaised() {
  {
    std::lock_guard lock(mutex_);
    if (unreleased_.empty())
      return;
  }
  releaseNode();
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

// --- Between nodes.

void IterationFlags::note(Loop &loop, const Asker &asker) {
  for (Asker &known : loop.askers)
    if (known.node == asker.node && known.thread == asker.thread) {
      known = asker;
      return;
    }
  loop.askers.push_back(asker);
}

void IterationFlags::setLate(Loop &loop, bool isLate) {
  if (loop.isLate != isLate)
    lateLoops_.fetch_add(isLate ? 1u : -1u, std::memory_order_relaxed);
  loop.isLate = isLate;
}

void IterationFlags::onAsk(NodeId from, const AskBody &body) {
  if (isOver(body.key()))
    return; // It was answered by another node.
  Loop &loop = loops_[body.key()];
  const Asker asker{body.iteration, from, std::uint32_t(body.thread), body.wait};
  if (loop.flags.isReleased(body.iteration))
    return handOver(loop, asker);
  note(loop, asker);
  if (!loop.flags.isOwn(body.iteration))
    return;
  setLate(loop, true);
  runtime_.messenger->notify(); // A thread that waits may release.
  releaseThread_.demand();
}

void IterationFlags::answerReleased(Loop &loop) {
  bool isLate = false;
  for (const Asker &asker : loop.askers)
    if (loop.flags.isReleased(asker.iteration))
      handOver(loop, asker);
    else
      isLate |= loop.flags.isOwn(asker.iteration);
  std::erase_if(loop.askers,
                [&](const Asker &asker) { return loop.flags.isReleased(asker.iteration); });
  setLate(loop, isLate);
}

/// To a thread of another node, of a flag that is released.
void IterationFlags::handOver(Loop &loop, const Asker &asker) {
  Unconfirmed answer{
      .asker = asker,
      .body = {asker.wait, loop.flags.countReleased(asker.iteration), asker.thread, {}},
      .release = latest_};
  runtime_.engine->askFor(answer.release, asker.node);
  unconfirmed_.push_back(std::move(answer));
  anyUnconfirmed_.store(true, std::memory_order_relaxed);
  // With the fence in onConfirmation: either it sees the list, or the confirmation is seen here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sendConfirmed();
}

void IterationFlags::onConfirmation() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!anyUnconfirmed_.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock(mutex_);
  sendConfirmed();
}

void IterationFlags::sendConfirmed() {
  std::erase_if(unconfirmed_, [this](Unconfirmed &answer) {
    const NodeId to = answer.asker.node;
    if (!runtime_.engine->isConfirmed(answer.release, to))
      return false;
    answer.body.pass = {runtime_.node, answer.release.handoverTo(to)};
    runtime_.messenger->post(to, messageKind(TeamMessage::FlagAnswer), {bytesOf(answer.body)});
    return true;
  });
  anyUnconfirmed_.store(!unconfirmed_.empty(), std::memory_order_relaxed);
}

IterationFlags::Waiting &IterationFlags::waitingOf(const RegionFrame &frame) {
  while (waiting_.size() <= frame.localThread) {
    const unsigned nodes = frame.region->layout.nodesInTeam();
    const bool isFirst = waiting_.empty();
    waiting_.emplace_back().from = {
        .node = NodeId(isFirst ? (runtime_.node + nodes - 1) % nodes : runtime_.node),
        .times = kLeastWanted,
        .wanted = kLeastWanted,
        .patience = kLeastPatience};
  }
  return waiting_[frame.localThread];
}

void IterationFlags::answer(const AnswerBody &body) {
  Waiting &waiting = waiting_.at(body.thread);
  if (waiting.wait != body.wait || waiting.isAnswered.load(std::memory_order_relaxed))
    return;
  waiting.count = body.count;
  waiting.pass = body.pass;
  // Release pairs with the acquire in isHere().
  waiting.isAnswered.store(true, std::memory_order_release);
  runtime_.messenger->notify();
}

void IterationFlags::learn(const AskBody &body, Waiting &waiting, bool wasPatient) {
  Loop &loop = loops_[body.key()];
  loop.flags.learn(body.iteration, waiting.count);
  std::erase_if(loop.askers, [&](const Asker &asker) {
    return asker.node == runtime_.node && asker.thread == body.thread;
  });
  waiting.from.note(waiting.pass.giver, wasPatient);
}

void IterationFlags::Expectation::note(NodeId giver, bool wasPatient) {
  if (giver == node) {
    if (++times >= kMostWanted)
      wanted = kLeastWanted;
    if (wasPatient)
      patience = std::min(patience * 2, kMostPatience);
    return;
  }
  if (isSure())
    wanted = std::min(wanted * 4, kMostWanted);
  *this = {.node = giver, .times = 0, .wanted = wanted, .patience = kLeastPatience};
}

} // namespace ompdsm
