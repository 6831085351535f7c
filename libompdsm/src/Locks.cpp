// Locks.cpp: the distributed queue lock.
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

namespace {
struct LockBody {
  Address lock = 0;
};
} // namespace

void LockTable::registerHandlers() {
  auto handle = [this](TeamMessage kind, auto action) {
    runtime_.messenger->setHandler(messageKind(kind),
                                   [this, action](NodeId from, fabric::Bytes body) {
                                     std::lock_guard lock(mutex_);
                                     action(from, bodyFrom<LockBody>(body).lock);
                                   });
  };
  handle(TeamMessage::LockRequest,
         [this](NodeId from, Address lock) { manageRequest(from, lock, /*attempt=*/false); });
  handle(TeamMessage::LockTry,
         [this](NodeId from, Address lock) { manageRequest(from, lock, /*attempt=*/true); });
  handle(TeamMessage::LockRelease,
         [this](NodeId from, Address lock) { manageRelease(from, lock); });
  handle(TeamMessage::LockGrant, [this](NodeId, Address lock) { onAnswer(lock, Answer::Granted); });
  handle(TeamMessage::LockBusy, [this](NodeId, Address lock) { onAnswer(lock, Answer::Busy); });
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
  {
    std::lock_guard guard(mutex_);
    OMPDSM_CHECK(local_.size() < kMaxActiveLocks);
    auto [entry, isNew] = local_.try_emplace(lock);
    if (!isNew && attempt)
      return false; // Held by, or promised to, a thread of this node.
    entry->second.waiters.push_back(&waiter);
    if (isNew)
      ask(lock, attempt);
  }
  // Acquire pairs with the release in answer(), after which nobody touches the waiter.
  runtime_.messenger->waitUntil(
      [&waiter] { return waiter.answer.load(std::memory_order_acquire) != Answer::None; });
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
    LocalLock &entry = owned(lock);
    if (!entry.waiters.empty() && entry.handOffs < kMaxHandOffs) {
      ++entry.handOffs;
      currentThread.releaseOwed = true;
      Waiter &next = *entry.waiters.front();
      entry.waiters.pop_front();
      entry.owner = next.thread;
      entry.depth = 1;
      answer(next, Answer::Granted);
      return;
    }
  }
  // The lock leaves the node: what its holders wrote goes first.
  releaseHere();
  std::lock_guard guard(mutex_);
  giveBack(lock);
  auto entry = local_.find(lock);
  if (entry->second.waiters.empty()) {
    local_.erase(entry);
  } else {
    entry->second.owner = nullptr;
    ask(lock, /*attempt=*/false);
  }
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
                  {bytesOf(LockBody{lock})});
}

void LockTable::giveBack(Address lock) {
  NodeId manager = managerOf(lock);
  if (manager == runtime_.node)
    return manageRelease(manager, lock);
  postTeamMessage(*runtime_.messenger, manager, TeamMessage::LockRelease,
                  {bytesOf(LockBody{lock})});
}

void LockTable::onAnswer(Address lock, Answer result) {
  auto entry = local_.find(lock);
  OMPDSM_CHECK(entry != local_.end() && !entry->second.owner && !entry->second.waiters.empty());
  LocalLock &local = entry->second;
  Waiter &first = *local.waiters.front();
  local.waiters.pop_front();
  if (result == Answer::Granted) {
    local.owner = first.thread;
    local.depth = 1;
    local.handOffs = 0;
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
  OMPDSM_CHECK(managed_.size() < kMaxActiveLocks * runtime_.nodes);
  auto [entry, isFree] = managed_.try_emplace(lock);
  if (isFree) {
    entry->second.holder = from;
    reply(from, lock, Answer::Granted);
  } else if (attempt) {
    reply(from, lock, Answer::Busy);
  } else {
    OMPDSM_CHECK(entry->second.queue.size() < runtime_.nodes);
    entry->second.queue.push_back(from);
  }
}

void LockTable::manageRelease(NodeId from, Address lock) {
  auto entry = managed_.find(lock);
  OMPDSM_CHECK(entry != managed_.end() && entry->second.holder == from);
  if (entry->second.queue.empty()) {
    managed_.erase(entry);
    return;
  }
  NodeId next = entry->second.queue.front();
  entry->second.queue.pop_front();
  entry->second.holder = next;
  reply(next, lock, Answer::Granted);
}

void LockTable::reply(NodeId to, Address lock, Answer result) {
  if (to == runtime_.node)
    return onAnswer(lock, result);
  postTeamMessage(*runtime_.messenger, to,
                  result == Answer::Granted ? TeamMessage::LockGrant : TeamMessage::LockBusy,
                  {bytesOf(LockBody{lock})});
}

} // namespace ompdsm
