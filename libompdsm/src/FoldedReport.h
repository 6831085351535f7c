// FoldedReport.h: which parallel regions node 0 has executed by itself (FoldedRegion.h), as text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ompdsm {

/// A region that was folded at least once. Times are those of its latest visits of each
/// kind, zeros if there were none: means over its sizes, weighted by how often it was folded.
struct FoldedLine {
  std::string place;
  std::uint64_t visits = 0, folded = 0;
  double spreadSeconds = 0, foldedSeconds = 0; ///< Of a visit.
};

/// Empty if there are none.
std::string foldedTable(const std::vector<FoldedLine> &lines);

/// Lines in the table.
inline constexpr std::size_t kMostFoldedLines = 10;

} // namespace ompdsm
