// Report.h: what ompdsm-check does for its options, and prints.
#pragma once
#include "protocol/sim/check/Options.h"

namespace ompdsm::sim {

/// Returns 0 if all is as it must be, else 1.
int runCheck(const CheckOptions &options);

} // namespace ompdsm::sim
