// AddressHash.h: spreads addresses of blocks and pages, whose low bits are all zero, over tables
// whose sizes are powers of two. The standard library's hash is the address itself: every block
// of a size of 1 KiB would belong to one of few buckets, and a look into a table take hundreds of
// steps.
#pragma once
#include "protocol/core/Types.h"
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4); the high bits, which depend
/// on all of the address, become the low ones.
struct AddressHash {
  std::size_t operator()(Address address) const {
    const std::uint64_t mixed = std::uint64_t(address) * 0x9E3779B97F4A7C15u;
    return std::size_t(mixed >> 32 | mixed << 32);
  }
};

} // namespace ompdsm
