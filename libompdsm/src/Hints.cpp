// Hints.cpp: the entry of the pragmas, and what each node does about them.
#include "libompdsm/src/Hints.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstdio>

namespace ompdsm {
namespace {

void distribute(Runtime &job, const HintOrder &order) {
  const TeamLayout layout{.threads = order.teamThreads, .nodes = job.nodes};
  const std::size_t unit = std::max<std::size_t>(kPageBytes, job.options.blockLargeBytes);
  const AddressRange mine = partOfNode(order, layout, job.node, unit);
  if (mine.bytes())
    job.engine->ensure(mine.begin, mine.bytes(), Access::Read, FetchAhead::No);
  for (unsigned node = 0; node < job.nodes; ++node)
    if (const AddressRange part = partOfNode(order, layout, node, unit); part.bytes())
      job.engine->proposeHome(part.begin, part.bytes(), static_cast<NodeId>(node));
}

/// Why a distribution would have no effect, or null.
const char *reasonAgainst(const Runtime &job, const HintOrder &order) {
  if (order.kind != OMPDSM_HINT_DISTRIBUTE_BLOCK)
    return nullptr;
  const Area *area = job.addressMap.find(order.begin);
  if (order.bytes <= OMPDSM_SMALL_OBJECT_BYTES)
    return "the object is too small; for what a pointer points to, write p[0:n]";
  if (!area || !area->migratable)
    return "only large globals and what the program allocates can be distributed";
  return nullptr;
}

} // namespace

AddressRange partOfNode(const HintOrder &order, TeamLayout layout, unsigned node,
                        std::size_t unit) {
  auto boundary = [&](unsigned thread) {
    const auto share = static_cast<std::uint64_t>(static_cast<unsigned __int128>(order.bytes) *
                                                  thread / layout.threads);
    const Address end = order.begin + order.bytes;
    return std::min(end, (order.begin + share + unit - 1) & ~Address(unit - 1));
  };
  const unsigned first = layout.firstOn(node);
  return {boundary(first), boundary(first + layout.threadsOn(node))};
}

void carryOut(Runtime &job, const HintOrder &order) {
  if (order.kind == OMPDSM_HINT_DISTRIBUTE_BLOCK)
    distribute(job, order);
  else
    job.engine->ensure(order.begin, order.bytes, Access::Read, FetchAhead::No);
  job.engine->barrier(currentRegistration());
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_hint(int kind, const volatile void *p, std::size_t bytes,
                                 const char *where) {
  if (!jobIsSpread() || !startsSpreadRegion() || bytes == 0)
    return;
  Runtime &job = *runtime();
  const HintOrder order{.kind = kind,
                        .teamThreads = team().defaultThreads(),
                        .begin = reinterpret_cast<Address>(p),
                        .bytes = bytes};
  if (const char *reason = reasonAgainst(job, order)) {
    if (team().isFirstWarning(where))
      std::fprintf(stderr, "ompdsm: warning: the hint at %s has no effect: %s\n", where, reason);
    return;
  }
  releaseHere();
  for (unsigned node = 1; node < job.nodes; ++node)
    postTeamMessage(*job.messenger, static_cast<NodeId>(node), TeamMessage::Hint, {bytesOf(order)});
  carryOut(job, order);
}
