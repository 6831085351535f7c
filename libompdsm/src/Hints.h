// Hints.h: what the pragmas of instrumented code say about data, carried out on all nodes.
//
// Each order is an action of all nodes in the serial part of the program, like a region without
// work: every node fetches what it will need in few large messages, then all meet in a barrier, at
// which homes move. The hint of another thread than the initial one, or in a region, does nothing.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/TeamLayout.h"
#include <cstddef>
#include <cstdint>

namespace ompdsm {

struct Runtime;

/// Body of TeamMessage::Hint.
struct HintOrder {
  std::int32_t kind = 0; ///< ompdsm_hint.
  std::uint32_t teamThreads = 0;
  Address begin = 0;
  std::uint64_t bytes = 0;
};

/// The part of [begin, begin + bytes) that the threads of `node` work on if each has a contiguous
/// share: whole units of `unit` bytes (a power of two), each with the node in whose share it
/// begins.
AddressRange partOfNode(const HintOrder &order, TeamLayout layout, unsigned node, std::size_t unit);

/// A node's part in an order. Called by one thread of each node, while no other is online.
void carryOut(Runtime &job, const HintOrder &order);

} // namespace ompdsm
