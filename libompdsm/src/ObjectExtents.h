// ObjectExtents.h: where each large object of the application heaps begins and ends, for every
// node.
//
// A check in front of a loop may ask about the whole object that a pointer points into
// (ObjectChecks.cpp). The table is shared memory like any other, one entry for each page of the
// heap, written by the node that allocates: whoever has got the pointer by way of synchronisation
// finds the entry that belongs to it. An entry outlives its object; it may only be asked about
// pointers that are valid.
#pragma once
#include "libompdsm/src/AddressSpace.h"

namespace ompdsm {

class ObjectExtents {
public:
  explicit ObjectExtents(const AddressSpace &space) : space_(space) {}

  /// The calling thread has allocated [p, p + bytes), of a LargeApplication area of its node, or
  /// has changed its size.
  void note(const void *p, std::size_t bytes) const;
  /// The object, in whole lines, that holds `p`, which lies in a LargeApplication area; empty if
  /// none is known. May fetch the entry from its node.
  AddressRange find(const void *p) const;
  /// The same, if that can be said without asking.
  AddressRange findHere(const void *p) const;

private:
  /// Entries of all pages that [p, p + bytes) touches.
  std::uint64_t *entriesOf(const void *p) const;
  AddressRange decode(const void *p, std::uint64_t entry) const;

  const AddressSpace &space_;
};

} // namespace ompdsm
