// LaneChecks.h: checks of vector accesses under a mask.
//
// Only active lanes are asked for: the address of an inactive lane need not be one at all.
#pragma once
#include "AccessCollector.h"
#include "CheckBuilder.h"

namespace ompdsm {

/// Checks an access of shape MaskedRun, Compressed or Scattered.
void emitLaneCheck(const Access &access, const CheckBuilder &checks);

} // namespace ompdsm
