// Threads.cpp: what a thread does: checks, accesses, acquires (Misses.cpp, and parts of
// Releases.cpp and Engine.cpp of the engine).
#include "protocol/sim/simulator/Port.h"
#include <algorithm>

namespace ompdsm::simulator {

namespace {
void add(std::vector<Range> &ranges, const Range &range) {
  if (std::none_of(ranges.begin(), ranges.end(), [&](const Range &r) { return r.covers(range); }))
    ranges.push_back(range);
}
} // namespace

Task Simulation::runThread(SimThread &thread) {
  const std::vector<Operation> &operations = thread.program.operations;
  const Time slowness = nodeOf(thread).slowness;
  for (; thread.at < operations.size(); ++thread.at) {
    const Time rest = scenario_.mostPause ? thread.dice.next() % scenario_.mostPause : 0;
    co_await pause(thread, (kNanosecond + rest) * slowness);
    co_await perform(thread, operations[thread.at]);
    if (operations[thread.at].synchronises())
      co_await makeRoom(thread, /*synchronised=*/true);
  }
  goOffline(thread);
  thread.isDone = true;
  notify(nodeOf(thread));
}

Task Simulation::perform(SimThread &thread, const Operation &operation) {
  switch (operation.kind) {
  case Operation::CheckRead:
  case Operation::CheckWrite:
  case Operation::CheckOverwrite:
    if (operation.kind == Operation::CheckOverwrite)
      noteOverwriting(operation.range);
    co_await ensure(thread, operation.range, operation.kind);
    co_await makeRoom(thread, /*synchronised=*/false);
    break;
  case Operation::Prefetch:
    co_await prefetch(thread, operation.range);
    break;
  case Operation::Load:
  case Operation::RawLoad:
    load(thread, operation);
    break;
  case Operation::Store:
  case Operation::RawStore:
    store(thread, operation);
    break;
  case Operation::AtomicAdd:
    co_await atomic(thread, {AtomicOperation::Add, operation.value, operation.range.begin});
    break;
  case Operation::AtomicLoad:
    co_await atomic(thread, {AtomicOperation::Load, 0, operation.range.begin});
    break;
  case Operation::ProposeHome: {
    co_await lockEngine(thread);
    const BlockId block = space_.blockAt(operation.range.begin);
    if (Node &node = nodeOf(thread); homeOf(node, block) == node.self)
      noteWriter(node, block, NodeId(operation.name));
    break;
  }
  case Operation::Release:
    co_await release(thread);
    break;
  case Operation::Post:
    co_await release(thread);
    setFlag(thread, operation.name);
    break;
  case Operation::Await:
    co_await until(thread, [&] { return bool(nodeOf(thread).flags[operation.name]); });
    co_await acquire(thread);
    break;
  case Operation::Tell:
    co_await release(thread);
    co_await atomic(thread, {AtomicOperation::Set, 1, operation.range.begin});
    break;
  case Operation::Watch:
    co_await watch(thread, operation.range.begin);
    break;
  case Operation::Lock:
    co_await lock(thread, operation.name);
    break;
  case Operation::Unlock:
    co_await unlock(thread, operation.name);
    break;
  case Operation::Barrier:
    co_await barrier(thread, operation.range);
    break;
  }
}

/// Until the engine's lock is free; it is held over virtual time only between the halves of a
/// flush.
Task Simulation::lockEngine(SimThread &thread) {
  const Node &node = nodeOf(thread);
  while (node.lockedUntil != 0)
    co_await pause(thread, node.lockedUntil + 1 - std::min(now_, node.lockedUntil));
}

Task Simulation::waitForMoves(SimThread &thread) {
  Node &node = nodeOf(thread);
  co_await lockEngine(thread);
  while (node.homesMayMove) {
    co_await until(thread, [&] { return !node.homesMayMove; });
    co_await lockEngine(thread);
  }
}

/// The inline check reads the states without any lock; a miss takes the node's.
Task Simulation::ensure(SimThread &thread, Range range, Operation::Kind check) {
  Node &node = nodeOf(thread);
  const bool write = check != Operation::CheckRead;
  const std::uint8_t wanted = write ? kWriteMisses : kReadMisses;
  const auto misses = [&](BlockId block) { return missBits(copyOf(node, block).state) & wanted; };
  const auto grant = [&] {
    add(thread.readable, range);
    if (write)
      add(thread.writable, range);
  };
  bool isMiss = false;
  forEachBlock(range, [&](BlockId block) { isMiss |= misses(block) != 0; });
  if (!isMiss) {
    grant();
    co_return;
  }
  const Time begin = now_;
  co_await waitForMoves(thread);
  MissWaiter waiter;
  forEachBlock(range, [&](BlockId block) {
    if (!misses(block))
      return;
    const unsigned before = waiter.remaining;
    StepContext context;
    context.thread = &thread;
    context.waiter = &waiter;
    const BlockState state = copyOf(node, block).state;
    const bool isUntracked = space_.areaOf(block).untracked;
    const bool isWhole =
        check == Operation::CheckOverwrite && range.covers(space_.block(block).range);
    step(node, block,
         isWhole ? classifyOverwrite(state, isUntracked, /*reads=*/false)
         : write ? classifyWrite(state, isUntracked, isDense(node, block))
                 : Event::ReadMiss,
         context);
    if (waiter.remaining == before && misses(block))
      fail("a miss ends without its permission", block, &node);
    if (copyOf(node, block).state == BlockState::Whole)
      noteFilled(node, block);
    checkCopy(node, block);
  });
  postGets(node);
  grant();
  co_await until(thread, [&] { return waiter.remaining == 0; });
  Span &span = outcome_.statistics.misses;
  ++span.count;
  span.time += now_ - begin;
}

Task Simulation::prefetch(SimThread &thread, Range range) {
  Node &node = nodeOf(thread);
  co_await waitForMoves(thread);
  forEachBlock(range, [&](BlockId block) {
    StepContext context;
    if (copyOf(node, block).state == BlockState::Invalid)
      step(node, block, Event::Prefetch, context);
  });
  postGets(node);
}

void Simulation::load(SimThread &thread, const Operation &operation) {
  Node &node = nodeOf(thread);
  forEachBlock(operation.range, [&](BlockId block) {
    const Range &range = space_.block(block).range;
    const Bytes &memory = memoryOf(copyOf(node, block), block);
    for (std::uint32_t byte = std::max(range.begin, operation.range.begin);
         byte < std::min(range.end, operation.range.end); ++byte)
      checkFound(thread, byte, memory[byte - range.begin]);
    if (isTraced(block))
      note(block, "node " + std::to_string(node.self) + ", thread " + std::to_string(thread.index) +
                      ": " + toString(operation));
  });
  if (operation.kind == Operation::Load)
    add(thread.touched, operation.range);
}

void Simulation::store(SimThread &thread, const Operation &operation) {
  Node &node = nodeOf(thread);
  const bool isRaw = operation.kind == Operation::RawStore;
  if (!isRaw && std::none_of(thread.writable.begin(), thread.writable.end(),
                             [&](const Range &r) { return r.covers(operation.range); }))
    fail("the program is wrong: a store without permission");
  forEachBlock(operation.range, [&](BlockId block) {
    const Range &range = space_.block(block).range;
    Bytes &memory = memoryOf(copyOf(node, block), block);
    for (std::uint32_t byte = std::max(range.begin, operation.range.begin);
         byte < std::min(range.end, operation.range.end); ++byte) {
      const std::uint8_t value = storedByte(operation.value, byte);
      memory[byte - range.begin] = truth_[byte] = value;
      writer_[byte] = isRaw ? kNobody : std::uint16_t(thread.index);
    }
    if (isTraced(block))
      note(block, "node " + std::to_string(node.self) + ", thread " + std::to_string(thread.index) +
                      ": " + toString(operation));
  });
  if (!isRaw) {
    add(thread.touched, operation.range);
    add(thread.unreleased, operation.range);
  }
}

void Simulation::syncPoint(SimThread &thread) {
  nodeOf(thread).clock.syncPoint(thread.quiescentAt);
  thread.forgetPermissions();
}

void Simulation::goOffline(SimThread &thread) {
  Clock::goOffline(thread.quiescentAt);
  thread.forgetPermissions();
}

Task Simulation::goOnline(SimThread &thread) {
  co_await lockEngine(thread);
  nodeOf(thread).clock.goOnline(thread.quiescentAt);
  co_await acquire(thread);
}

Task Simulation::acquire(SimThread &thread) {
  Node &node = nodeOf(thread);
  syncPoint(thread);
  if (node.enteredEpoch != node.completedEpoch && rules_.acquiresInBarriersAsk)
    co_await askPeers(thread);
  if ((node.untrackedDirty || node.untrackedFetching) && rules_.acquireEndsUntrackedWrites) {
    co_await until(thread, [&] { return node.untrackedFetching == 0; });
    if (node.untrackedDirty)
      co_await release(thread);
  }
  if (node.foreignCopies.empty() || !rules_.acquireDropsForeignCopies)
    co_return;
  co_await lockEngine(thread);
  StepContext context;
  for (BlockId block : std::exchange(node.foreignCopies, {}))
    if (isDroppedByAcquire(copyOf(node, block).state))
      step(node, block, Event::Invalidate, context);
}

bool Simulation::othersOffline(const Node &node, const SimThread *except) const {
  return std::all_of(node.threads.begin(), node.threads.end(), [&](const SimThread *thread) {
    return thread == except || Clock::isQuiet(thread->quiescentAt, Clock::kOffline);
  });
}

} // namespace ompdsm::simulator
