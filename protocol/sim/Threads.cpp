// Threads.cpp: what the threads of the small world do: checks, releases, acquires. The order of the
// parts is the engine's (Misses.cpp, Releases.cpp).
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

void World::finish(State &s, unsigned t) {
  Thread &thread = s.threads[t];
  const PlainCounter quiescentAt = thread.quiescentAt;
  const std::uint8_t next = std::uint8_t(thread.pc + 1);
  const std::uint8_t seen = thread.seen;
  thread = Thread{};
  thread.pc = next;
  thread.seen = seen;
  thread.quiescentAt = quiescentAt;
  if (isDone(s, t))
    Clock::goOffline(thread.quiescentAt); // the thread ends
}

void World::syncPoint(State &s, unsigned t) {
  s.nodes[nodeOf(t)].clock.syncPoint(s.threads[t].quiescentAt);
}

/// Behind a release.
void World::tellSeen(State &s, unsigned t) const {
  const unsigned pc = s.threads[t].pc;
  if (pc != 0 && litmus_.threads[t].operations[pc - 1].kind == Operation::Release)
    s.told = std::max(s.told, s.threads[t].seen);
}

bool World::advance(State &s, unsigned t) {
  Thread &thread = s.threads[t];
  if (thread.phase != Phase::Ready)
    return proceed(s, t);
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  const Operation &operation = operationOf(s, t);
  switch (operation.kind) {
  case Operation::CheckRead:
  case Operation::CheckWrite:
  case Operation::CheckOverwrite:
  case Operation::CheckRewrite:
    return check(s, t);
  case Operation::Prefetch:
    return prefetch(s, t);
  case Operation::Load:
  case Operation::RawLoad:
    load(s, t, operation.byte);
    break;
  case Operation::Store:
  case Operation::RawStore:
    store(s, t, operation.byte, operation.value, operation.kind == Operation::RawStore);
    break;
  case Operation::Exchange:
  case Operation::AtomicLoad:
  case Operation::AtomicStore:
  case Operation::Raise:
    return atomic(s, t);
  case Operation::Add:
    return add(s, t);
  case Operation::Lease:
    return lease(s, t);
  case Operation::Tell:
    s.flags |= std::uint8_t(1u << operation.value);
    break;
  case Operation::Watch:
    if (!(s.flags >> operation.value & 1))
      return false;
    break;
  case Operation::ProposeHome:
    if (node.locked)
      return false;
    if (node.homes[operation.byte / kBlockBytes] == n)
      noteWriter(s, n, operation.byte / kBlockBytes, operation.value);
    break;
  case Operation::Evict:
    return evict(s, t);
  case Operation::Drop:
    return drop(s, t);
  case Operation::Release:
  case Operation::Begin:
    syncPoint(s, t); // before it gets its turn to flush
    thread.phase = Phase::WantsFlush;
    return true;
  case Operation::Give:
    if (node.locked)
      return false;
    askForGiven(s, t);
    return true;
  case Operation::Post:
    syncPoint(s, t);
    tellSeen(s, t);
    if (operation.byte)
      order(s, n, operation);
    else
      s.flags |= std::uint8_t(1u << operation.value);
    break;
  case Operation::Wait:
    if (!((operation.byte ? node.orders : s.flags) >> operation.value & 1))
      return false;
    if (operation.byte)
      node.following = false;
    return beginAcquire(s, t);
  case Operation::Take:
    if (!(s.flags >> operation.value & 1))
      return false;
    if (const Given &given = s.given[operation.value];
        rules_.takersSeeWhatWasSent && !given.isProcessed(node.peers[given.giver]))
      return false;
    return beginAcquire(s, t);
  case Operation::Lock:
    if (s.locks >> operation.value & 1)
      return false;
    s.locks |= std::uint8_t(1u << operation.value);
    return beginAcquire(s, t);
  case Operation::Unlock:
    syncPoint(s, t);
    tellSeen(s, t);
    s.locks &= std::uint8_t(~(1u << operation.value));
    break;
  case Operation::Barrier: {
    syncPoint(s, t);
    const bool alone = othersOffline(s, n, t);
    thread.phase = alone ? Phase::Drains : Phase::WantsFlush;
    return true;
  }
  case Operation::Offline:
    Clock::goOffline(thread.quiescentAt);
    break;
  case Operation::Online:
    if (node.locked)
      return false;
    node.clock.goOnline(thread.quiescentAt);
    return beginAcquire(s, t);
  }
  finish(s, t);
  return true;
}

