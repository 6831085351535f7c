#include "libompdsm/src/FoldedReport.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>

namespace ompdsm {

std::string foldedTable(const std::vector<FoldedLine> &lines) {
  if (lines.empty())
    return {};
  char text[128];
  std::snprintf(text, sizeof text, "ompdsm: %9s %9s %9s %9s  %s\n", "visits", "folded", "us.spread",
                "us.folded",
                "at (regions that node 0 executes alone where spreading takes longer)");
  std::string table = text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostFoldedLines); ++i) {
    const FoldedLine &line = lines[i];
    std::snprintf(text, sizeof text, "ompdsm: %9" PRIu64 " %9" PRIu64 " %9.1f %9.1f  ", line.visits,
                  line.folded, line.spreadSeconds * 1e6, line.foldedSeconds * 1e6);
    table += text + line.place + "\n";
  }
  if (lines.size() > kMostFoldedLines)
    table += "ompdsm: and " + std::to_string(lines.size() - kMostFoldedLines) +
             " regions more, all of which OMPDSM_STATS_FILE names\n";
  return table;
}

} // namespace ompdsm
