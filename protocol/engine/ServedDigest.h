// ServedDigest.h: what a home keeps of contents that it has sent while its threads may store to
// them, instead of a copy: a number that tells if they have.
//
// 128 bits of XXH3 (Collet), which passes the tests of SMHasher. That two contents of a block have
// the same by chance is less likely, by many orders of magnitude, than that memory returns what was
// never stored.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ompdsm {

struct ServedDigest {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const ServedDigest &, const ServedDigest &) = default;
};

/// Of a copy that nobody stores to.
ServedDigest servedDigestOf(const std::byte *contents, std::size_t bytes);

} // namespace ompdsm
