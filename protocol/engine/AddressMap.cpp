#include "protocol/engine/AddressMap.h"
#include "protocol/engine/StateTable.h"

namespace ompdsm {

void AddressMap::add(Area area) {
  OMPDSM_CHECK(!sealed_);
  OMPDSM_CHECK(area.begin < area.end);
  OMPDSM_CHECK(area.begin % kLineBytes == 0 && area.end % kLineBytes == 0);
  OMPDSM_CHECK(!(area.untracked && area.migratable));
  OMPDSM_CHECK(area.untracked || !area.foreign);
  OMPDSM_CHECK(area.blockShift >= kLineShift && area.blockShift <= 16);
  areas_.push_back(area);
}

void AddressMap::seal() {
  std::sort(areas_.begin(), areas_.end(),
            [](const Area &a, const Area &b) { return a.begin < b.begin; });
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    OMPDSM_CHECK(i == 0 || areas_[i - 1].end <= areas_[i].begin);
    areas_[i].index = static_cast<std::uint32_t>(i);
  }
  sealed_ = true;
}

} // namespace ompdsm
