// LoadsAndStores.cpp: accesses and atomic operations of the threads of the small world, in the
// order of the engine's AtomicOperations.cpp, and whether they find what was stored last.
#include "protocol/sim/World.h"
#include <span>

namespace ompdsm::sim {

void World::load(State &s, unsigned t, unsigned byte) {
  const std::uint8_t seen =
      s.nodes[nodeOf(t)].blocks[byte / kBlockBytes].memory[byte % kBlockBytes];
  const bool raw = operationOf(s, t).kind == Operation::RawLoad;
  const std::uint8_t wanted =
      raw ? s.raw[byte] : lastUpdateUnderWay(s, byte).value_or(s.truth[byte]);
  if (seen != wanted)
    fail((raw ? "G1: uninstrumented code finds " : "G3: a thread reads ") + std::to_string(seen) +
         ", not " + std::to_string(wanted));
}

std::optional<std::uint8_t> World::lastUpdateUnderWay(const State &s, unsigned byte,
                                                      unsigned thread) const {
  if (const std::optional<Sum> sum = sumUnderWay(s, byte, thread))
    return sum->value;
  for (unsigned i = s.messageCount; i-- > 0;)
    if (const Message &message = s.messages[i];
        message.kind == Kind::AtomicPut && !message.whole &&
        message.block * kBlockBytes + message.mask == byte &&
        (thread == kMaxThreads || message.thread == thread))
      return message.resultOf(s.truth[byte]);
  return std::nullopt;
}

void World::store(State &s, unsigned t, unsigned byte, std::uint8_t value, bool raw) {
  // What the node stores leaves behind its update.
  for (Message &message : std::span(s.messages, s.messageCount))
    if (message.kind == Kind::AtomicPut && message.from == nodeOf(t) &&
        message.block * kBlockBytes + message.mask == byte)
      message.whole = true;
  if (lastUpdateUnderWay(s, byte).value_or(value) != value)
    fail("G3: a thread stores before an update that comes first");
  put(s, t, byte, value, raw);
}

void World::put(State &s, unsigned t, unsigned byte, std::uint8_t value, bool raw) {
  s.nodes[nodeOf(t)].blocks[byte / kBlockBytes].memory[byte % kBlockBytes] = value;
  if (raw)
    s.raw[byte] = value;
  s.truth[byte] = raw && !traits(byte / kBlockBytes).foreign ? State::kUndefined : value;
}

bool World::atomic(State &s, unsigned t) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  const Operation &operation = operationOf(s, t);
  const unsigned block = operation.byte / kBlockBytes;
  const bool adds = operation.kind == Operation::Add;
  const bool raises = operation.kind == Operation::Raise;
  const bool isAnswered = operation.kind != Operation::AtomicStore && !adds && !raises;
  const bool writes = operation.kind != Operation::AtomicLoad;
  BlockCopy &copy = node.blocks[block];
  if (node.locked)
    return false;
  const AtomicWay way = classifyAtomicCall(node.mayMove, node.homes[block] == n, copy.state,
                                           isAnswered, adds && !traits(block).untracked);
  if (way == AtomicWay::AwaitMoves || way == AtomicWay::AwaitFetch)
    return false;
  const unsigned inBlock = operation.byte % kBlockBytes;
  if (way == AtomicWay::Ask && !writes && (copy.leased >> inBlock & 1) &&
      !(missBits(copy.state) & kReadMisses)) {
    const std::uint8_t value = copy.memory[operation.byte % kBlockBytes];
    if (operation.byte == 0 && value < s.threads[t].seen)
      fail("G3: an atomic load reads " + std::to_string(value) + " behind " +
           std::to_string(s.threads[t].seen));
    see(s, t, operation.byte, value);
    finish(s, t);
    return true;
  }
  if (way == AtomicWay::Sum) {
    Context context;
    if (copy.state != BlockState::Summed)
      step(s, n, block, Event::Sum, context);
    keepSum(s, t);
    finish(s, t);
    return true;
  }
  if (rules_.asksEndLeases && !raises) // what a copy has then the byte may have had
    copy.leased &= std::uint8_t(~(1u << inBlock));
  if (way == AtomicWay::InPlace) {
    Context context;
    context.thread = t;
    step(s, n, block, classifyMiss(writes, traits(block).untracked), context);
    if (writes)
      put(s, t, operation.byte,
          raises ? std::max(operation.value, copy.memory[inBlock]) : operation.value, false);
    else if (copy.memory[operation.byte % kBlockBytes] != s.truth[operation.byte])
      fail("G3: an atomic load of the home reads an old value");
    see(s, t, operation.byte, copy.memory[operation.byte % kBlockBytes]);
    finish(s, t);
    return true;
  }
  if (way == AtomicWay::FlushThenAsk || way == AtomicWay::Put)
    flushUnderAtomic(s, t, block);
  if (way == AtomicWay::Put) {
    updateCopy(s, n, block, inBlock, operation.value, raises);
    putAtomic(s, t, block, std::uint8_t(inBlock), operation.value, raises);
    see(s, t, operation.byte, operation.value);
    finish(s, t);
    return true;
  }
  Message message{};
  message.from = std::uint8_t(n);
  message.to = node.homes[block];
  message.kind = Kind::Atomic;
  message.block = std::uint8_t(block);
  message.mask = std::uint8_t(operation.byte % kBlockBytes);
  message.bytes[0] = operation.value;
  message.epoch = node.completed;
  message.thread = std::uint8_t(t);
  message.flag = writes;
  ++node.requestsInFlight;
  send(s, message);
  s.threads[t].phase = Phase::AwaitsReply;
  return true;
}

