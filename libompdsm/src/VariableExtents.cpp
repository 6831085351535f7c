// VariableExtents.cpp: see VariableExtents.h.
#include "libompdsm/src/VariableExtents.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// As the pass writes it.
struct Entry {
  Address begin;
  std::uint64_t bytes;
  const char *name;
};

} // namespace

VariableExtents::VariableExtents(const std::vector<LoadedImage> &images) {
  for (const LoadedImage &image : images) {
    if (!image.note)
      continue;
    const auto *entry = reinterpret_cast<const Entry *>(image.note->variables.begin);
    const auto *end = reinterpret_cast<const Entry *>(image.note->variables.end);
    for (; entry < end; ++entry)
      if (entry->begin != 0)
        variables_.push_back({{entry->begin, entry->begin + entry->bytes}, entry->name});
  }
  // Several modules may define a variable, and the linker takes one of them: the largest is asked
  // about.
  std::sort(variables_.begin(), variables_.end(), [](const Variable &a, const Variable &b) {
    return a.range.begin != b.range.begin ? a.range.begin < b.range.begin
                                          : a.range.end > b.range.end;
  });
  variables_.erase(std::unique(variables_.begin(), variables_.end(),
                               [](const Variable &a, const Variable &b) {
                                 return a.range.begin == b.range.begin;
                               }),
                   variables_.end());
}

AddressRange VariableExtents::find(Address address) const {
  const std::span<const Variable> found = in({address, address + 1});
  return found.empty() ? AddressRange{} : found.front().range;
}

std::span<const Variable> VariableExtents::in(AddressRange range) const {
  const auto first =
      std::partition_point(variables_.begin(), variables_.end(), [&](const Variable &variable) {
        return variable.range.end <= range.begin;
      });
  const auto last = std::partition_point(first, variables_.end(), [&](const Variable &variable) {
    return variable.range.begin < range.end;
  });
  return {first, last};
}

} // namespace ompdsm
