// WantedPiece.h: parts of the ranges that threads ask for, and what it costs to ask for them.
#pragma once
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/Engine.h"
#include <cstddef>

namespace ompdsm {

/// A part of a range that lies in one area.
struct WantedPiece {
  const WantedRange *range = nullptr;
  const Area *area = nullptr;
  Address begin = 0, end = 0;
};
/// Of pieces: blocks that were looked at, and bytes of those that missed.
struct PieceCost {
  /// What is expected at one site is bounded. Blocks, asked for or of runs, because the lock is
  /// held meanwhile, and the runs have to fit into one message for each home.
  static constexpr std::size_t kMostExpectedBytes = 1024 * 1024, kMostExpectedBlocks = 2048;
  std::size_t blocks = 0, bytes = 0;

  bool isEnough() const { return bytes >= kMostExpectedBytes || blocks >= kMostExpectedBlocks; }
};

} // namespace ompdsm
