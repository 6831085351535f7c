#include "protocol/engine/HomeMap.h"
#include <algorithm>
#include <sys/mman.h>

namespace ompdsm {

static std::size_t arrayBytes(const Area &area) {
  return ((area.end - pageOf(area.begin)) >> kPageShift) * sizeof(std::uint16_t) + kPageBytes;
}

HomeMap::HomeMap(const AddressMap &map) : map_(map), moved_(map.areas().size(), nullptr) {
  for (const Area &area : map.areas()) {
    if (!area.migratable)
      continue;
    OMPDSM_CHECK(area.begin % kPageBytes == 0); // so that no page belongs to two such areas
    void *array = mmap(nullptr, arrayBytes(area), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    OMPDSM_CHECK(array != MAP_FAILED);
    moved_[area.index] = static_cast<std::uint16_t *>(array);
  }
}

HomeMap::~HomeMap() {
  for (const Area &area : map_.areas())
    if (moved_[area.index])
      munmap(moved_[area.index], arrayBytes(area));
}

void HomeMap::moveBlock(const Area &area, Address block, NodeId home) {
  const NodeId before = homeOf(area, block);
  auto [entry, added] = parted_.try_emplace(pageOf(block));
  Lines &lines = entry.value();
  if (added)
    lines.fill(before);
  std::fill(lines.begin() + lineIn(block), lines.begin() + lineIn(area.blockEnd(block) - 1) + 1,
            home);
}

} // namespace ompdsm
