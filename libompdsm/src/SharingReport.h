// SharingReport.h: where several nodes changed the same block between the same two barriers (false
// sharing), as text.
#pragma once
#include "protocol/engine/ConcurrentChanges.h"
#include <functional>
#include <string>
#include <vector>

namespace ompdsm {

/// One object of the program.
struct SharingLine {
  std::string memory;                      ///< What the user calls it (MemoryNames.h).
  std::uint64_t intervals = 0, blocks = 0; ///< How often, and in how many blocks.
};

/// Of the worst blocks of all nodes; the worst object first.
std::vector<SharingLine> sharingLines(const std::vector<ChangedTogether> &blocks,
                                      const std::function<std::string(Address)> &nameOf);
/// `intervals`: of all blocks. Empty if there were none.
std::string sharingText(std::uint64_t intervals, const std::vector<SharingLine> &worst);

/// Lines in the text, and blocks that each node names.
inline constexpr std::size_t kMostSharingLines = 10, kMostSharedBlocks = 512;

} // namespace ompdsm
