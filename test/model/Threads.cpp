// Threads.cpp: what the threads of the small world do: checks, releases, atomic operations.
#include "test/model/World.h"

namespace ompdsm::model {

bool World::advance(State &s, unsigned t) {
  unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  Thread &thread = s.threads[t];
  const Operation &operation = litmus_.threads[t].operations[thread.pc];
  auto synchronise = [&] { node.quiet |= 1u << t; };
  switch (operation.kind) {
  case Operation::CheckRead:
  case Operation::CheckWrite:
    return check(s, t, operation.kind == Operation::CheckWrite);
  case Operation::Prefetch:
    if (node.locked)
      return false;
    if (node.state == BlockState::Invalid) {
      Context context;
      step(s, n, Event::Prefetch, context);
    }
    break;
  case Operation::Load:
    expect(node.memory[operation.byte], operation.value);
    break;
  case Operation::Store:
    node.memory[operation.byte] = operation.value;
    break;
  case Operation::Post:
    synchronise();
    s.flags |= 1u << operation.byte;
    break;
  case Operation::Wait:
    if (thread.phase != Phase::Ready)
      return advanceRelease(s, t);
    if (!(s.flags >> operation.byte & 1))
      return false;
    synchronise();
    if (litmus_.untracked && n && rules_.acquireEndsUntrackedWrites) {
      if (isFetching(node.state))
        return false;
      if (node.state == BlockState::Dirty) {
        thread.phase = Phase::Synchronised; // the acquire is a release, too
        return true;
      }
    }
    break;
  case Operation::Release:
    if (thread.phase != Phase::Ready)
      return advanceRelease(s, t);
    synchronise(); // before it gets its turn to flush
    thread.phase = Phase::Synchronised;
    return true;
  case Operation::Exchange:
  case Operation::AtomicLoad:
    return atomic(s, t, operation);
  }
  finish(s, t);
  return true;
}

/// The inline check reads the state without any lock; a miss takes the node's.
bool World::check(State &s, unsigned t, bool write) {
  Node &node = s.nodes[nodeOf(t)];
  if (s.threads[t].phase == Phase::AwaitsData)
    return false;
  if (missBits(node.state) & (write ? kWriteMisses : kReadMisses)) {
    if (node.locked)
      return false;
    Context context;
    context.thread = t;
    step(s, nodeOf(t), classifyMiss(write, litmus_.untracked), context);
    if (context.awaits) {
      s.threads[t].phase = Phase::AwaitsData;
      return true;
    }
  }
  finish(s, t);
  return true;
}

bool World::advanceRelease(State &s, unsigned t) {
  unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  Thread &thread = s.threads[t];
  bool sent = false;
  switch (thread.phase) {
  case Phase::Synchronised:
    // One flush of a node at a time.
    for (unsigned other = 0; other < litmus_.threads.size(); ++other)
      if (nodeOf(other) == n &&
          (s.threads[other].phase == Phase::Flushes || s.threads[other].phase == Phase::Postponed))
        return false;
    [[fallthrough]];
  case Phase::Postponed:
    if (node.locked || (thread.phase == Phase::Postponed && isFetching(node.state)))
      return false;
    if (node.listed) {
      node.locked = true;
      if (rules_.quietBeforeSnapshot)
        node.lockQuiet = isQuiet(s, n, int(t));
      else
        std::copy_n(node.memory, kBytes, node.snapshot);
      thread.phase = Phase::Flushes;
      return true;
    }
    break;
  case Phase::Flushes:
    if (!flushHalf(s, t, sent))
      return true;
    break;
  default: // AwaitsAcks
    if (node.acksReceived < thread.needAcks)
      return false;
    for (unsigned other = 1; other < kNodes; ++other)
      if (node.invalidatesConfirmed[other] < thread.needConfirmed[other])
        return false;
    finish(s, t);
    return true;
  }
  if (!sent && !rules_.releaseWaitsForNode) {
    finish(s, t);
    return true;
  }
  thread.phase = Phase::AwaitsAcks;
  thread.needAcks = node.acksWanted;
  std::copy_n(node.invalidatesSent, kNodes, thread.needConfirmed);
  return true;
}

/// The second half of a flush: threads store and synchronise between the two, under no lock. False
/// if the flush has to wait for a fetch.
bool World::flushHalf(State &s, unsigned t, bool &sent) {
  unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  if (rules_.quietBeforeSnapshot)
    std::copy_n(node.memory, kBytes, node.snapshot);
  else
    node.lockQuiet = isQuiet(s, n, int(t));
  const Node before = node;
  Context context;
  flush(s, n, node.lockQuiet, context);
  sent = node.acksWanted != before.acksWanted ||
         !std::equal(node.invalidatesSent, node.invalidatesSent + kNodes, before.invalidatesSent);
  node.locked = node.lockQuiet = false;
  std::fill_n(node.snapshot, kBytes, std::uint8_t(0));
  if (context.postponed)
    s.threads[t].phase = Phase::Postponed;
  return !context.postponed;
}

bool World::atomic(State &s, unsigned t, const Operation &operation) {
  unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  bool writes = operation.kind == Operation::Exchange;
  if (s.threads[t].phase == Phase::AwaitsReply || node.locked || isFetching(node.state))
    return false;
  if (n == 0) {
    Context context;
    step(s, 0, classifyMiss(writes, litmus_.untracked), context);
    if (writes)
      node.memory[operation.byte] = operation.value;
    else
      expect(node.memory[operation.byte], operation.value);
    finish(s, t);
    return true;
  }
  if (node.hasTwin) {
    std::copy_n(node.memory, kBytes, node.snapshot);
    Context context;
    flush(s, n, isQuiet(s, n, rules_.atomicKeepsOwnPermissions ? -1 : int(t)), context);
    std::fill_n(node.snapshot, kBytes, std::uint8_t(0));
  }
  Message message{};
  message.kind = Kind::Atomic;
  message.thread = std::uint8_t(t);
  message.byte = operation.byte;
  message.mask = writes;
  message.bytes[0] = operation.value;
  send(s, n, 0, message);
  s.threads[t].phase = Phase::AwaitsReply;
  return true;
}

/// Whether no thread but `except` can hold a permission: none is online while W is open, else none
/// that has not synchronised since W was revoked. A thread is online until its program ends.
bool World::isQuiet(const State &s, unsigned n, int except) const {
  bool open = !(missBits(s.nodes[n].state) & kWriteMisses);
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (nodeOf(t) == n && int(t) != except && !isDone(s, t) &&
        (open || !(s.nodes[n].quiet >> t & 1)))
      return false;
  return true;
}

} // namespace ompdsm::model
