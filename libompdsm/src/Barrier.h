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
/// point. None of the node's tasks may be on another node.
void barrierOfNode(Ident *location, std::int32_t gtid, const RegionFrame &frame);
/// The same, and waits for tasks that the node has given away.
void awaitTasksOfNode(Ident *location, std::int32_t gtid, RegionFrame &frame);
/// The end of a region, but for what joins the threads and nodes: if other nodes may execute its
/// tasks, waits for all of them, as a barrier does. Every thread of the region calls it.
void awaitTasksOfTeam(Ident *location, std::int32_t gtid, RegionFrame &frame, const void *code);

} // namespace ompdsm
