#include "libompdsm/src/SiteReport.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>

namespace ompdsm {
namespace {

double seconds(std::uint64_t nanoseconds) { return double(nanoseconds) * 1e-9; }

void add(SiteCounts &sum, const SiteCounts &counts) {
  sum.visits += counts.visits;
  sum.nanosecondsInBarriers += counts.nanosecondsInBarriers;
  sum.nanosecondsInMisses += counts.nanosecondsInMisses;
  sum.blocksFetched += counts.blocksFetched;
  sum.blocksExpected += counts.blocksExpected;
  sum.blocksPushed += counts.blocksPushed;
  sum.pushesRead += counts.pushesRead;
  sum.pushesUnread += counts.pushesUnread;
  sum.pushesLate += counts.pushesLate;
}

std::uint64_t waiting(const SiteLine &line) {
  return line.sum.nanosecondsInBarriers + line.sum.nanosecondsInMisses;
}

/// In per cent.
std::string share(double part) {
  return part < 0 ? "-" : std::to_string(unsigned(100 * part + 0.5)) + " %";
}

} // namespace

double SiteLine::efficiency() const {
  const std::uint64_t watched = sum.pushesRead + sum.pushesUnread;
  return watched == 0 ? -1 : double(sum.pushesRead) / double(watched);
}

double SiteLine::coverage() const {
  const double sent = double(sum.blocksPushed + sum.blocksExpected);
  const double fetched =
      double(sum.blocksFetched - std::min(sum.blocksFetched, sum.blocksExpected));
  if (sent == 0)
    return fetched == 0 ? -1 : 0;
  if (efficiency() < 0)
    return -1;
  const double used = efficiency() * sent;
  return used + fetched == 0 ? -1 : used / (used + fetched);
}

std::vector<SiteLine> siteLines(std::span<const SiteCounts> all, const Sites &sites,
                                unsigned nodes) {
  std::map<std::string, SiteCounts> sums;
  for (const SiteCounts &counts : all)
    add(sums[sites.nameOf(SiteId(counts.site))], counts);
  std::vector<SiteLine> lines;
  for (auto &[place, sum] : sums) {
    sum.visits = (sum.visits + nodes - 1) / nodes;
    lines.push_back({place, sum});
  }
  std::sort(lines.begin(), lines.end(), [](const SiteLine &a, const SiteLine &b) {
    return waiting(a) != waiting(b) ? waiting(a) > waiting(b) : a.place < b.place;
  });
  return lines;
}

std::string siteTable(const std::vector<SiteLine> &lines) {
  if (lines.empty())
    return {};
  char text[160];
  std::snprintf(text, sizeof text, "ompdsm: %9s %9s %9s %9s %9s %6s %6s %7s  %s\n", "visits",
                "s.barrier", "s.miss", "fetched", "pushed", "read", "late", "covered",
                "at (blocks and seconds of all nodes)");
  std::string table = text;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostSiteLines); ++i) {
    const SiteCounts &sum = lines[i].sum;
    std::snprintf(text, sizeof text,
                  "ompdsm: %9" PRIu64 " %9.3f %9.3f %9" PRIu64 " %9" PRIu64 " %6s %6" PRIu64
                  " %7s  ",
                  sum.visits, seconds(sum.nanosecondsInBarriers), seconds(sum.nanosecondsInMisses),
                  sum.blocksFetched, sum.blocksPushed, share(lines[i].efficiency()).c_str(),
                  sum.pushesLate, share(lines[i].coverage()).c_str());
    table += text + lines[i].place + "\n";
  }
  if (lines.size() > kMostSiteLines)
    table += "ompdsm: and " + std::to_string(lines.size() - kMostSiteLines) +
             " places more, all of which OMPDSM_STATS_FILE names\n";
  return table;
}

} // namespace ompdsm
