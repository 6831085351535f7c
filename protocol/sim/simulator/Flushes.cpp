// Flushes.cpp: a release: the dirty list is flushed, block by block, and what it caused is waited
// for (Releases.cpp of the engine).
#include "protocol/sim/simulator/Port.h"
#include <algorithm>

namespace ompdsm::simulator {

namespace {
/// Blocks that are visited under one hold of the lock, as in the engine.
constexpr std::size_t kBlocksPerHold = 128;
constexpr Time kLongestHalf = 5 * kMicrosecond;

using Needs = std::vector<std::pair<std::size_t, Need>>;

/// Wrong: what a flush itself has sent, as if others of the node sent nothing.
Needs sentSince(const std::vector<Need> &before, const std::vector<Peer> &peers) {
  Needs sent;
  for (std::size_t n = 0; n < peers.size(); ++n)
    if (const Need is = Need::of(peers[n]);
        is.acks != before[n].acks || is.confirmed != before[n].confirmed)
      sent.push_back({n, is});
  return sent;
}
bool areMet(const Needs &needs, const std::vector<Peer> &peers) {
  return std::all_of(needs.begin(), needs.end(),
                     [&](const auto &need) { return need.second.isMet(peers[need.first]); });
}
std::vector<Need> needsOf(const std::vector<Peer> &peers) {
  std::vector<Need> all;
  for (const Peer &peer : peers)
    all.push_back(Need::of(peer));
  return all;
}
} // namespace

/// One flush of a node at a time, so that none ends before the other's blocks are sent (trap 6).
Task Simulation::takeTurn(SimThread &thread) {
  Node &node = nodeOf(thread);
  while (node.flushing)
    co_await until(thread, [&] { return !node.flushing; });
  node.flushing = true;
}
void Simulation::endTurn(Node &node) {
  node.flushing = false;
  notify(node);
}

Task Simulation::release(SimThread &thread, LocalLock *lock) {
  Node &node = nodeOf(thread);
  const Time begin = now_;
  syncPoint(thread);
  co_await giveUpUnread(thread);
  co_await takeTurn(thread);
  Needs needs, sent;
  // Of what is written under a lock others are asked below.
  const bool acknowledged = !lock || !rules_.releaseWaitsForNode;
  co_await flushDirty(thread, acknowledged, rules_.releaseWaitsForNode ? nullptr : &sent);
  co_await lockEngine(thread);
  askWhatReleaseNeeds(
      node.peers, [](std::size_t) { return false; },
      [&](std::size_t other) {
        if (rules_.releaseAsksForCountedPuts && (!lock || rules_.begunReleasesAreAskedFor))
          postPut(node, NodeId(other), /*acknowledged=*/true);
      },
      [&](std::size_t other) { postInvalidates(node, NodeId(other), /*acknowledged=*/true); },
      [&](std::size_t other, Need need) { needs.push_back({other, need}); });
  if (!rules_.releaseWaitsForNode)
    needs = sent;
  endTurn(node);
  if (lock)
    lock->handover = {};
  // Who gets the lock next waits itself for what was sent to it.
  const auto isTaker = [&](std::size_t other) {
    return lock && lock->wanter && (lock->wanter == other || !rules_.onlyTakersGoUnconfirmed);
  };
  co_await until(thread, [&] {
    return std::all_of(needs.begin(), needs.end(), [&](const auto &need) {
      return isTaker(need.first) || need.second.isMet(node.peers[need.first]);
    });
  });
  if (areMet(needs, node.peers))
    checkReleased(thread, /*mayBeUnderWay=*/false);
  else
    for (const auto &[other, need] : needs)
      if (lock->wanter == other)
        lock->handover = need.handover();
  Span &span = outcome_.statistics.releases;
  ++span.count;
  span.time += now_ - begin;
}

/// In a barrier, an acquire: those who have left it may hand on what they know.
Task Simulation::askPeers(SimThread &thread) {
  Node &node = nodeOf(thread);
  Needs needs;
  co_await lockEngine(thread);
  askAllPeers(
      node.peers, node.self,
      [&](std::size_t other) { postPut(node, NodeId(other), /*acknowledged=*/true); },
      [&](std::size_t other, Need need) { needs.push_back({other, need}); });
  co_await until(thread, [&] { return areMet(needs, node.peers); });
}

Task Simulation::flushDirty(SimThread &thread, bool acknowledged, FlushedNeeds *sent) {
  Node &node = nodeOf(thread);
  co_await lockEngine(thread);
  std::vector<BlockId> work = std::exchange(node.dirty, {}), postponed;
  std::sort(work.begin(), work.end());
  work.erase(std::unique(work.begin(), work.end()), work.end());
  StepContext context;
  context.thread = &thread;
  context.acknowledged = acknowledged;
  while (!work.empty()) {
    for (std::size_t at = 0; at < work.size();) {
      co_await lockEngine(thread);
      const std::vector<Need> before = sent ? needsOf(node.peers) : std::vector<Need>();
      for (const std::size_t end = std::min(work.size(), at + kBlocksPerHold); at < end; ++at) {
        Port port(*this, node, work[at], context);
        BlockFlush<Port> flush(port);
        if (!flush.begin())
          continue;
        if (scenario_.splitFlushes && thread.dice.oneIn(scenario_.splitFlushes)) {
          if (!rules_.quietBeforeSnapshot)
            port.takeSnapshot();
          const Time length = 1 + thread.dice.next() % kLongestHalf;
          node.lockedUntil = now_ + length;
          co_await pause(thread, length);
          node.lockedUntil = 0;
          if (!rules_.quietBeforeSnapshot)
            flush.begin();
        }
        switch (flush.finish()) {
        case FlushResult::Off:
          break;
        case FlushResult::Relist:
          node.dirty.push_back(work[at]);
          break;
        case FlushResult::Postponed:
          postponed.push_back(work[at]);
          break;
        }
        checkCopy(node, work[at]);
      }
      postCollected(node, acknowledged);
      if (sent)
        for (const auto &need : sentSince(before, node.peers))
          sent->push_back(need);
      co_await pause(thread, std::max(now_, node.processorFree) - now_);
    }
    // A reply that the home sent before it saw our Put would bring the old bytes back (trap 8).
    work = std::exchange(postponed, {});
    co_await until(thread, [&] {
      return std::none_of(work.begin(), work.end(),
                          [&](BlockId block) { return isFetching(copyOf(node, block).state); });
    });
  }
}

} // namespace ompdsm::simulator
