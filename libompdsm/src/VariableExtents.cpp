// VariableExtents.cpp: see VariableExtents.h.
#include "libompdsm/src/VariableExtents.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// As the pass writes it.
struct Entry {
  Address begin;
  std::uint64_t bytes;
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
        variables_.push_back({entry->begin, entry->begin + entry->bytes});
  }
  // Several modules may define a variable, and the linker takes one of them: the largest is asked
  // about.
  std::sort(variables_.begin(), variables_.end(), [](AddressRange a, AddressRange b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  variables_.erase(std::unique(variables_.begin(), variables_.end(),
                               [](AddressRange a, AddressRange b) { return a.begin == b.begin; }),
                   variables_.end());
}

AddressRange VariableExtents::find(Address address) const {
  auto after =
      std::upper_bound(variables_.begin(), variables_.end(), address,
                       [](Address a, const AddressRange &variable) { return a < variable.begin; });
  if (after == variables_.begin())
    return {};
  const AddressRange &variable = *(after - 1);
  return variable.contains(address) ? variable : AddressRange{};
}

} // namespace ompdsm
