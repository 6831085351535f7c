// Space.h: the shared addresses of a simulated program: areas, their blocks, and the units in which
// homes move. As AddressMap and HomeMap of the engine, with numbers instead of pages.
#pragma once
#include "protocol/core/Types.h"
#include <vector>

namespace ompdsm::simulator {

using BlockId = std::uint32_t;
using UnitId = std::uint32_t;
inline constexpr std::uint32_t kPageBytes = 4096;

/// Bytes [begin, end).
struct Range {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t bytes() const { return end - begin; }
  bool contains(std::uint32_t byte) const { return begin <= byte && byte < end; }
  bool overlaps(const Range &other) const { return begin < other.end && other.begin < end; }
  bool covers(const Range &other) const { return begin <= other.begin && other.end <= end; }
};

struct Area {
  Range range;             ///< Begins at a page.
  unsigned blockShift = 6; ///< Log of the bytes of a block.
  NodeId home = 0;         ///< Of the first unit.
  bool spread = false;     ///< The next unit's is the next node; else all have one home.
  bool migratable = false; ///< Homes may move at barriers.
  bool untracked = false;  ///< Code that is not instrumented writes here, at the home.
  bool foreign = false;    ///< And the program reads it.

  /// Bytes of an untracked area that only such code touches.
  bool isRaw(std::uint32_t byte) const { return untracked && !foreign && (byte >> 3 & 1); }
};

struct Block {
  Range range;
  std::uint16_t area; ///< Its index.
  UnitId unit;
};

class Space {
public:
  explicit Space(unsigned nodes = 1) : nodes_(nodes) {}
  /// All areas are added before finish().
  void add(Area area, std::uint32_t bytes) {
    area.range = {end_, end_ + bytes};
    end_ = (area.range.end + kPageBytes) / kPageBytes * kPageBytes + kPageBytes;
    areas_.push_back(area);
  }
  /// Makes the blocks.
  void finish() {
    pages_.assign(end_ / kPageBytes, kNone);
    for (std::uint16_t index = 0; index < areas_.size(); ++index) {
      const Area &area = areas_[index];
      const std::uint32_t block = 1u << area.blockShift,
                          unit = block > kPageBytes ? block : kPageBytes;
      NodeId home = area.home;
      for (std::uint32_t at = area.range.begin; at < area.range.end; at += block) {
        if (at % kPageBytes == 0)
          pages_[at / kPageBytes] = BlockId(blocks_.size());
        if ((at - area.range.begin) % unit == 0) {
          homes_.push_back(home);
          firstBlocks_.push_back(BlockId(blocks_.size()));
          home = area.spread ? NodeId((home + 1) % nodes_) : home;
        }
        blocks_.push_back({{at, at + block < area.range.end ? at + block : area.range.end},
                           index,
                           UnitId(homes_.size() - 1)});
      }
      // Pages inside of a block lead to it, too.
      for (std::uint32_t at = area.range.begin; at < area.range.end; at += kPageBytes)
        if (pages_[at / kPageBytes] == kNone)
          pages_[at / kPageBytes] = pages_[at / kPageBytes - 1];
    }
    firstBlocks_.push_back(BlockId(blocks_.size()));
  }

  std::uint32_t bytes() const { return end_; }
  const std::vector<Area> &areas() const { return areas_; }
  std::size_t blockCount() const { return blocks_.size(); }
  const Block &block(BlockId id) const { return blocks_[id]; }
  const Area &areaOf(BlockId id) const { return areas_[blocks_[id].area]; }
  BlockId blockAt(std::uint32_t byte) const {
    const BlockId first = pages_[byte / kPageBytes];
    const Block &block = blocks_[first];
    return first + ((byte - block.range.begin) >> areas_[block.area].blockShift);
  }
  NodeId firstHomeOf(UnitId unit) const { return homes_[unit]; }
  /// The blocks of a unit are [first, next unit's first).
  BlockId firstBlockOf(UnitId unit) const { return firstBlocks_[unit]; }

private:
  static constexpr BlockId kNone = ~BlockId(0);
  unsigned nodes_;
  std::uint32_t end_ = 0;
  std::vector<Area> areas_;
  std::vector<Block> blocks_;
  std::vector<NodeId> homes_;        ///< By unit.
  std::vector<BlockId> firstBlocks_; ///< By unit, and one more.
  std::vector<BlockId> pages_;       ///< The first block that begins there, or what covers it.
};

} // namespace ompdsm::simulator
