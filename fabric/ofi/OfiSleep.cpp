// OfiSleep.cpp: sleeping and waking. Over shm alone by the doorbell; over TCP alone inside the
// provider, which makes progress there; over both by the doorbell, with a thread that watches TCP.
#include "../Check.h"
#include "OfiNode.h"
#include "Provider.h"

namespace ompdsm::fabric {

using namespace std::chrono_literals;

/// Sleep while a full provider has promised no event.
static constexpr std::chrono::microseconds kBlindRetry{1000};
/// Sends that the provider has not done when a polling ends: only somebody who makes progress there
/// ends them, and that is not left to who polls next.
static constexpr std::uint32_t kManySends = 4;
/// Longest single wait of the watcher; it is interrupted when it is to end.
static constexpr std::chrono::microseconds kWatch{1000000};

bool OfiNode::hasLocalNews() {
  return holdsAny(lastPolled_.load(std::memory_order_relaxed)) || (shm_ && shm_->hasCompletions());
}

bool OfiNode::hasNews() { return hasLocalNews() || (tcp_ && tcp_->hasCompletions()); }

void OfiNode::sleep(std::chrono::microseconds timeout) {
  timeout = std::min(timeout, kLongestSleep);
  if (blindRetry_.exchange(false, std::memory_order_relaxed))
    timeout = std::min(timeout, kBlindRetry);
  std::uint32_t seen = seenRings_;
  if (doorbell_.rings() == seen) {
    doorbell_.announceSleep();
    // What has come while others poll is theirs: the last of them looks, after the announcement.
    if (doorbell_.leaveToPollers() || !hasNews())
      sleepOnDoorbell(timeout, seen);
    doorbell_.cancelSleep();
  }
  // The caller polls now: all rings up to here are answered.
  seenRings_ = doorbell_.rings();
  pollsUntilTcp_.store(0, std::memory_order_relaxed);
}

void OfiNode::sleepOnDoorbell(std::chrono::microseconds timeout, std::uint32_t seen) {
  if (shm_)
    ringWaiting(); // Our last look may have made room.
  if (tcp_) {
    do
      if (leaveTcpToPollers(timeout, seen))
        return;
    while (!shm_ && !sleepInTcp(timeout, seen));
    if (!shm_)
      return;
    std::lock_guard lock(watchMutex_);
    if (!watchArmed_) {
      watchArmed_ = true;
      watchChanged_.notify_one();
    }
  }
  doorbell_.waitWhile(seen, timeout);
}

/// Who waits inside the TCP provider is woken by the kernel for everything that arrives, also when
/// another thread polls, with which it then contends for the provider's lock and for cores
/// (README.md). So while somebody polls, or is about to (PollingRhythm.h), the sleeper waits on its
/// doorbell, unless sends have to be finished. True if the sleep has ended there, false if TCP is
/// to be watched.
bool OfiNode::leaveTcpToPollers(std::chrono::microseconds &timeout, std::uint32_t seen) {
  for (;;) {
    const std::uint32_t ended = pollingsEnded_.load(std::memory_order_relaxed);
    const bool arePolling = doorbell_.hasPollers();
    const auto trust = arePolling ? rhythm_.patience() : rhythm_.left();
    if (trust == 0us || (!arePolling && outstanding_.load(std::memory_order_relaxed) != 0))
      return false;
    const auto wait = std::min(trust, timeout);
    doorbell_.waitWhile(seen, wait);
    timeout -= wait;
    if (doorbell_.rings() != seen || timeout == 0us)
      return true;
    if (!arePolling || !doorbell_.hasPollers() ||
        pollingsEnded_.load(std::memory_order_relaxed) != ended)
      continue;
    // It is still the same polling: who polls rings when that has ended.
    leavesTcpToPollers_.store(true, std::memory_order_seq_cst);
    // Partner: endPolling, which takes the poller away and then looks.
    if (doorbell_.hasPollers())
      doorbell_.waitWhile(seen, timeout);
    leavesTcpToPollers_.store(false, std::memory_order_relaxed);
    return true;
  }
}

/// False if it was woken although others poll.
bool OfiNode::sleepInTcp(std::chrono::microseconds timeout, std::uint32_t seen) {
  inTcpWait_.store(true, std::memory_order_seq_cst);
  // Who rings after this look sees that we are here, and sends a Wake.
  if (doorbell_.rings() == seen)
    tcp_->waitForCompletion(timeout);
  inTcpWait_.store(false, std::memory_order_seq_cst);
  return doorbell_.rings() != seen || !doorbell_.hasPollers();
}

void OfiNode::wake() { ringSelf(); }

void OfiNode::ringSelf() {
  if (doorbell_.ring() && inTcpWait_.load(std::memory_order_seq_cst))
    sendWake();
}

/// What was refused may go on. Who polls tries it again by itself; when all have ended who did, the
/// sleeper does. Partner: endPolling, which takes the poller away and then looks.
void OfiNode::tellOfRoom() {
  madeRoom_.store(true, std::memory_order_seq_cst);
  if (!doorbell_.hasPollers() && madeRoom_.exchange(false, std::memory_order_seq_cst))
    ringSelf();
}

/// Ends a wait inside the TCP provider, now or later, by something to receive. One is enough: until
/// it has been polled, no wait begins.
///
/// When another thread polls meanwhile and takes the Wake, the sleeper may not have seen it. That
/// thread then sends another one and leaves it alone until the sleeper is up (mayReadTcp).
void OfiNode::sendWake() {
  if (wakeInFlight_.exchange(true, std::memory_order_seq_cst))
    return;
  WireHeader header;
  header.from = self_;
  header.kind = WireKind::Wake;
  // The connection to itself stands since connect() and carries nothing else, so it is never full.
  Rail::Outcome outcome = tcp_->inject(0, ownTcpAddress_, std::as_bytes(std::span(&header, 1)));
  OMPDSM_CHECK(outcome == Rail::Outcome::Done);
}

void OfiNode::takeWake() {
  wakeInFlight_.store(false, std::memory_order_seq_cst);
  // A wait that begins after this look has been rung before, and sees that.
  if (inTcpWait_.load(std::memory_order_seq_cst)) {
    leaveTcpToSleeper_ = true;
    sendWake();
  }
}

bool OfiNode::mayReadTcp() {
  leaveTcpToSleeper_ = leaveTcpToSleeper_ && inTcpWait_.load(std::memory_order_seq_cst);
  return !leaveTcpToSleeper_;
}

void OfiNode::beginPolling() {
  if (doorbell_.addPoller() && tcp_)
    rhythm_.onBegin();
}

void OfiNode::endPolling() {
  if (!doorbell_.removePoller())
    return;
  pollingsEnded_.fetch_add(1, std::memory_order_relaxed);
  if (tcp_)
    rhythm_.onEnd();
  // Local peers rang nobody meanwhile (partner: ringAfterSend). TCP, a look at which costs a system
  // call, is watched by the sleeper itself, at once or soon, unless it relies on us.
  const bool hasTask = leavesTcpToPollers_.load(std::memory_order_seq_cst) ||
                       (outstanding_.load(std::memory_order_seq_cst) >= kManySends &&
                        !inTcpWait_.load(std::memory_order_relaxed)) || // completions wake it there
                       (madeRoom_.load(std::memory_order_seq_cst) &&
                        madeRoom_.exchange(false, std::memory_order_seq_cst));
  const bool hasUnseen = !hasTask && doorbell_.isSleeping() && hasLocalNews();
  if (hasTask || (hasUnseen && doorbell_.isPressing()))
    ringSelf();
  else if (hasUnseen) // that nobody is in a hurry for yet
    doorbell_.raiseAttention();
}

void OfiNode::beginWaiting() {
  doorbell_.addWaiter();
  // What has come before that may have rung nobody (partner: ringAfterSend). Who polls looks when
  // it ends.
  if (!doorbell_.hasPollers() && doorbell_.isSleeping() && hasLocalNews())
    ringSelf();
}

void OfiNode::endWaiting() { doorbell_.removeWaiter(); }

void OfiNode::startWatcher() {
  StartupShield blocked;
  watcher_ = std::thread([this] { watchTcp(); });
}

void OfiNode::stopWatcher() {
  if (!watcher_.joinable())
    return;
  {
    std::lock_guard lock(watchMutex_);
    watchStopping_ = true;
    watchChanged_.notify_one();
  }
  sendWake();
  watcher_.join();
}

/// Waits only while armed: an event stays until the polling thread has taken it, so that waiting
/// again at once would spin.
void OfiNode::watchTcp() {
  std::unique_lock lock(watchMutex_);
  for (;;) {
    watchChanged_.wait(lock, [this] { return watchArmed_ || watchStopping_; });
    if (watchStopping_)
      return;
    lock.unlock();
    tcp_->waitForCompletion(kWatch);
    lock.lock();
    watchArmed_ = false;
    doorbell_.ring();
  }
}

} // namespace ompdsm::fabric
