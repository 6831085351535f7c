// AddressMap.h: which addresses are shared, how they are cut into areas, and where each area's pages
// have their default home. Immutable after the start of the job and equal on all nodes.
#pragma once
#include "fabric/Check.h"
#include "protocol/core/Types.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace ompdsm {

inline constexpr unsigned kPageShift = 12;
inline constexpr std::size_t kPageBytes = std::size_t(1) << kPageShift;
constexpr Address pageOf(Address address) { return address & ~Address(kPageBytes - 1); }

struct AddressRun {
  Address begin = 0, end = 0;

  bool operator==(const AddressRun &) const = default;
};

/// A contiguous range of shared addresses with one block size and one default home.
struct Area {
  Address begin = 0; ///< Page aligned.
  Address end = 0;   ///< Line aligned, exclusive.
  NodeId defaultHome = 0;
  std::uint8_t blockShift = 8; ///< log2 of the block size in bytes; 6 (one line) to 16.
  /// Code that is not instrumented writes here, at the home only (trap 9: stacks, what libraries
  /// allocate). Such pages never change home, and differences with a twin do not show everything.
  bool untracked = false;
  /// What such code writes there is for the program to read (strdup's copy), and no release tells of it:
  /// copies of other nodes end with the interval. Needs `untracked`.
  bool foreign = false;
  /// Pages may change home at barriers.
  bool migratable = false;
  /// Blocks of a page may have different homes (HomeMap.h).
  bool homesByBlock = false;
  std::uint32_t index = 0; ///< Position in AddressMap::areas().

  bool contains(Address address) const { return address >= begin && address < end; }
  std::size_t blockBytes() const { return std::size_t(1) << blockShift; }
  /// First address of the block that holds `address`. Blocks are aligned to their size; the first
  /// and the last block of an area may be cut off by its ends.
  Address blockBegin(Address address) const {
    return std::max(begin, address & ~Address(blockBytes() - 1));
  }
  Address blockEnd(Address address) const {
    return std::min(end, (address | Address(blockBytes() - 1)) + 1);
  }
};

class AddressMap {
public:
  /// Adds an area before seal(). Areas must not overlap.
  void add(Area area);
  /// Sorts the areas and fixes their indices.
  void seal();

  /// The area of a shared address, or null for node-private memory. O(log areas).
  const Area *find(Address address) const {
    auto after = std::upper_bound(areas_.begin(), areas_.end(), address,
                                  [](Address a, const Area &area) { return a < area.begin; });
    if (after == areas_.begin())
      return nullptr;
    const Area &area = *(after - 1);
    return address < area.end ? &area : nullptr;
  }
  /// Where the first area after `address` begins, or the highest address if there is none.
  Address nextBegin(Address address) const {
    auto after = std::upper_bound(areas_.begin(), areas_.end(), address,
                                  [](Address a, const Area &area) { return a < area.begin; });
    return after == areas_.end() ? ~Address(0) : after->begin;
  }
  const std::vector<Area> &areas() const { return areas_; }

private:
  std::vector<Area> areas_;
  bool sealed_ = false;
};

} // namespace ompdsm
