// Locks.cpp: the distributed queue lock.
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/engine/StopWatch.h"
#include <optional>
#include <utility>

namespace ompdsm {

/// What nodes say of a lock.
struct LockTable::Body {
  Address lock = 0;
  LockPass pass{};   ///< Of a release, and of the grant that comes of it.
  NodeId wanter = 0; ///< Of a recall, and of a release with a pass: who gets the lock next.
};

void LockTable::registerHandlers() {
  auto handle = [this](TeamMessage kind, auto action) {
    runtime_.messenger->setHandler(messageKind(kind),
                                   [this, action](NodeId from, fabric::Bytes body) {
                                     std::lock_guard lock(mutex_);
                                     action(from, bodyFrom<Body>(body));
                                   });
  };
  handle(TeamMessage::LockRequest, [this](NodeId from, const Body &body) {
    manageRequest(from, body.lock, /*attempt=*/false);
  });
  handle(TeamMessage::LockTry, [this](NodeId from, const Body &body) {
    manageRequest(from, body.lock, /*attempt=*/true);
  });
  handle(TeamMessage::LockRelease,
         [this](NodeId from, const Body &body) { manageRelease(from, body); });
  handle(TeamMessage::LockInUse, [this](NodeId, const Body &body) { manageInUse(body.lock); });
  handle(TeamMessage::LockRecall,
         [this](NodeId, const Body &body) { onRecall(body.lock, body.wanter, /*attempt=*/false); });
  handle(TeamMessage::LockRecallTry,
         [this](NodeId, const Body &body) { onRecall(body.lock, body.wanter, /*attempt=*/true); });
  handle(TeamMessage::LockGrant,
         [this](NodeId, const Body &body) { onAnswer(body.lock, Answer::Granted, body.pass); });
  handle(TeamMessage::LockBusy,
         [this](NodeId, const Body &body) { onAnswer(body.lock, Answer::Busy); });
  runtime_.engine->setConfirmationHandler([this] { onConfirmation(); });
}

NodeId LockTable::managerOf(Address lock) const {
  // Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4), so that the elements
  // of an array of locks are spread over the nodes.
  return NodeId(((lock >> 2) * 0x9e3779b97f4a7c15ull >> 32) % runtime_.nodes);
}

// --- The threads' side.

bool LockTable::wait(Address lock, bool attempt) {
  Waiter waiter;
  waiter.thread = &currentThread;
  waiter.attempt = attempt;
  // Offline while it waits, and an acquire when it goes on: going online is one.
  OfflineScope waiting;
  std::optional<Messenger::Attendance> attendance;
  {
    std::lock_guard guard(mutex_);
    OMPDSM_CHECK(local_.size() < kMaxActiveLocks + kMaxKeptLocks);
    auto [entry, isNew] = local_.try_emplace(lock);
    if (entry->second.state == LockState::Kept) {
      entry->second.own(&currentThread);
      return true;
    }
    if (!isNew && attempt)
      return false; // Held by, or promised to, a thread of this node.
    entry->second.waiters.push_back(&waiter);
    attendance.emplace(*runtime_.messenger);
    if (isNew)
      ask(lock, attempt);
  }
  StopWatch watch(statistics_.nanoseconds);
  statistics_.waits.fetch_add(1, std::memory_order_relaxed);
  // Acquire pairs with the release in answer(), after which nobody touches the waiter.
  runtime_.messenger->waitUntil([&] {
    return waiter.answer.load(std::memory_order_acquire) != Answer::None &&
           runtime_.engine->hasProcessed(waiter.pass.giver, waiter.pass.handover);
  });
  return waiter.answer.load(std::memory_order_relaxed) == Answer::Granted;
}

void LockTable::acquire(Address lock) { wait(lock, /*attempt=*/false); }
bool LockTable::tryAcquire(Address lock) { return wait(lock, /*attempt=*/true); }

LockTable::LocalLock &LockTable::owned(Address lock) {
  auto entry = local_.find(lock);
  if (entry == local_.end() || entry->second.owner != &currentThread)
    fatal("a thread releases the lock at address %p, which it does not own",
          reinterpret_cast<void *>(lock));
  return entry->second;
}

void LockTable::release(Address lock) {
  {
    std::lock_guard guard(mutex_);
    if (handOn(owned(lock))) {
      currentThread.releaseOwed = true;
      return;
    }
  }
  PendingRelease pending = beginReleaseHere();
  std::lock_guard guard(mutex_);
  LocalLock &entry = owned(lock);
  entry.pending = std::move(pending);
  if (handOn(entry))
    return;
  entry.owner = nullptr;
  if (entry.wanter)
    leave(lock);
  else
    keep(lock, entry);
}

/// To the node's next thread, if there is one and it is not other nodes' turn.
bool LockTable::handOn(LocalLock &entry) {
  if (entry.waiters.empty() || (entry.wanter && entry.handOffs >= kMaxHandOffs))
    return false;
  entry.handOffs += entry.wanter.has_value();
  Waiter &next = *entry.waiters.front();
  entry.waiters.pop_front();
  entry.own(next.thread);
  answer(next, Answer::Granted);
  return true;
}

/// Nobody owns the lock: it goes back to its manager when what its holders wrote is at home, and
/// nobody can read what was there before; but the node that gets it next, if it is known, waits for
/// what it has to process of that itself.
void LockTable::leave(Address lock) {
  LocalLock &entry = local_.find(lock)->second;
  entry.state = LockState::Leaving;
  leaving_.push_back(lock);
  anyLeaving_.store(true, std::memory_order_relaxed);
  // With the fence in onConfirmation: either it sees the list, or the confirmation is seen here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sendBackConfirmed();
  if (anyLeaving_.load(std::memory_order_relaxed))
    runtime_.messenger->insist(); // on what nobody has waited for so far
}

void LockTable::onConfirmation() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!anyLeaving_.load(std::memory_order_relaxed))
    return;
  std::lock_guard guard(mutex_);
  sendBackConfirmed();
}

