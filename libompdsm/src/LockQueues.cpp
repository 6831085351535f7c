// LockQueues.cpp: the distributed queue lock: the manager's side.
#include "libompdsm/src/Locks.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include <utility>

namespace ompdsm {

void LockTable::manageRequest(Request request, Address lock) {
  OMPDSM_CHECK(managed_.size() < (kMaxActiveLocks + kMaxKeptLocks) * runtime_.nodes);
  auto [found, isFree] = managed_.try_emplace(lock);
  ManagedLock &entry = found->second;
  if (isFree) {
    entry.holder = request.from;
    reply(request.from, lock, Answer::Granted);
    return;
  }
  if (request.wish != Wish::Wait && !entry.queue.empty()) {
    Request &first = entry.queue.front();
    // It is promised to another node; unless that does not want it now: then what the holder is
    // about to answer is for this one.
    const bool isPromised =
        entry.queue.size() > 1 || first.wish != Wish::Ahead || request.wish == Wish::Ahead;
    reply((isPromised ? request : std::exchange(first, request)).from, lock, Answer::Busy);
    return;
  }
  OMPDSM_CHECK(entry.queue.size() < runtime_.nodes);
  entry.queue.push_back(request);
  recall(lock, entry, request);
}

/// Tells the holder who gets the lock next: the node in front of the queue, or behind an attempt
/// that the holder has answered by then. The entry may be gone afterwards.
void LockTable::recall(Address lock, ManagedLock &entry, Request request) {
  if (request.wish == Wish::Wait && std::exchange(entry.recalled, true))
    return;
  if (entry.holder == runtime_.node)
    return onRecall(lock, request);
  post(entry.holder,
       request.wish == Wish::Wait ? TeamMessage::LockRecall : TeamMessage::LockRecallTry,
       {.lock = lock, .wanter = request.from, .wish = request.wish});
}

/// If nobody has it, the job ends, as with onUnset.
void LockTable::manageUnset(Address lock) {
  const auto found = managed_.find(lock);
  const Request unset{.from = runtime_.node, .wish = Wish::Unset};
  if (found == managed_.end() || found->second.holder == runtime_.node)
    return onRecall(lock, unset);
  post(found->second.holder, TeamMessage::LockRecall, {.lock = lock, .wish = Wish::Unset});
}

void LockTable::manageRelease(NodeId from, const Body &body) {
  const Address lock = body.lock;
  if (body.wish == Wish::Unset)
    return manageUnset(lock);
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
    recall(lock, entry, entry.queue.front());
}

/// The holder's answer to an attempt.
void LockTable::manageInUse(Address lock) {
  const auto found = managed_.find(lock);
  OMPDSM_CHECK(found != managed_.end() && !found->second.queue.empty() &&
               found->second.queue.front().wish != Wish::Wait);
  const NodeId from = found->second.queue.front().from;
  found->second.queue.pop_front();
  reply(from, lock, Answer::Busy);
}

void LockTable::reply(NodeId to, Address lock, Answer result, const ReleasePass &pass) {
  if (to == runtime_.node)
    return onAnswer(lock, result, pass);
  post(to, result == Answer::Granted ? TeamMessage::LockGrant : TeamMessage::LockBusy,
       {.lock = lock, .pass = pass});
}

} // namespace ompdsm
