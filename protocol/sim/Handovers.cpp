// Handovers.cpp: releases of the small world that begin, and of which one node hears later by a
// flag, as the next holder of a lock does (PendingRelease.h of the engine, Locks.cpp of the
// runtime).
#include "protocol/sim/World.h"
#include <algorithm>

namespace ompdsm::sim {

/// The thread goes on; what the release needs is kept for who hands it over.
void World::endBegin(State &s, unsigned t) {
  const auto peers = peersOf(s, nodeOf(t));
  Given &begun = s.given[operationOf(s, t).value];
  std::copy_n(s.threads[t].needs, kMaxNodes, begun.needs);
  if (rules_.releaseWaitsForNode)
    listReleaseNeeds(peers, [&](std::size_t other, Need need) { begun.needs[other] = need; });
  if (!rules_.begunReleasesAreAskedFor) // wrong: as if those of before covered it
    for (std::size_t other = 0; other < peers.size(); ++other)
      begun.needs[other].acks = peers[other].acksWanted.get();
  finish(s, t);
}

/// Who is told by a Give before it has confirmed what was sent to it.
bool World::mayTake(const Operation &give, unsigned node) const {
  return node == give.byte || !rules_.onlyTakersGoUnconfirmed;
}

/// Of the release that began before, those that do not get the flag are asked.
void World::askForGiven(State &s, unsigned t) {
  const Operation &give = operationOf(s, t);
  const unsigned n = nodeOf(t);
  Thread &thread = s.threads[t];
  std::copy_n(s.given[give.value].needs, kMaxNodes, thread.needs);
  for (unsigned other = 0; other < nodes_ && rules_.begunReleasesAreAskedFor; ++other)
    if (Need &need = thread.needs[other];
        !mayTake(give, other) && !need.isMet(s.nodes[n].peers[other]))
      askForNeed(
          other, s.nodes[n].peers[other], need,
          [&](std::size_t peer) { askForPuts(s, n, unsigned(peer)); },
          [&](std::size_t peer) { sendInvalidate(s, n, unsigned(peer), kBlocks, true); });
  thread.phase = Phase::AwaitsAcks;
}

void World::giveFlag(State &s, unsigned t) {
  const Operation &give = operationOf(s, t);
  Given &given = s.given[give.value];
  static_cast<Handover<PlainCounter::Value> &>(given) = given.needs[give.byte].handover();
  given.giver = std::uint8_t(nodeOf(t));
  s.flags |= std::uint8_t(1u << give.value);
}

} // namespace ompdsm::sim
