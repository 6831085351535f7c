// Offers.cpp: a home offers a page to who alone changes it but has no copy of all of it.
//
// Only who holds a whole unit may become its home (G4). Who changes a column of a matrix by rows,
// or one number of each row, and the next one behind the next barrier, reads nothing of the rest of
// the page, and would send its changes away and keep twins for ever. So it is told that it could
// have the unit, and fetches the rest of it as it leaves the barrier; the next one moves it. If it
// could not, because somebody else changes the unit, say, it is as any candidate that stays.
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/RunMessages.h"

namespace ompdsm {

namespace {
/// Kept until the next barrier is left; what comes beyond is not fetched.
constexpr std::size_t kMostOffers = 4096;
} // namespace

bool Engine::Impl::offer(const Area &area, Address unit, const Writers &writers) {
  const NodeId heir = writers.lower;
  if (heir != writers.higher || homes.homeOf(area, unit) != self)
    return false;
  const Address end = homes.unitEnd(area, unit);
  bool isLeft = true; // flushed, and nobody writes here
  forEachBlock(unit, end - unit, [&](const BlockRef &block) {
    const BlockState state = stateOf(block);
    isLeft = isLeft && (state == BlockState::Shared || state == BlockState::Exclusive);
  });
  if (!isLeft || !history_.noteOffered(unit, writers))
    return false;
  offers_.made[heir].add(unit, end - unit);
  return true;
}

void Engine::Impl::postOffers() {
  for (auto &[heir, runs] : std::exchange(offers_.made, {}))
    postRuns(messenger, heir, MessageKind::Offer, OfferHead{}, runs);
}

void Engine::Impl::onOffer(NodeId, fabric::Bytes body) {
  const Lock guard(lock);
  WireReader reader(body);
  OfferHead head;
  OMPDSM_CHECK(reader.get(head));
  for (WireRun run; !reader.atEnd();) {
    OMPDSM_CHECK(readRun(reader, run));
    if (offers_.received.size() < kMostOffers)
      offers_.received.push_back({run.begin, run.begin + run.bytes});
  }
}

bool Engine::Impl::fetchOffered() {
  for (const AddressRun &run : std::exchange(offers_.received, {}))
    forEachBlock(run.begin, run.end - run.begin, [&](const BlockRef &block) {
      if (stateOf(block) != BlockState::Invalid || (pages && pages->isAbsent(block.begin)))
        return;
      StepContext context;
      step(block, Event::Prefetch, context);
    });
  return postGets();
}

} // namespace ompdsm
