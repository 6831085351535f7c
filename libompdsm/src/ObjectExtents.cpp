// ObjectExtents.cpp: an entry is the object's first line, counted from the area's begin, and its
// number of lines.
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/Checks.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// 2^30 lines are 64 GiB; a larger object is not known, and its entry 0.
constexpr unsigned kLengthBits = 30;
constexpr std::uint64_t kMaxLines = (std::uint64_t(1) << kLengthBits) - 1;

} // namespace

std::uint64_t *ObjectExtents::entriesOf(const void *p) const {
  const NodeId owner = space_.ownerOf(p);
  const AddressRange table = space_.area(owner, AreaUse::Extents);
  const Address page =
      (reinterpret_cast<Address>(p) - space_.area(owner, AreaUse::LargeApplication).begin) >>
      kPageShift;
  return reinterpret_cast<std::uint64_t *>(table.begin) + page;
}

void ObjectExtents::note(const void *p, std::size_t bytes) const {
  const Address begin = reinterpret_cast<Address>(p), end = begin + std::max<std::size_t>(bytes, 1);
  const Address area = space_.area(space_.ownerOf(p), AreaUse::LargeApplication).begin;
  const std::uint64_t first = (begin - area) >> OMPDSM_LINE_SHIFT,
                      lines = ((end - 1 - area) >> OMPDSM_LINE_SHIFT) - first + 1;
  std::uint64_t *entries = entriesOf(p);
  const std::size_t pages = ((end - 1) >> kPageShift) - (begin >> kPageShift) + 1;
  ensureWrite(entries, pages * sizeof *entries);
  std::fill_n(entries, pages, lines > kMaxLines ? 0 : first << kLengthBits | lines);
}

AddressRange ObjectExtents::find(const void *p) const {
  const std::uint64_t *entry = entriesOf(p);
  ensureRead(entry, sizeof *entry);
  return decode(p, *entry);
}

AddressRange ObjectExtents::findHere(const void *p) const {
  const std::uint64_t *entry = entriesOf(p);
  return space_.anyMisses(entry, sizeof *entry, OMPDSM_READ_MISSES) ? AddressRange{}
                                                                    : decode(p, *entry);
}

AddressRange ObjectExtents::decode(const void *p, std::uint64_t entry) const {
  const std::uint64_t first = entry >> kLengthBits, lines = entry & kMaxLines;
  const Address area = space_.area(space_.ownerOf(p), AreaUse::LargeApplication).begin;
  const AddressRange object{area + (first << OMPDSM_LINE_SHIFT),
                            area + ((first + lines) << OMPDSM_LINE_SHIFT)};
  return object.contains(reinterpret_cast<Address>(p)) ? object : AddressRange{};
}

} // namespace ompdsm
