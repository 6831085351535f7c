// Sums.cpp: additions that a node of the small world keeps beside a block (engine/Sums.h). A thread
// looks at the block's state, adds, and looks again, under no lock: others go on in between.
#include "protocol/sim/World.h"

namespace ompdsm::sim {

bool World::add(State &s, unsigned t) {
  const BlockCopy &copy = s.nodes[nodeOf(t)].blocks[operationOf(s, t).byte / kBlockBytes];
  if (copy.state != BlockState::Summed)
    return atomic(s, t);
  s.threads[t].phase = Phase::Adds;
  return true;
}

void World::keepSum(State &s, unsigned t) {
  const Operation &operation = operationOf(s, t);
  BlockCopy &copy = s.nodes[nodeOf(t)].blocks[operation.byte / kBlockBytes];
  copy.sums[operation.byte % kBlockBytes] = {operation.value, std::uint8_t(t)};
  see(s, t, operation.byte, operation.value);
}

/// The thread has added: if the state had ended by then, it sends what is there, which may be
/// others' too.
bool World::settle(State &s, unsigned t) {
  const unsigned n = nodeOf(t), byte = operationOf(s, t).byte, block = byte / kBlockBytes;
  Node &node = s.nodes[n];
  BlockCopy &copy = node.blocks[block];
  Sum &sum = copy.sums[byte % kBlockBytes];
  if (isSettled(copy.state) || !rules_.addersSettle) {
    finish(s, t);
    return true;
  }
  if (node.locked)
    return false;
  const AtomicWay way = classifyAtomicCall(node.mayMove, node.homes[block] == n, copy.state,
                                           /*isAnswered=*/false, /*sums=*/true);
  if (sum.value != 0 && (way == AtomicWay::AwaitMoves || way == AtomicWay::AwaitFetch))
    return false;
  Context context;
  if (sum.value != 0 && way == AtomicWay::Sum) {
    step(s, n, block, Event::Sum, context);
  } else if (sum.value != 0 && way == AtomicWay::InPlace) {
    context.thread = t;
    step(s, n, block, classifyMiss(/*write=*/true, traits(block).untracked), context);
    put(s, t, byte, std::exchange(sum, {}).value, false);
  } else if (sum.value != 0) {
    flushUnderAtomic(s, t, block);
    const Sum taken = std::exchange(sum, {});
    updateCopy(s, n, block, byte % kBlockBytes, taken.value);
    putAtomic(s, taken.thread, block, std::uint8_t(byte % kBlockBytes), taken.value);
  }
  finish(s, t);
  return true;
}

std::optional<Sum> World::sumUnderWay(const State &s, unsigned byte, unsigned thread) const {
  for (unsigned n = 0; n < nodes_; ++n)
    if (const Sum sum = s.nodes[n].blocks[byte / kBlockBytes].sums[byte % kBlockBytes];
        sum.value != 0 && (thread == kMaxThreads || sum.thread == thread))
      return sum;
  return std::nullopt;
}

/// What is kept leaves with the state, or with a thread that is about to look at it.
void World::checkSums(const State &s) {
  for (unsigned n = 0; n < nodes_; ++n)
    for (unsigned b = 0; b < kBlocks; ++b) {
      const BlockCopy &copy = s.nodes[n].blocks[b];
      bool settles = isSettled(copy.state);
      for (unsigned t = 0; t < litmus_.threads.size(); ++t)
        settles |= nodeOf(t) == n && s.threads[t].phase == Phase::Settles &&
                   operationOf(s, t).byte / kBlockBytes == b;
      for (const Sum &sum : copy.sums)
        if (sum.value != 0 && !settles)
          fail("G2: what was added is left behind");
    }
}

unsigned World::Access::collectSums() {
  unsigned messages = 0;
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (const Sum sum = std::exchange(copy().sums[i], {}); sum.value != 0) {
      world_.putAtomic(s_, sum.thread, b_, std::uint8_t(i), sum.value);
      ++messages;
    }
  return messages;
}

} // namespace ompdsm::sim
