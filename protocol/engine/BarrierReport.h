// BarrierReport.h: what nodes say of themselves in the halves of a barrier, and what has come of
// that.
#pragma once
#include "protocol/core/BarrierTree.h"
#include "protocol/engine/Wire.h"
#include <atomic>
#include <cstdint>
#include <vector>

namespace ompdsm {

/// Of nodes that have arrived at a barrier, or are done there.
struct BarrierReport {
  Agreement agreement;
  std::vector<Sent<std::uint64_t>> sent;
  std::vector<MovedPages> moves; ///< Of who is done.
};
struct BarrierReports {
  BarrierReport report; ///< Of all of them.
  std::atomic<unsigned> complete{0};
};

} // namespace ompdsm
