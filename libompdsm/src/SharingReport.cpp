#include "libompdsm/src/SharingReport.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <map>

namespace ompdsm {

std::vector<SharingLine> sharingLines(const std::vector<ChangedTogether> &blocks,
                                      const std::function<std::string(Address)> &nameOf) {
  std::map<std::string, SharingLine> objects;
  for (const ChangedTogether &block : blocks) {
    SharingLine &line = objects[nameOf(block.block)];
    line.intervals += block.intervals;
    ++line.blocks;
  }
  std::vector<SharingLine> lines;
  for (auto &[name, line] : objects) {
    line.memory = name;
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end(), [](const SharingLine &a, const SharingLine &b) {
    return a.intervals != b.intervals ? a.intervals > b.intervals : a.memory < b.memory;
  });
  return lines;
}

std::string sharingText(std::uint64_t intervals, const std::vector<SharingLine> &worst) {
  if (intervals == 0)
    return {};
  std::string text = "ompdsm: " + std::to_string(intervals) +
                     " times a block was changed by several nodes between two barriers (false "
                     "sharing), most of all\n";
  for (std::size_t i = 0; i < std::min(worst.size(), kMostSharingLines); ++i) {
    char line[64];
    std::snprintf(line, sizeof line, "ompdsm: %9" PRIu64 " in %" PRIu64 " blocks of ",
                  worst[i].intervals, worst[i].blocks);
    text += line + worst[i].memory + "\n";
  }
  return text;
}

} // namespace ompdsm