/// What the node has changed leaves first.
void World::flushUnderAtomic(State &s, unsigned t, unsigned block) {
  Context context;
  if (!rules_.atomicKeepsOwnPermissions)
    context.thread = t;
  Access access(*this, s, nodeOf(t), block, context);
  if (flushBlock(access) == FlushResult::Postponed)
    fail("the flush before an atomic operation is postponed");
}

/// Before the node updates the block at its home.
void World::updateCopy(State &s, unsigned n, unsigned block, unsigned byte, std::uint8_t value,
                       bool raises) {
  BlockCopy &copy = s.nodes[n].blocks[block];
  if (keepsUpdated(copy.state, traits(block).untracked)) {
    if (rules_.keptCopiesAreUpdated)
      copy.memory[byte] = raises ? std::max(copy.memory[byte], value) : value;
  } else if (copy.state != BlockState::Invalid && rules_.updatesEndCopies) {
    Context context;
    step(s, n, block, Event::Invalidate, context);
  }
}

/// Of thread `t`, for which nobody waits.
void World::putAtomic(State &s, unsigned t, unsigned block, std::uint8_t byte, std::uint8_t value,
                      bool raises) {
  const unsigned n = nodeOf(t);
  Node &node = s.nodes[n];
  BlockCopy &copy = node.blocks[block];
  Message message{};
  message.from = std::uint8_t(n);
  message.to = node.homes[block];
  message.kind = Kind::AtomicPut;
  message.block = std::uint8_t(block);
  message.mask = byte;
  message.bytes[0] = value;
  message.epoch = node.completed;
  message.thread = std::uint8_t(t);
  message.flag = true;
  message.raises = raises;
  message.kept = keepsUpdated(copy.state, traits(block).untracked);
  Peer &home = node.peers[message.to];
  if (rules_.updatesAreCounted)
    home.onPutSent(/*wantsAck=*/false, /*tellsOthers=*/true);
  if (traits(block).comesWhole() && rules_.pushesCrossNoUpdates)
    copy.latestPut = home.putsSent.get();
  if (message.kept && traits(block).readers != 0 && rules_.changesCrossNoUpdates)
    copy.latestKept = home.putsSent.get();
  send(s, message);
}

/// Where the thread would ask the home; what the node has may be older than what it knows.
bool World::lease(State &s, unsigned t) {
  const unsigned n = nodeOf(t), block = operationOf(s, t).byte / kBlockBytes;
  Node &node = s.nodes[n];
  BlockCopy &copy = node.blocks[block];
  if (node.locked || node.mayMove)
    return false;
  if (classifyAtomicCall(node.mayMove, node.homes[block] == n, copy.state, /*isAnswered=*/true) ==
      AtomicWay::Ask) {
    copy.leased = (1u << kBlockBytes) - 1;
    Context context;
    if (copy.state != BlockState::Invalid && rules_.leasesAreFetched)
      step(s, n, block, Event::Invalidate, context);
  }
  finish(s, t);
  return true;
}

/// An atomic operation of the thread has found the value, or stored it or more.
void World::see(State &s, unsigned t, unsigned byte, std::uint8_t value) const {
  if (byte == 0 && leases_)
    s.threads[t].seen = std::max(s.threads[t].seen, value);
}

} // namespace ompdsm::sim
