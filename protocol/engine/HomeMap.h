// HomeMap.h: the home of every shared page: the area's default until a barrier moves it. Equal on all
// nodes whenever no barrier is in progress; read and changed under the engine's lock.
#pragma once
#include "protocol/engine/AddressMap.h"
#include <memory>
#include <vector>

namespace ompdsm {

class HomeMap {
public:
  explicit HomeMap(const AddressMap &map);
  ~HomeMap();
  HomeMap(const HomeMap &) = delete;
  HomeMap &operator=(const HomeMap &) = delete;

  NodeId homeOf(const Area &area, Address address) const {
    const std::uint16_t *moved = moved_[area.index];
    if (!moved)
      return area.defaultHome;
    std::uint16_t entry = moved[(address - pageOf(area.begin)) >> kPageShift];
    return entry ? static_cast<NodeId>(entry - 1) : area.defaultHome;
  }
  /// Homes move by units: pages, or blocks where those are larger; cut off by the area's ends.
  Address unitOf(const Area &area, Address address) const {
    Address unit = address & ~Address(std::max(kPageBytes, area.blockBytes()) - 1);
    return std::max(area.begin, unit);
  }
  Address unitEnd(const Area &area, Address unit) const {
    Address size = std::max(kPageBytes, area.blockBytes());
    return std::min(area.end, (unit & ~(size - 1)) + size);
  }
  void move(const Area &area, Address page, NodeId home) {
    OMPDSM_CHECK(area.migratable);
    moved_[area.index][(page - pageOf(area.begin)) >> kPageShift] =
        static_cast<std::uint16_t>(home + 1);
  }

private:
  const AddressMap &map_;
  /// For each migratable area a sparse array (reserved, zero until written) of home + 1 by page; 0 =
  /// never moved.
  std::vector<std::uint16_t *> moved_;
};

} // namespace ompdsm
