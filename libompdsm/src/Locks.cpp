// Locks.cpp: the distributed queue lock: the threads' side, and the node's towards a lock's
// manager.
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/engine/StopWatch.h"
#include <optional>
#include <utility>

namespace ompdsm {

void LockTable::registerHandlers() {
  auto handle = [this](TeamMessage kind, auto action) {
    runtime_.messenger->setHandler(messageKind(kind),
                                   [this, action](NodeId from, fabric::Bytes body) {
                                     std::lock_guard lock(mutex_);
                                     action(from, bodyFrom<Body>(body));
                                   });
  };
  handle(TeamMessage::LockRequest,
         [this](NodeId from, const Body &body) { manageRequest({from, Wish::Wait}, body.lock); });
  handle(TeamMessage::LockTry,
         [this](NodeId from, const Body &body) { manageRequest({from, body.wish}, body.lock); });
  handle(TeamMessage::LockRelease,
         [this](NodeId from, const Body &body) { manageRelease(from, body); });
  handle(TeamMessage::LockInUse, [this](NodeId, const Body &body) { manageInUse(body.lock); });
  for (const TeamMessage recall : {TeamMessage::LockRecall, TeamMessage::LockRecallTry})
    handle(recall,
           [this](NodeId, const Body &body) { onRecall(body.lock, {body.wanter, body.wish}); });
  handle(TeamMessage::LockGrant,
         [this](NodeId, const Body &body) { onAnswer(body.lock, Answer::Granted, body.pass); });
  handle(TeamMessage::LockBusy,
         [this](NodeId, const Body &body) { onAnswer(body.lock, Answer::Busy); });
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
  // Offline while it waits, and an acquire when it goes on: going online is one.
  OfflineScope waiting;
  std::optional<Messenger::Attendance> attendance;
  {
    std::lock_guard guard(mutex_);
    OMPDSM_CHECK(local_.size() < kMaxActiveLocks + kMaxKeptLocks);
    auto [entry, isNew] = local_.try_emplace(lock);
    LocalLock &local = entry->second;
    const bool isAhead = local.askedAfter.has_value();
    if (isNew || isAhead)
      order_.note(std::exchange(currentThread.lastForeignLock, lock), lock);
    if (local.leavesAhead) {
      stay(lock, local);
      return true;
    }
    const bool isKept = local.state == LockState::Kept;
    if (isKept) {
      local.own(&currentThread);
      local.wasAwaited = false;
      waiter.pass = std::exchange(local.pass, {});
      waiter.answer.store(Answer::Granted, std::memory_order_relaxed);
      if (isHere(waiter.pass))
        return true;
    } else if (!isNew && attempt && !(isAhead && local.waiters.empty())) {
      return false; // Held by, or promised to, a thread of this node.
    }
    attendance.emplace(*runtime_.messenger);
    if (!isKept) {
      local.waiters.push_back(&waiter);
      if (isNew)
        ask(lock, attempt ? Wish::Try : Wish::Wait);
      else if (attempt)
        local.askedAfter.reset(); // its own attempt now
      if (isNew || isAhead)
        askAhead(lock);
    }
  }
  runtime_.messenger->flush();
  StopWatch watch(statistics_.nanoseconds);
  statistics_.waits.fetch_add(1, std::memory_order_relaxed);
  // Acquire pairs with the release in answer(), after which nobody touches the waiter.
  runtime_.messenger->waitUntil([&] {
    return waiter.answer.load(std::memory_order_acquire) != Answer::None && isHere(waiter.pass);
  });
  return waiter.answer.load(std::memory_order_relaxed) == Answer::Granted;
}

bool LockTable::isHere(const ReleasePass &pass) const {
  return runtime_.engine->hasProcessed(pass.giver, pass.handover);
}

void LockTable::acquire(Address lock) { wait(lock, /*attempt=*/false); }
bool LockTable::tryAcquire(Address lock) { return wait(lock, /*attempt=*/true); }

LockTable::LocalLock *LockTable::ownedOnNode(Address lock) {
  const auto entry = local_.find(lock);
  return entry != local_.end() && entry->second.state == LockState::Owned ? &entry->second
                                                                          : nullptr;
}

LockTable::LocalLock &LockTable::owned(Address lock) {
  LocalLock *const entry = ownedOnNode(lock);
  if (!entry || entry->owner != &currentThread)
    fatal("a thread releases the lock at address %p, which it does not own",
          reinterpret_cast<void *>(lock));
  return *entry;
}

void LockTable::release(Address lock) {
  {
    std::lock_guard guard(mutex_);
    if (handOn(owned(lock))) {
      setReleaseOwed(true);
      return;
    }
  }
  letGo(lock);
}

void LockTable::unset(Address lock) {
  bool isHere;
  {
    std::lock_guard guard(mutex_);
    isHere = ownedOnNode(lock);
  }
  if (isHere)
    return letGo(lock);
  releaseHere();
  {
    std::lock_guard guard(mutex_);
    tellManager(TeamMessage::LockRelease, {.lock = lock, .wish = Wish::Unset});
  }
  runtime_.messenger->flush();
}

void LockTable::letGo(Address lock) {
  PendingRelease pending = beginReleaseHere();
  {
    std::lock_guard guard(mutex_);
    LocalLock &entry = ownedBySome(lock);
    entry.pending = std::move(pending);
    if (handOn(entry))
      return;
    entry.owner = nullptr;
    // What those write who did not have to wait leaves together.
    if (entry.wanter)
      leave(lock, entry.wanter);
    else if (!keep(lock, entry) && !entry.wasAwaited)
      return;
  }
  runtime_.messenger->flush();
}

LockTable::LocalLock &LockTable::ownedBySome(Address lock) {
  LocalLock *const entry = ownedOnNode(lock);
  if (!entry)
    fatal("a thread releases the lock at address %p, which no thread owns",
          reinterpret_cast<void *>(lock));
  return *entry;
}

/// A thread of another node has unset it, and has released what it wrote. What was written here
/// under the lock before is in the last release: unset() hands nothing on without one. What its
/// owner wrote is at home if that thread can know of it.
void LockTable::onUnset(Address lock) {
  LocalLock &entry = ownedBySome(lock);
  if (handOn(entry))
    return;
  entry.owner = nullptr;
  if (entry.wanter)
    leave(lock, entry.wanter);
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
/// nobody can read what was there before; but `receiver`, if it is known who gets it next, waits
/// for what it has to process of that itself.
void LockTable::leave(Address lock, std::optional<NodeId> receiver) {
  LocalLock &entry = local_.find(lock)->second;
  entry.state = LockState::Leaving;
  entry.receiver = receiver;
  runtime_.engine->askFor(entry.pending, receiver);
  leaving_.push_back(lock);
  anyLeaving_.store(true, std::memory_order_relaxed);
  // With the fence in onConfirmation: either it sees the list, or the confirmation is seen here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sendBackConfirmed();
}

/// A thread takes the lock that is about to leave, though nobody wants it at once.
void LockTable::stay(Address lock, LocalLock &entry) {
  std::erase(leaving_, lock);
  entry.leavesAhead = false;
  entry.receiver.reset();
  entry.wanter = std::exchange(entry.wanterBehind, std::nullopt);
  entry.handOffs = 0;
  entry.own(&currentThread);
  tellManager(TeamMessage::LockInUse, {.lock = lock});
  runtime_.messenger->flush();
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
    if (runtime_.engine->isConfirmed(entry.pending, entry.receiver))
      sendBack(lock, entry);
    else
      leaving_.push_back(lock);
  }
  anyLeaving_.store(!leaving_.empty(), std::memory_order_relaxed);
}

/// It is asked for again if threads here wait.
void LockTable::sendBack(Address lock, LocalLock &entry) {
  Body body{.lock = lock};
  if (entry.receiver && !runtime_.engine->isConfirmed(entry.pending))
    body = {lock, {runtime_.node, entry.pending.handoverTo(*entry.receiver)}, *entry.receiver};
  tellManager(TeamMessage::LockRelease, body);
  entry.pending = {};
  entry.pass = {};
  entry.receiver.reset();
  entry.wanter.reset();
  entry.wanterBehind.reset();
  entry.leavesAhead = false;
  if (entry.waiters.empty()) {
    local_.erase(lock);
    return;
  }
  entry.state = LockState::Asked;
  ask(lock, Wish::Wait);
}

bool LockTable::keep(Address lock, LocalLock &entry) {
  entry.state = LockState::Kept;
  if (!entry.listed)
    kept_.push_back(lock);
  entry.listed = true;
  if (kept_.size() <= kMaxKeptLocks)
    return false;
  const auto oldest = local_.find(kept_.front());
  kept_.pop_front();
  if (oldest == local_.end())
    return false;
  oldest->second.listed = false;
  if (oldest->second.state != LockState::Kept)
    return false;
  leave(oldest->first, std::nullopt);
  return true;
}

// --- Between a node and the lock's manager. What handlers post leaves when their packet is
// handled, what threads do when they flush.

void LockTable::post(NodeId to, TeamMessage message, const Body &body) {
  runtime_.messenger->post(to, messageKind(message), {bytesOf(body)});
}

void LockTable::ask(Address lock, Wish wish) {
  NodeId manager = managerOf(lock);
  if (manager == runtime_.node)
    return manageRequest({manager, wish}, lock);
  post(manager, wish == Wish::Wait ? TeamMessage::LockRequest : TeamMessage::LockTry,
       {.lock = lock, .wish = wish});
}

/// For those that are expected to be taken next, if nobody owns or wants them; and who has one that
/// it does not own gives it to whoever does.
void LockTable::askAhead(Address lock) {
  Address last = lock;
  for (unsigned count = 0; count < kMostAhead && runtime_.options.locksAhead; ++count) {
    const auto next = order_.expectedAfter(last);
    if (!next || *next == lock) // the same one is taken again and again, say
      return;
    const auto [entry, isNew] = local_.try_emplace(*next);
    if (isNew) {
      entry->second.askedAfter = last;
      ask(*next, Wish::Ahead);
    }
    last = *next;
  }
}

void LockTable::tellManager(TeamMessage message, const Body &body) {
  const NodeId manager = managerOf(body.lock);
  if (manager != runtime_.node)
    post(manager, message, body);
  else if (message == TeamMessage::LockRelease)
    manageRelease(manager, body);
  else
    manageInUse(body.lock);
}

/// The manager's messages come in their order, so a lock that is not here, or asked for, was on its
/// way back when this was sent, or is going to be.
void LockTable::onRecall(Address lock, Request request) {
  if (request.wish == Wish::Unset)
    return onUnset(lock);
  const auto entry = local_.find(lock);
  if (entry == local_.end() || entry->second.state == LockState::Asked)
    return;
  LocalLock &local = entry->second;
  const bool waits = request.wish == Wish::Wait;
  if (local.state == LockState::Leaving) {
    if (waits && local.leavesAhead)
      local.wanterBehind = request.from;
    return;
  }
  if (!waits && local.state == LockState::Owned)
    return tellManager(TeamMessage::LockInUse, {.lock = lock});
  if (waits)
    local.wanter = request.from;
  if (local.state == LockState::Owned)
    return;
  if (local.askedAfter)
    order_.doubt(*local.askedAfter);
  local.askedAfter.reset();
  local.leavesAhead = request.wish == Wish::Ahead;
  // Behind an attempt another node may come first; between two there is none.
  const bool isNext = waits || runtime_.nodes == 2;
  leave(lock, isNext ? std::optional(request.from) : std::nullopt);
}

void LockTable::onAnswer(Address lock, Answer result, const ReleasePass &pass) {
  auto entry = local_.find(lock);
  OMPDSM_CHECK(entry != local_.end() && entry->second.state == LockState::Asked &&
               (entry->second.askedAfter || !entry->second.waiters.empty()));
  LocalLock &local = entry->second;
  local.handOffs = 0;
  local.wanter.reset();
  if (local.askedAfter && result == Answer::Busy) {
    order_.doubt(*local.askedAfter);
    local.askedAfter.reset();
    if (local.waiters.empty())
      local_.erase(entry);
    else
      ask(lock, Wish::Wait);
    return;
  }
  if (local.waiters.empty()) { // it was asked for ahead
    local.pass = pass;
    keep(lock, local); // what it posts leaves with this handler's
    return;
  }
  Waiter &first = *local.waiters.front();
  local.waiters.pop_front();
  if (result == Answer::Granted) {
    local.own(first.thread);
    local.wasAwaited = true;
    first.pass = pass;
  } else if (local.waiters.empty()) {
    local_.erase(entry);
  } else {
    // Others came while the attempt was under way, and they can wait.
    ask(lock, Wish::Wait);
  }
  answer(first, result);
}

void LockTable::answer(Waiter &waiter, Answer result) {
  waiter.answer.store(result, std::memory_order_release);
  runtime_.messenger->notify();
}

} // namespace ompdsm
