// HomeMap.h: the home of every shared page: the area's default until a barrier moves it; of pages
// that have got smaller blocks (BlockSizes.h) that of every block. Equal on all nodes whenever no
// barrier is in progress; read and changed under the engine's lock.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/StateTable.h"
#include <array>
#include <memory>
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

class HomeMap {
public:
  explicit HomeMap(const AddressMap &map);
  ~HomeMap();
  HomeMap(const HomeMap &) = delete;
  HomeMap &operator=(const HomeMap &) = delete;

  NodeId homeOf(const Area &area, Address address) const {
    if (area.homesByBlock) [[unlikely]]
      if (const auto found = parted_.find(pageOf(address)); found != parted_.end())
        return found->second[lineIn(address)];
    const std::uint16_t *moved = moved_[area.index];
    if (!moved)
      return area.defaultHome;
    std::uint16_t entry = moved[(address - pageOf(area.begin)) >> kPageShift];
    return entry ? static_cast<NodeId>(entry - 1) : area.defaultHome;
  }
  /// Homes move by units: pages, or blocks where those are larger or have homes of their own; cut
  /// off by the area's ends.
  Address unitOf(const Area &area, Address address) const {
    return std::max(area.begin, address & ~Address(unitBytes(area) - 1));
  }
  Address unitEnd(const Area &area, Address unit) const {
    const Address size = unitBytes(area);
    return std::min(area.end, (unit & ~(size - 1)) + size);
  }
  /// A page, or a block that has a home of its own.
  void move(const Area &area, Address page, NodeId home) {
    OMPDSM_CHECK(area.migratable);
    if (area.homesByBlock)
      return moveBlock(area, page, home);
    moved_[area.index][(page - pageOf(area.begin)) >> kPageShift] =
        static_cast<std::uint16_t>(home + 1);
  }

private:
  using Lines = std::array<NodeId, kPageBytes / kLineBytes>;

  static std::size_t unitBytes(const Area &area) {
    return area.homesByBlock ? area.blockBytes() : std::max(kPageBytes, area.blockBytes());
  }
  static std::size_t lineIn(Address address) { return (address & (kPageBytes - 1)) >> kLineShift; }
  void moveBlock(const Area &area, Address block, NodeId home);

  const AddressMap &map_;
  /// For each migratable area a sparse array (reserved, zero until written) of home + 1 by page; 0 =
  /// never moved.
  std::vector<std::uint16_t *> moved_;
  tsl::robin_map<Address, Lines, AddressHash> parted_; ///< Pages with blocks that have moved.
};

} // namespace ompdsm
