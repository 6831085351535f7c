// SiteReport.h: what the job's sites have cost, as text.
#pragma once
#include "libompdsm/src/Sites.h"
#include "protocol/engine/SiteCounts.h"
#include <span>
#include <vector>

namespace ompdsm {

/// One place of the program, on all nodes together.
struct SiteLine {
  std::string place;
  SiteCounts sum; ///< But `visits`: on average, rounded up.

  /// Of what was sent there, the part that was read; negative if nothing was watched.
  double efficiency() const;
  /// Of what was read of others in the intervals behind it, the part that had been sent there;
  /// negative if that is not known.
  double coverage() const;
};

/// `all`: of the sites of each of `nodes` nodes. Those that have the same name are one; the longest
/// waiting comes first.
std::vector<SiteLine> siteLines(std::span<const SiteCounts> all, const Sites &sites,
                                unsigned nodes);
/// At most kMostLines of them; empty if there are none.
std::string siteTable(const std::vector<SiteLine> &lines);

inline constexpr std::size_t kMostSiteLines = 20;

} // namespace ompdsm
