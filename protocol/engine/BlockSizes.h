// BlockSizes.h: the size of the blocks of every page: the area's, until a barrier gives the page
// another one (Barriers.cpp). Equal on all nodes whenever no barrier is in progress; read and
// changed under the engine's lock.
//
// An area has one description for each size, so that what a block is, and whether it may have
// another home than its neighbours, follows from the description that find() gives.
#pragma once
#include "protocol/engine/AddressMap.h"
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace ompdsm {

class BlockSizes {
public:
  static constexpr unsigned kLeastShift = 6, kMostShift = 16;

  explicit BlockSizes(const AddressMap &map) : map_(map), pages_(map.areas().size()) {}

  /// The area of a shared address, with the size of the block there; null for private memory.
  const Area *find(Address address) const {
    const Area *area = map_.find(address);
    if (!area || !pages_[area->index]) [[likely]]
      return area;
    return &pages_[area->index]->variants[shiftAt(*area, address) - kLeastShift];
  }
  Address nextBegin(Address address) const { return map_.nextBegin(address); }
  /// Whether blocks at `address`, behind what find() has given `area` for, have its size, too.
  bool goesOn(const Area &area, Address address) const {
    return address < area.end && (!pages_[area.index] || shiftAt(area, address) == area.blockShift);
  }
  /// How far, at most to `limit`, blocks behind `address` have the size of `area`, which find() has
  /// given for it. (Areas are large: none is walked to its end.)
  Address endOfSize(const Area &area, Address address, Address limit) const {
    limit = std::min(limit, area.end);
    if (!pages_[area.index]) [[likely]]
      return limit;
    do
      address = pageOf(address) + kPageBytes;
    while (address < limit && shiftAt(area, address) == area.blockShift);
    return std::min(address, limit);
  }
  /// For the page of `address`, whose blocks have all one size.
  void set(Address address, unsigned blockShift) {
    const Area &area = *map_.find(address);
    OMPDSM_CHECK(blockShift >= kLeastShift && blockShift <= kMostShift);
    auto &pages = pages_[area.index];
    if (!pages)
      pages = std::make_unique<Pages>(area);
    pages->shifts[pageIn(area, address)] = static_cast<std::uint8_t>(blockShift);
  }

private:
  struct Free {
    void operator()(std::uint8_t *shifts) const { std::free(shifts); }
  };
  struct Pages {
    explicit Pages(const Area &area)
        : shifts(static_cast<std::uint8_t *>(std::calloc(pageIn(area, area.end - 1) + 1, 1))) {
      OMPDSM_CHECK(shifts);
      variants.fill(area);
      for (unsigned shift = kLeastShift; shift <= kMostShift; ++shift) {
        Area &variant = variants[shift - kLeastShift];
        variant.blockShift = static_cast<std::uint8_t>(shift);
        variant.homesByBlock = area.migratable && shift < area.blockShift;
      }
    }
    /// 0: the area's. Areas are large, and few of their pages change: most of it is never touched.
    std::unique_ptr<std::uint8_t[], Free> shifts;
    std::array<Area, kMostShift - kLeastShift + 1> variants;
  };
  static std::size_t pageIn(const Area &area, Address address) {
    return (address - pageOf(area.begin)) >> kPageShift;
  }
  unsigned shiftAt(const Area &area, Address address) const {
    const std::uint8_t shift = pages_[area.index]->shifts[pageIn(area, address)];
    return shift ? shift : map_.areas()[area.index].blockShift;
  }

  const AddressMap &map_;
  std::vector<std::unique_ptr<Pages>> pages_; ///< By area; null: all have its size.
};

} // namespace ompdsm
