// Oracle.cpp: what must hold: each load finds the last store (G3), G1, G2 and G4 of ARCHITECTURE
// section 2, the directory, twins, and that a run ends and leaves nothing behind.
#include "protocol/core/Print.h"
#include "protocol/sim/simulator/Simulation.h"
#include <algorithm>

namespace ompdsm::simulator {

namespace {
/// Of a block that is checked all over.
constexpr std::size_t kNodesPerCheck = 16;

std::string differs(std::uint32_t byte, unsigned found, unsigned wanted) {
  return "byte " + std::to_string(byte) + " is " + std::to_string(found) + ", not " +
         std::to_string(wanted);
}
} // namespace

void Simulation::checkFound(const SimThread &thread, std::uint32_t byte, std::uint8_t found) {
  if (found == truth_[byte])
    return;
  const bool isRaw = space_.areaOf(space_.blockAt(byte)).isRaw(byte);
  fail((isRaw ? "G1: uninstrumented code finds that " : "G3: a load finds that ") +
           differs(byte, found, truth_[byte]) + "; thread " + std::to_string(thread.index),
       space_.blockAt(byte), &nodes_[thread.program.node]);
}

/// G1: the protocol changes a byte of a node's memory. A thread that has used it under a permission
/// would see that; no other node may write it then.
void Simulation::checkOverwritten(const Node &node, std::uint32_t byte, std::uint8_t before,
                                  std::uint8_t after) {
  for (const SimThread *thread : node.threads)
    for (const Range &range : thread->touched)
      if (range.contains(byte))
        fail("G1: a byte that thread " + std::to_string(thread->index) +
                 " uses under a permission changes: " + differs(byte, after, before),
             space_.blockAt(byte), &node);
}

/// G2: what the thread has stored since its last release is at the home.
/// `mayBeUnderWay`: to a home that is still in the barrier that this node has left, and that waits
/// for it there and serves nobody. Then it is looked at next time.
void Simulation::checkReleased(SimThread &thread, bool mayBeUnderWay) {
  // What a barrier has sent may be under way until its home leaves that, also at a later release.
  const std::vector<Range> before = std::exchange(thread.underWay, {});
  for (const Range &range : before)
    checkReleased(thread, range, /*mayBeUnderWay=*/true);
  for (const Range &range : std::exchange(thread.unreleased, {}))
    checkReleased(thread, range, mayBeUnderWay);
}

void Simulation::checkReleased(SimThread &thread, Range range, bool mayBeUnderWay) {
  const Node &node = nodeOf(thread);
  for (std::uint32_t byte = range.begin; byte < range.end; ++byte) {
    if (writer_[byte] != thread.index)
      continue;
    const BlockId block = space_.blockAt(byte);
    Node &home = nodes_[homeOf(node, block)];
    if (mayBeUnderWay && home.completedEpoch < node.completedEpoch) {
      thread.underWay.push_back({byte, byte + 1});
      continue;
    }
    const std::uint8_t there =
        memoryOf(copyOf(home, block), block)[byte - space_.block(block).range.begin];
    if (there != truth_[byte])
      fail("G2: a byte that thread " + std::to_string(thread.index) +
               " has released is not at its home: " + differs(byte, there, truth_[byte]),
           block, &home);
  }
}

/// Another thread's flush may send what the bytes have until they are stored, and nobody may read.
void Simulation::noteOverwriting(Range range) {
  std::fill(writer_.begin() + range.begin, writer_.begin() + range.end, kNobody);
}

/// G4: the node gives a block away, and nobody would find what is stored there under a permission.
void Simulation::checkUnmoved(const Node &node, BlockId block) {
  for (const SimThread *thread : node.threads)
    for (const Range &range : thread->writable)
      if (range.overlaps(space_.block(block).range))
        fail("G4: a home moves under a permission of thread " + std::to_string(thread->index),
             block, &node);
}

/// G4: memory of the node goes, while one thread synchronises.
void Simulation::checkUnused(const Node &node, BlockId block, const SimThread *except) {
  for (const SimThread *thread : node.threads)
    for (const std::vector<Range> *held : {&thread->readable, &thread->writable})
      for (const Range &range : *held)
        if (thread != except && range.overlaps(space_.block(block).range))
          fail("G4: memory goes under a permission of thread " + std::to_string(thread->index),
               block, &node);
}

void Simulation::checkCopy(const Node &node, BlockId block) {
  const auto found = node.copies.find(block);
  if (found == node.copies.end())
    return;
  const Copy &copy = found->second;
  const Record *record = copy.record.get();
  if ((record && record->hasTwin()) != keepsTwin(copy.state))
    fail(std::string("a state and its twin disagree: ") + ompdsm::nameOf(copy.state), block, &node);
  if ((record && !record->served.empty()) != (copy.state == BlockState::HomeServed))
    fail(std::string("a state and its digest disagree: ") + ompdsm::nameOf(copy.state), block,
         &node);
  if (copy.state == BlockState::Exclusive && record && !record->sharers.empty())
    fail("an untracked block has sharers", block, &node);

  const Node &home = nodes_[homeOf(node, block)];
  const bool isQuiet = node.enteredEpoch == node.completedEpoch &&
                       home.enteredEpoch == home.completedEpoch &&
                       node.completedEpoch == home.completedEpoch;
  if (isQuiet && isHomeState(copy.state) != (&home == &node))
    fail("a state of a home where there is none, or the other way round", block, &node);
  // Nobody else may write what a thread overwrites, so nobody need know that it is there.
  if (&home == &node || (missBits(copy.state) & kReadMisses) || isHomeState(copy.state) ||
      copy.state == BlockState::Whole)
    return;
  const auto master = home.copies.find(block);
  if (master != home.copies.end() && master->second.record &&
      master->second.record->sharers.contains(node.self))
    return;
  if (!isQuiet || node.invalidationsUnderWay.contains(block) ||
      node.overwritesUnderWay.contains(block))
    return;
  fail("a reader that its home does not know", block, &node);
}

void Simulation::checkBlock(BlockId block) {
  const std::size_t count = std::min(nodes_.size(), kNodesPerCheck);
  const std::size_t first = dice_.below(unsigned(nodes_.size()));
  for (std::size_t i = 0; i < count; ++i)
    checkCopy(nodes_[(first + i) % nodes_.size()], block);
}

void Simulation::checkEnd() {
  for (const SimThread &thread : threads_)
    if (!thread.isDone)
      fail("deadlock: thread " + std::to_string(thread.index) + " waits in " +
               toString(thread.program.operations[thread.at]),
           {}, &nodes_[thread.program.node]);
  for (Node &node : nodes_) {
    if (!node.answers.empty() || !node.held.empty())
      fail("an answer was never sent, or a request never served", {}, &node);
    if (node.requestsInFlight || node.flushing || !node.invalidationsUnderWay.empty() ||
        !node.overwritesUnderWay.empty())
      fail("the end is not quiet", {}, &node);
    for (const auto &[other, outgoing] : node.outgoing)
      if (!outgoing.isEmpty())
        fail("a message was never sent", {}, &node);
    for (const Peer &peer : node.peers)
      if (peer.acksReceived.get() != peer.acksWanted.get())
        fail("a Put was never acknowledged", {}, &node);
    for (auto &[block, copy] : node.copies) {
      checkCopy(node, block);
      if (isFetching(copy.state) || (copy.record && !copy.record->waiters.empty()))
        fail("a fetch never ended", block, &node);
      if (isListed(copy.state) &&
          std::find(node.dirty.begin(), node.dirty.end(), block) == node.dirty.end())
        fail("a block with a twin is not on the dirty list", block, &node);
      const bool isHome = homeOf(node, block) == node.self;
      const Area &area = space_.areaOf(block);
      if ((missBits(copy.state) & kReadMisses) || (!isHome && area.foreign))
        continue;
      const Range &range = space_.block(block).range;
      const Bytes &memory = memoryOf(copy, block);
      for (std::uint32_t byte = range.begin; byte < range.end; ++byte)
        if (memory[byte - range.begin] != truth_[byte] && (isHome || !area.isRaw(byte)))
          fail("at the end, a valid copy has not the last value: " +
                   differs(byte, memory[byte - range.begin], truth_[byte]),
               block, &node);
    }
  }
}

} // namespace ompdsm::simulator
