// InitialGlobals.h: what the program's shared globals held on this node when it started.
//
// Their home is node 0, so another node has no use for the memory that the dynamic linker filled:
// it is moved away, and fresh pages take its place, which nothing has touched.
#pragma once
#include "fabric/Status.h"
#include "libompdsm/src/AddressSpace.h"
#include <vector>

namespace ompdsm {

class InitialGlobals {
public:
  /// Moves the contents of `range`, whole pages, away. At start, before instrumented code runs.
  Status moveAway(AddressRange range);
  /// Where the initial contents of a global are, or null if they were not moved away.
  const std::byte *find(const void *global, std::size_t bytes) const;

private:
  struct Moved {
    AddressRange range;
    const std::byte *contents;
  };
  std::vector<Moved> moved_;
};

} // namespace ompdsm
