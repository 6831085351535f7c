// RegionLaunch.h: starting parallel regions: spread over the nodes, or kept in this node.
//
// The threads of a node are libomp's: each node forks its part of the team with the real
// __kmpc_fork_call and a trampoline that gives the threads their numbers in the whole team.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstdint>
#include <vector>

namespace ompdsm {

struct ForkBody;

enum class RegionKind {
  Parallel,
  League, ///< Each thread is a team of a league, and has no other threads (LeagueShape.h).
};

/// Runs a region on all nodes and returns when all threads have ended it. Node 0's initial thread,
/// outside every region, nodes > 1.
void launchSpreadRegion(Ident *location, Microtask microtask, std::vector<void *> arguments,
                        RegionKind kind = RegionKind::Parallel);

/// This node's part of a region that node 0 has launched; returns after the join of all nodes.
void joinSpreadRegion(const ForkBody &fork, std::vector<void *> arguments);

/// Runs a region inside this node whose threads all know that it is not spread. `fork` is libomp's
/// __kmpc_fork_call or __kmpc_fork_teams.
void launchLocalRegion(decltype(LibompShim::__kmpc_fork_call) fork, Ident *location,
                       Microtask microtask, int argumentCount, void **arguments);

/// Calls outlined code on the calling thread. `tid`: its number in libomp's team.
void invokeMicrotask(Microtask microtask, std::int32_t gtid, unsigned tid,
                     std::vector<void *> &arguments);

} // namespace ompdsm
