// TeamSize.h: how many threads the user asked for, and how many there may be.
#pragma once
#include "libompdsm/src/Options.h"

namespace ompdsm {

/// As in ompdsm-run's LaunchOptions.h.
inline constexpr unsigned kMaxThreadsPerNode = 1024;

/// Threads of an outermost team without a num_threads clause: `ompdsm-run -t`, else the first
/// number of OMP_NUM_THREADS ("8" or "8,2"), else 0. Unlike libomp, which ignores a malformed value
/// with a warning of each node, this is an error.
Status readTeamSize(const Options &options, unsigned nodes, unsigned &threads);

/// With one node the team is libomp's, which takes minutes to fail on more threads than the system
/// can have: an error if OMP_NUM_THREADS asks for that. Malformed values are libomp's matter.
Status checkTeamOfOneNode();

/// An error if so many threads are too many for the nodes. `origin` is what asked for them.
Status checkTeamSize(const std::string &origin, unsigned long long threads, unsigned nodes);

} // namespace ompdsm
