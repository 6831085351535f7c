// Barrier.h: the barrier of a spread region: inside the node by libomp, across nodes by one leader.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstdint>

namespace ompdsm {

struct RegionFrame;

/// Returns when all threads of the whole team have called it; a release before and an acquire
/// after. Every thread of the region calls it. `code`: as for Sites::idOf.
void barrierOfTeam(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code);

/// Returns when all threads of the node's part of the team have called it. No synchronisation
/// point.
void barrierOfNode(Ident *location, std::int32_t gtid, const RegionFrame &frame);

} // namespace ompdsm
