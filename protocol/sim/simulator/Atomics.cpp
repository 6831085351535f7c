// Atomics.cpp: an atomic operation happens in the home's memory (AtomicOperations.cpp of the
// engine).
#include "protocol/sim/simulator/Port.h"
#include "protocol/sim/simulator/WireSizes.h"

namespace ompdsm::simulator {

Task Simulation::atomic(SimThread &thread, AtomicOperation operation) {
  Node &node = nodeOf(thread);
  const BlockId block = space_.blockAt(operation.byte);
  for (;;) {
    co_await lockEngine(thread);
    Copy &copy = copyOf(node, block);
    const NodeId home = homeOf(node, block);
    const AtomicWay way = classifyAtomicCall(node.homesMayMove, home == node.self, copy.state,
                                             operation.kind != AtomicOperation::Add);
    StepContext context;
    if (way == AtomicWay::AwaitMoves) {
      co_await until(thread, [&] { return !node.homesMayMove; });
      continue;
    }
    if (way == AtomicWay::AwaitFetch) {
      co_await until(thread, [&] { return !isFetching(copy.state); });
      continue;
    }
    if (way == AtomicWay::InPlace) {
      // An ordinary access of the home under its own permission, found at its release.
      context.thread = &thread;
      step(node, block, classifyMiss(operation.mayWrite(), space_.areaOf(block).untracked),
           context);
      std::uint8_t &byte = memoryOf(copy, block)[operation.byte - space_.block(block).range.begin];
      checkFound(thread, operation.byte, byte);
      thread.atomicOld = byte;
      if (operation.mayWrite()) {
        byte = truth_[operation.byte] = operation.resultOf(byte);
        writer_[operation.byte] = std::uint16_t(thread.index);
        thread.unreleased.push_back({operation.byte, operation.byte + 1});
      }
      co_return;
    }
    const bool isPut = way == AtomicWay::Put;
    if (way == AtomicWay::FlushThenAsk || isPut) {
      context.acknowledged = true;
      if (!rules_.atomicKeepsOwnPermissions)
        context.thread = &thread;
      Port port(*this, node, block, context);
      if (flushBlock(port) == FlushResult::Postponed)
        fail("the flush before an atomic operation is postponed", block, &node);
      postCollected(node, /*acknowledged=*/true);
    }
    if (isPut && copy.state != BlockState::Invalid && rules_.updatesEndCopies)
      step(node, block, Event::Invalidate, context);
    Message message{node.self, home, isPut ? Kind::AtomicPut : Kind::Atomic};
    message.epoch = node.completedEpoch;
    message.name = thread.index;
    auto body = std::make_shared<Body>();
    body->atomic = operation;
    message.body = std::move(body);
    if (isPut) {
      if (rules_.updatesAreCounted)
        node.peers[home].onPutSent(/*wantsAck=*/false, /*tellsOthers=*/true);
      if (rules_.pushesCrossNoUpdates)
        copy.latestPut = node.peers[home].putsSent.get();
      send(std::move(message), wire::kRequestHead + wire::kAtomicPut);
      co_return;
    }
    ++node.requestsInFlight;
    thread.replied = false;
    send(std::move(message), wire::kRequestHead + wire::kAtomic);
    break;
  }
  co_await until(thread, [&] { return thread.replied; });
}

/// A program that spins on a flag.
Task Simulation::watch(SimThread &thread, std::uint32_t byte) {
  constexpr Time kShortest = 2 * kMicrosecond, kLongest = 256 * kMicrosecond;
  for (Time rest = kShortest;; rest = std::min(2 * rest, kLongest)) {
    co_await atomic(thread, {AtomicOperation::Load, 0, byte});
    if (thread.atomicOld)
      break;
    co_await pause(thread, rest);
  }
  co_await acquire(thread);
}

} // namespace ompdsm::simulator
