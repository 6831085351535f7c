// PageSupplier.h: who gives memory to the pages of other nodes.
//
// Where there is one, a page that holds nothing yet is absent: code that was not compiled with
// checks faults there instead of reading what was never fetched. So the engine fetches all blocks
// of such a page at once, and the page appears with all of its contents.
#pragma once
#include "protocol/engine/AddressMap.h"
#include <cstddef>

namespace ompdsm {

class PageSupplier {
public:
  virtual bool isAbsent(Address address) const = 0;
  /// Makes the absent pages among those that hold [begin, begin + bytes), which the engine is about
  /// to write: with these contents where they lie wholly inside, else filled with zeros. Contents
  /// may be null, for zeros: then they take no memory until they are written to.
  virtual void supply(Address begin, std::size_t bytes, const std::byte *contents) = 0;
  /// The pages of [begin, begin + bytes) are absent again from now on; the engine unmaps them.
  virtual void withdraw(Address begin, std::size_t bytes) = 0;

protected:
  ~PageSupplier() = default;
};

} // namespace ompdsm