/// A thread goes on inside of its operation.
bool World::proceed(State &s, unsigned t) {
  Thread &thread = s.threads[t];
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  switch (thread.phase) {
  case Phase::Ready:
  case Phase::AwaitsData:
  case Phase::AwaitsReply:
    return false; // a message ends it
  case Phase::Adds:
    keepSum(s, t);
    thread.phase = Phase::Settles;
    return true;
  case Phase::Settles:
    return settle(s, t);
  case Phase::Drains:
    if (node.requestsInFlight)
      return false;
    thread.phase = Phase::WantsFlush;
    return true;
  case Phase::WantsFlush:
    return beginFlush(s, t);
  case Phase::Flushes:
    return visitBlock(s, t);
  case Phase::FlushesBlock:
    finishBlock(s, t);
    return true;
  case Phase::Postponed:
    for (unsigned b = 0; b < kBlocks; ++b)
      if ((thread.postponed >> b & 1) && isFetching(node.blocks[b].state))
        return false;
    thread.work = std::exchange(thread.postponed, std::uint8_t(0));
    thread.phase = Phase::Flushes;
    return visitBlock(s, t);
  case Phase::AwaitsAcks: {
    const bool gives = operationOf(s, t).kind == Operation::Give && !thread.acquiring;
    for (unsigned other = 0; other < nodes_; ++other)
      if (!(gives && mayTake(operationOf(s, t), other)) &&
          !thread.needs[other].isMet(node.peers[other]))
        return false;
    if (thread.acquiring) {
      std::fill_n(thread.needs, kMaxNodes, Need{});
      thread.phase = Phase::DropsCopies;
      return true;
    }
    if (gives)
      giveFlag(s, t);
    else
      checkReleased(s, t);
    finish(s, t);
    return true;
  }
  case Phase::AwaitsPeers:
    for (unsigned other = 0; other < nodes_; ++other)
      if (!thread.needs[other].isMet(node.peers[other]) ||
          (rules_.acquiresWaitForPuts && !node.peers[other].hasAllSaid()))
        return false;
    std::fill_n(thread.needs, kMaxNodes, Need{});
    return continueAcquire(s, t);
  case Phase::AwaitsFetches:
    if (node.untrackedFetching)
      return false;
    if (node.untrackedDirty) {
      syncPoint(s, t);
      thread.phase = Phase::WantsFlush;
      return true;
    }
    [[fallthrough]];
  case Phase::DropsCopies:
    return dropForeignCopies(s, t);
  case Phase::Arrives:
    if (node.locked)
      return false;
    arrive(s, t);
    return true;
  case Phase::AwaitsReports:
    if (node.locked || !meet(s, t))
      return false;
    thread.phase = Phase::AwaitsSent;
    return true;
  case Phase::AwaitsSent: {
    const bool invalidates =
        node.isDone ? rules_.leaveFollowsInvalidates : rules_.doneFollowsInvalidates;
    for (const Peer &peer : peersOf(s, n))
      if ((rules_.doneFollowsPuts && !peer.hasAllPuts()) ||
          (invalidates && !peer.hasAllInvalidates()))
        return false;
    if (node.locked)
      return false;
    goOnInBarrier(s, t);
    return true;
  }
  }
  return false;
}

