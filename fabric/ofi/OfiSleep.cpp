// OfiSleep.cpp: sleeping and waking. Over shm alone by the doorbell; over TCP alone inside the
// provider, which makes progress there; over both by the doorbell, with a thread that watches TCP.
#include "../Check.h"
#include "OfiNode.h"
#include "Provider.h"

namespace ompdsm::fabric {

/// Sleep while a full provider has promised no event.
static constexpr std::chrono::microseconds kBlindRetry{1000};
/// Longest single wait of the watcher; it is interrupted when it is to end.
static constexpr std::chrono::microseconds kWatch{1000000};

bool OfiNode::hasNews() {
  ChannelSet polled = lastPolled_.load(std::memory_order_relaxed);
  for (unsigned channel = 0; channel < kChannelCount; ++channel)
    if ((polled & channelBit(Channel(channel))) &&
        heldMessages_[channel].load(std::memory_order_relaxed) != 0)
      return true;
  return (shm_ && shm_->hasCompletions()) || (tcp_ && tcp_->hasCompletions());
}

void OfiNode::sleep(std::chrono::microseconds timeout) {
  timeout = std::min(timeout, kLongestSleep);
  if (blindRetry_.exchange(false, std::memory_order_relaxed))
    timeout = std::min(timeout, kBlindRetry);
  std::uint32_t seen = seenRings_;
  if (doorbell_.rings() == seen) {
    doorbell_.announceSleep();
    if (!hasNews())
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
  if (tcp_ && !shm_) {
    inTcpWait_.store(true, std::memory_order_seq_cst);
    // Who rings after this look sees that we sleep, and sends a Wake.
    if (doorbell_.rings() == seen)
      tcp_->waitForCompletion(timeout);
    inTcpWait_.store(false, std::memory_order_seq_cst);
    return;
  }
  if (tcp_) {
    std::lock_guard lock(watchMutex_);
    if (!watchArmed_) {
      watchArmed_ = true;
      watchChanged_.notify_one();
    }
  }
  doorbell_.waitWhile(seen, timeout);
}

void OfiNode::wake() { ringSelf(); }

void OfiNode::ringSelf() {
  if (doorbell_.ring() && tcp_ && !shm_)
    sendWake();
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

void OfiNode::beginPolling() { doorbell_.addPoller(); }

void OfiNode::endPolling() {
  // What arrived meanwhile rang nobody. Partner: ringAfterSend.
  if (doorbell_.removePoller() && doorbell_.isSleeping() && hasNews())
    ringSelf();
}

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