void LockTable::sendBackConfirmed() {
  for (Address lock : std::exchange(leaving_, {})) {
    LocalLock &entry = local_.find(lock)->second;
    if (runtime_.engine->isConfirmed(entry.pending, entry.wanter))
      sendBack(lock, entry);
    else
      leaving_.push_back(lock);
  }
  anyLeaving_.store(!leaving_.empty(), std::memory_order_relaxed);
}

/// It is asked for again if threads here wait.
void LockTable::sendBack(Address lock, LocalLock &entry) {
  Body body{.lock = lock};
  if (entry.wanter && !runtime_.engine->isConfirmed(entry.pending))
    body = {lock, {runtime_.node, entry.pending.handoverTo(*entry.wanter)}, *entry.wanter};
  tellManager(TeamMessage::LockRelease, body);
  entry.pending = {};
  entry.wanter.reset();
  if (entry.waiters.empty()) {
    local_.erase(lock);
    return;
  }
  entry.state = LockState::Asked;
  ask(lock, /*attempt=*/false);
}

void LockTable::keep(Address lock, LocalLock &entry) {
  entry.state = LockState::Kept;
  if (!entry.listed)
    kept_.push_back(lock);
  entry.listed = true;
  if (kept_.size() <= kMaxKeptLocks)
    return;
  const auto oldest = local_.find(kept_.front());
  kept_.pop_front();
  if (oldest == local_.end())
    return;
  oldest->second.listed = false;
  if (oldest->second.state == LockState::Kept)
    leave(oldest->first);
}

bool LockTable::ownedHere(Address lock) {
  std::lock_guard guard(mutex_);
  auto entry = local_.find(lock);
  return entry != local_.end() && entry->second.owner == &currentThread;
}

int LockTable::acquireNested(Address lock) {
  if (ownedHere(lock)) {
    std::lock_guard guard(mutex_);
    return ++owned(lock).depth;
  }
  acquire(lock);
  return 1;
}

int LockTable::tryAcquireNested(Address lock) {
  if (ownedHere(lock)) {
    std::lock_guard guard(mutex_);
    return ++owned(lock).depth;
  }
  return tryAcquire(lock) ? 1 : 0;
}

int LockTable::releaseNested(Address lock) {
  {
    std::lock_guard guard(mutex_);
    LocalLock &entry = owned(lock);
    if (entry.depth > 1)
      return --entry.depth;
  }
  release(lock);
  return 0;
}

// --- Between a node and the lock's manager.

void LockTable::ask(Address lock, bool attempt) {
  NodeId manager = managerOf(lock);
  if (manager == runtime_.node)
    return manageRequest(manager, lock, attempt);
  postTeamMessage(*runtime_.messenger, manager,
                  attempt ? TeamMessage::LockTry : TeamMessage::LockRequest,
                  {bytesOf(Body{.lock = lock})});
}

void LockTable::tellManager(TeamMessage message, const Body &body) {
  const NodeId manager = managerOf(body.lock);
  if (manager != runtime_.node)
    postTeamMessage(*runtime_.messenger, manager, message, {bytesOf(body)});
  else if (message == TeamMessage::LockRelease)
    manageRelease(manager, body);
  else
    manageInUse(body.lock);
}

