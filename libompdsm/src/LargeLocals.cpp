// LargeLocals.cpp: the list, and the entries of the ABI.
#include "libompdsm/src/LargeLocals.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SharedStacks.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

template <class IsGone> void LargeLocals::endIf(IsGone isGone) {
  std::erase_if(moved_, [&](const Moved &moved) {
    if (!isGone(moved.local))
      return false;
    freeMemory(moved.place);
    return true;
  });
}

void *LargeLocals::begin(void *local, std::size_t bytes, Address frame) {
  if (bytes <= OMPDSM_SMALL_OBJECT_BYTES || !runtime_.stacks->area().contains(frame))
    return local; // coroutines and handlers of signals may have stacks of their own
  const AddressRange mine{reinterpret_cast<Address>(local),
                          reinterpret_cast<Address>(local) + bytes};
  endIf([&](const AddressRange &other) {
    return other.begin < frame || (other.begin < mine.end && mine.begin < other.end);
  });
  void *const place = allocateMemory(HeapKind::Application, bytes, kPageBytes, /*zeroed=*/false);
  if (!place)
    return local;
  moved_.push_back({mine, place});
  return place;
}

void LargeLocals::end(const void *local) {
  endIf([&](const AddressRange &other) { return other.begin == reinterpret_cast<Address>(local); });
}

void LargeLocals::endBelow(Address above) {
  endIf([&](const AddressRange &other) { return other.begin < above; });
}

namespace {
/// Of the calling thread, if other nodes may use its local variables.
LargeLocals *largeLocals() {
  return currentThread.initial && jobIsSpread() ? runtime()->largeLocals.get() : nullptr;
}
} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void *__ompdsm_local_begin(void *local, std::uint64_t bytes) {
  LargeLocals *const locals = largeLocals();
  if (!locals || !startsSpreadRegion())
    return local;
  return locals->begin(local, bytes, reinterpret_cast<Address>(__builtin_frame_address(0)));
}

OMPDSM_EXPORT void __ompdsm_local_end(void *local, void *place) {
  if (place == local)
    return;
  if (LargeLocals *const locals = largeLocals())
    locals->end(local);
}

OMPDSM_EXPORT void __ompdsm_locals_end(void *above) {
  if (LargeLocals *const locals = largeLocals())
    locals->endBelow(reinterpret_cast<Address>(above));
}