/// The inline check reads the states without any lock; a miss takes the node's.
static Event eventOfCheck(Operation::Kind check, BlockState state, const BlockTraits &block) {
  switch (check) {
  case Operation::CheckOverwrite:
  case Operation::CheckRewrite:
    return classifyOverwrite(state, block.untracked, /*reads=*/check == Operation::CheckRewrite);
  case Operation::CheckWrite:
    return classifyWrite(state, block.untracked, block.dense);
  default:
    return classifyMiss(/*write=*/false);
  }
}

bool World::check(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  const Operation &operation = operationOf(s, t);
  const bool write = operation.kind != Operation::CheckRead;
  const std::uint8_t blocks = operation.value;
  const std::uint8_t wanted = write ? kWriteMisses : kReadMisses;
  std::uint8_t missing = 0;
  for (unsigned b = 0; b < kBlocks; ++b)
    if ((blocks >> b & 1) && (missBits(node.blocks[b].state) & wanted))
      missing |= std::uint8_t(1u << b);
  if (missing && (node.locked || node.mayMove))
    return false;
  for (unsigned b = 0; b < kBlocks; ++b)
    if (missing >> b & 1) {
      Context context;
      context.thread = t;
      step(s, n, b, eventOfCheck(operation.kind, node.blocks[b].state, traits(b)), context);
      if (!(s.threads[t].awaits >> b & 1) && (missBits(node.blocks[b].state) & wanted))
        fail("a miss ends without its permission");
    }
  if (s.threads[t].awaits)
    s.threads[t].phase = Phase::AwaitsData;
  else
    finish(s, t);
  return true;
}

bool World::prefetch(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (node.locked || node.mayMove)
    return false;
  for (unsigned b = 0; b < kBlocks; ++b)
    if ((operationOf(s, t).value >> b & 1) && node.blocks[b].state == BlockState::Invalid) {
      Context context;
      step(s, n, b, Event::Prefetch, context);
    }
  finish(s, t);
  return true;
}

/// Any acquire, also that at the end of a barrier. What it asks is asked without the lock.
bool World::beginAcquire(State &s, unsigned t) {
  Node &node = s.nodes[nodeOf(t)];
  syncPoint(s, t);
  for (BlockCopy &copy : node.blocks)
    copy.leased = rules_.acquiresEndLeases ? 0 : copy.leased;
  s.threads[t].seen = std::max(s.threads[t].seen, s.told);
  s.threads[t].acquiring = true;
  if (!(node.entered != node.completed && rules_.acquiresInBarriersAsk) &&
      !(node.following && rules_.followersAsk))
    return continueAcquire(s, t);
  askAllPeers(
      peersOf(s, nodeOf(t)), nodeOf(t),
      [&](std::size_t other) { askForPuts(s, nodeOf(t), unsigned(other)); },
      [&](std::size_t other, Need need) { s.threads[t].needs[other] = need; });
  s.threads[t].phase = Phase::AwaitsPeers;
  return true;
}

bool World::continueAcquire(State &s, unsigned t) {
  Node &node = s.nodes[nodeOf(t)];
  const bool waits =
      (node.untrackedDirty || node.untrackedFetching) && rules_.acquireEndsUntrackedWrites;
  s.threads[t].phase = waits ? Phase::AwaitsFetches : Phase::DropsCopies;
  if (!waits && !node.foreignCopies)
    finish(s, t);
  return true;
}

bool World::dropForeignCopies(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (node.foreignCopies && rules_.acquireDropsForeignCopies) {
    if (node.locked)
      return false;
    for (unsigned b = 0; b < kBlocks; ++b)
      if (node.foreignCopies >> b & 1) {
        Context context;
        if (isDroppedByAcquire(node.blocks[b].state))
          step(s, n, b, Event::Invalidate, context);
      }
    node.foreignCopies = 0;
  }
  finish(s, t);
  return true;
}

} // namespace ompdsm::sim