/// The manager's messages come in their order, so a lock that is not here, or asked for, was on its
/// way back when this was sent, or is going to be.
void LockTable::onRecall(Address lock, NodeId wanter, bool attempt) {
  const auto entry = local_.find(lock);
  if (entry == local_.end() || entry->second.state == LockState::Asked ||
      entry->second.state == LockState::Leaving)
    return;
  if (attempt && entry->second.state == LockState::Owned)
    return tellManager(TeamMessage::LockInUse, {.lock = lock});
  entry->second.wanter = wanter;
  if (entry->second.state == LockState::Kept)
    leave(lock);
}

void LockTable::onAnswer(Address lock, Answer result, const LockPass &pass) {
  auto entry = local_.find(lock);
  OMPDSM_CHECK(entry != local_.end() && entry->second.state == LockState::Asked &&
               !entry->second.waiters.empty());
  LocalLock &local = entry->second;
  Waiter &first = *local.waiters.front();
  local.waiters.pop_front();
  if (result == Answer::Granted) {
    local.own(first.thread);
    local.handOffs = 0;
    local.wanter.reset();
    first.pass = pass;
  } else if (local.waiters.empty()) {
    local_.erase(entry);
  } else {
    // Others came while the attempt was under way, and they can wait.
    ask(lock, /*attempt=*/false);
  }
  answer(first, result);
}

void LockTable::answer(Waiter &waiter, Answer result) {
  waiter.answer.store(result, std::memory_order_release);
  runtime_.messenger->notify();
}

// --- The manager's side.

void LockTable::manageRequest(NodeId from, Address lock, bool attempt) {
  OMPDSM_CHECK(managed_.size() < (kMaxActiveLocks + kMaxKeptLocks) * runtime_.nodes);
  auto [found, isFree] = managed_.try_emplace(lock);
  ManagedLock &entry = found->second;
  if (isFree) {
    entry.holder = from;
    reply(from, lock, Answer::Granted);
    return;
  }
  if (attempt && !entry.queue.empty()) {
    reply(from, lock, Answer::Busy); // It is promised to another node.
    return;
  }
  OMPDSM_CHECK(entry.queue.size() < runtime_.nodes);
  entry.queue.push_back({from, attempt});
  recall(lock, entry, from, attempt);
}

/// Tells the holder who gets the lock next: the node in front of the queue, or behind an attempt
/// that the holder has answered by then. The entry may be gone afterwards.
void LockTable::recall(Address lock, ManagedLock &entry, NodeId wanter, bool attempt) {
  if (!attempt && std::exchange(entry.recalled, true))
    return;
  if (entry.holder == runtime_.node)
    return onRecall(lock, wanter, attempt);
  postTeamMessage(*runtime_.messenger, entry.holder,
                  attempt ? TeamMessage::LockRecallTry : TeamMessage::LockRecall,
                  {bytesOf(Body{.lock = lock, .wanter = wanter})});
}

void LockTable::manageRelease(NodeId from, const Body &body) {
  const Address lock = body.lock;
  const auto found = managed_.find(lock);
  OMPDSM_CHECK(found != managed_.end() && found->second.holder == from);
  ManagedLock &entry = found->second;
  if (entry.queue.empty()) {
    managed_.erase(found);
    return;
  }
  const NodeId next = entry.queue.front().from;
  entry.queue.pop_front();
  OMPDSM_CHECK(body.pass.isEmpty() || body.wanter == next);
  entry.holder = next;
  entry.recalled = false;
  reply(next, lock, Answer::Granted, body.pass);
  if (!entry.queue.empty())
    recall(lock, entry, entry.queue.front().from, /*attempt=*/false);
}

/// The holder's answer to an attempt.
void LockTable::manageInUse(Address lock) {
  const auto found = managed_.find(lock);
  OMPDSM_CHECK(found != managed_.end() && !found->second.queue.empty() &&
               found->second.queue.front().attempt);
  const NodeId from = found->second.queue.front().from;
  found->second.queue.pop_front();
  reply(from, lock, Answer::Busy);
}

void LockTable::reply(NodeId to, Address lock, Answer result, const LockPass &pass) {
  if (to == runtime_.node)
    return onAnswer(lock, result, pass);
  postTeamMessage(*runtime_.messenger, to,
                  result == Answer::Granted ? TeamMessage::LockGrant : TeamMessage::LockBusy,
                  {bytesOf(Body{.lock = lock, .pass = pass})});
}

} // namespace ompdsm
