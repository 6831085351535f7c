// Invariants.cpp: what holds in every state (G1 to G4 of ARCHITECTURE section 2, the directory,
// twins) and at the end of every run.
#include "protocol/core/Print.h"
#include "protocol/sim/World.h"
#include <cstring>

namespace ompdsm::sim {

Held World::heldBy(const State &s, unsigned t) const {
  Held held = holdings_[t][s.threads[t].pc];
  if (isDone(s, t) || (operationOf(s, t).isSynchronisation() && s.threads[t].phase != Phase::Ready))
    held.readable = held.writable = held.touched = 0;
  // Its own atomic operation may change the byte.
  if (const Phase phase = s.threads[t].phase;
      phase == Phase::AwaitsReply || phase == Phase::Settles)
    held.touched &= std::uint8_t(~(1u << operationOf(s, t).byte));
  return held;
}

/// G1: the protocol changes a byte of a node's memory. A thread that holds a permission and has
/// touched the byte in this interval would see it; no other node may write it then.
void World::checkOverwritten(const State &s, unsigned n, unsigned byte, std::uint8_t before,
                             std::uint8_t after) {
  if (before == after)
    return;
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (nodeOf(t) == n && (heldBy(s, t).touched >> byte & 1))
      fail("G1: a byte that a thread uses under a permission changes from " +
           std::to_string(before) + " to " + std::to_string(after));
}

/// G2: what the thread has stored since its last release is at the home.
void World::checkReleased(const State &s, unsigned t) {
  const std::uint8_t stored = holdings_[t][s.threads[t].pc].unreleased;
  for (unsigned i = 0; i < kBytes; ++i)
    if (stored >> i & 1) {
      const unsigned block = i / kBlockBytes;
      const Node &home = s.nodes[s.nodes[nodeOf(t)].homes[block]];
      if (lastUpdateUnderWay(s, i, t) && home.entered == home.completed)
        fail("G2: a released update has not happened");
      if (s.truth[i] != State::kUndefined &&
          home.blocks[block].memory[i % kBlockBytes] != s.truth[i] &&
          !isAboutToArrive(s, s.nodes[nodeOf(t)].homes[block], i))
        fail("G2: a released byte is not at its home");
    }
}

/// A barrier without a second half may end elsewhere before it does at the home, which waits for
/// what is under way to it, and serves nobody until it has left.
bool World::isAboutToArrive(const State &s, NodeId home, unsigned byte) const {
  const Node &node = s.nodes[home];
  return node.entered != node.completed &&
         std::any_of(s.messages, s.messages + s.messageCount, [&](const Message &message) {
           return message.kind == Kind::Put && message.to == home &&
                  message.block == byte / kBlockBytes && (message.mask >> byte % kBlockBytes & 1) &&
                  message.bytes[byte % kBlockBytes] == s.truth[byte];
         });
}

/// G4: the node gives a block away. Who only reads there goes on reading the old bytes, as after an
/// invalidation, but stores would be found by nobody.
void World::checkUnmoved(const State &s, unsigned n, unsigned block) {
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (nodeOf(t) == n && (heldBy(s, t).writable >> block & 1))
      fail("G4: a home moves under a permission");
}

/// G4: memory of the node goes, while thread `except` synchronises.
void World::checkUnused(const State &s, unsigned n, unsigned block, unsigned except) {
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (const Held held = heldBy(s, t);
        t != except && nodeOf(t) == n && ((held.readable | held.writable) >> block & 1))
      fail("G4: memory goes under a permission");
}

void World::checkInvariants(const State &s) {
  checkSums(s);
  for (unsigned b = 0; b < kBlocks; ++b) {
    bool moving = false;
    for (unsigned n = 0; n < nodes_; ++n)
      moving |= s.nodes[n].own.heirs[b] != 0 || s.nodes[n].homes[b] != s.nodes[0].homes[b];
    const unsigned home = s.nodes[0].homes[b];
    for (unsigned n = 0; n < nodes_; ++n) {
      const BlockCopy &copy = s.nodes[n].blocks[b];
      if (copy.record.twinned != keepsTwin(copy.state))
        return fail("a state and its twin disagree");
      if (copy.record.digested != (copy.state == BlockState::HomeServed))
        return fail("a state and its digest disagree");
      if (copy.state == BlockState::Exclusive && !copy.record.sharers.empty())
        return fail("an untracked block has sharers");
      if (moving || home >= nodes_)
        continue;
      if (isHomeState(copy.state) != (n == home))
        return fail("a state of a home where there is none, or the other way round");
      // Nobody else may write what a thread overwrites, so nobody need know that it is there.
      if (n == home || (missBits(copy.state) & kReadMisses) || copy.state == BlockState::Whole ||
          s.nodes[home].blocks[b].record.sharers.contains(NodeId(n)))
        continue;
      bool told = false;
      for (unsigned i = 0; i < s.messageCount; ++i)
        told |= s.messages[i].block == b &&
                ((s.messages[i].kind == Kind::Invalidate && s.messages[i].to == n &&
                  s.messages[i].from == home) ||
                 (s.messages[i].kind == Kind::Put && s.messages[i].whole && !s.messages[i].away &&
                  s.messages[i].from == n && s.messages[i].to == home));
      if (!told)
        return fail("a reader that its home does not know");
    }
  }
}

std::string World::faultAtEnd(const State &s) const {
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (!isDone(s, t))
      return "deadlock";
  if (s.messageCount)
    return "a message was never received";
  std::uint8_t unreleased = 0;
  for (const auto &holdings : holdings_)
    unreleased |= holdings.back().unreleased;
  for (unsigned n = 0; n < nodes_; ++n) {
    const Node &node = s.nodes[n];
    if (!s.answers[n].empty())
      return "an answer was never sent";
    if (node.requestsInFlight || node.flusher || node.locked)
      return "the end is not quiet";
    for (unsigned other = 0; other < nodes_; ++other)
      if (node.peers[other].acksReceived.get() != node.peers[other].acksWanted.get())
        return "a Put was never acknowledged";
    for (unsigned b = 0; b < kBlocks; ++b) {
      const BlockCopy &copy = node.blocks[b];
      if (isFetching(copy.state) || copy.record.waiters)
        return "a fetch never ended";
      if (isListed(copy.state) && !(node.dirty >> b & 1))
        return "a block with a twin is not on the dirty list";
      const bool isHome = node.homes[b] == n;
      if ((missBits(copy.state) & kReadMisses) || (!isHome && traits(b).foreign))
        continue;
      for (unsigned i = 0; i < kBlockBytes; ++i) {
        const unsigned byte = b * kBlockBytes + i;
        if (s.truth[byte] != State::kUndefined && !(unreleased >> byte & 1) &&
            copy.memory[i] != s.truth[byte])
          return "at the end, a valid copy has not the last value of a byte";
      }
    }
  }
  for (const Ending &ending : litmus_.endings) {
    const BlockCopy &copy = s.nodes[ending.node].blocks[ending.block];
    const std::string state = copy.state == BlockState::Shared && copy.record.sharers.empty()
                                  ? "SharedByNone"
                                  : ompdsm::nameOf(copy.state);
    if ((" " + std::string(ending.states) + " ").find(" " + state + " ") == std::string::npos)
      return "the run leaves a block in " + state + ", not in " + ending.states;
  }
  return "";
}

} // namespace ompdsm::sim
