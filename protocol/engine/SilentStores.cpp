// SilentStores.cpp: homes hear of who stores to their blocks and changes nothing, as if it had
// (SilentStores.h): that is what moves them.
#include "protocol/engine/SilentStores.h"
#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/RunMessages.h"

namespace ompdsm {

void Engine::Impl::noteSilentStores(const BlockRef &block) {
  if (!block.area->migratable || !history_.isKept())
    return;
  const Address unit = homes.unitOf(*block.area, block.begin);
  if (!isHomeState(stateOf(block)))
    histories_.silentStores.onUnchanged(unit);
  else if (history_.hasSilentWriters())
    history_.noteOwnSilentStores(unit);
}

void Engine::Impl::tellSilentStores() {
  if (histories_.silentStores.isEmpty())
    return;
  // Of each home, as many as fit into a message; units lie in order, and mostly side by side.
  constexpr std::size_t kMostRuns = 4096;
  std::vector<RunCollector> told(nodes);
  for (const Address unit : histories_.silentStores.takeNotices()) {
    const Area &area = *sizes.find(unit);
    RunCollector &runs = told[homes.homeOf(area, unit)];
    if (runs.count() < kMostRuns)
      runs.add(unit, homes.unitEnd(area, unit) - unit);
  }
  const SilentStoresHead head{completedEpoch_.load(std::memory_order_relaxed)};
  for (unsigned n = 0; n < nodes; ++n)
    if (n != self && !told[n].empty()) // else it has moved here since
      postRuns(messenger, static_cast<NodeId>(n), MessageKind::SilentStores, head, told[n]);
}

void Engine::Impl::onSilentStores(NodeId from, fabric::Bytes body) {
  const Lock guard(lock);
  WireReader reader(body);
  SilentStoresHead head;
  OMPDSM_CHECK(reader.get(head) && head.epoch <= completedEpoch_ + 1);
  for (WireRun run; !reader.atEnd();) {
    OMPDSM_CHECK(readRun(reader, run));
    forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
      if (block.area->migratable && homes.homeOf(*block.area, block.begin) == self) // still
        history_.noteSilentWriter(homes.unitOf(*block.area, block.begin), from,
                                  head.epoch > completedEpoch_);
    });
  }
}

} // namespace ompdsm
