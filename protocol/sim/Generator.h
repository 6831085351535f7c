// Generator.h: litmus programs by number, free of data races by construction.
#pragma once
#include "protocol/sim/Litmus.h"

namespace ompdsm::sim {

/// The program with this number, named "generated N"; the same each time and everywhere. Two to
/// four threads on two or three nodes; where two accesses would race, the earlier thread signals
/// the later.
Litmus generatedLitmus(unsigned number);

} // namespace ompdsm::sim
