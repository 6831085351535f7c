// ObjectChecks.cpp: what compiled code calls in front of a loop whose accesses cannot be computed:
// may all of an object be accessed? If so, it takes a copy of the loop that has no checks. Nothing
// is fetched here: what the loop does not access would be fetched in vain.
//
// An answer may be about more than the object, never about less.
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/Runtime.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// What holds the object that `p` points into; empty if that is not known.
AddressRange extentsAround(const Runtime &job, const void *p) {
  const AddressSpace &space = *job.addressSpace;
  const Address address = reinterpret_cast<Address>(p);
  if (!space.contains(p)) {
    // A variable lies in its section; what is in no area is this node's own, and never misses.
    const Area *area = job.addressMap.find(address);
    return area ? AddressRange{area->begin, area->end} : AddressRange{address, address + 1};
  }
  switch (space.useOf(p)) {
  case AreaUse::LargeApplication:
    return ObjectExtents(space).find(p);
  case AreaUse::SmallApplication:
  case AreaUse::SmallPinned: {
    const AddressRange area = space.area(space.ownerOf(p), space.useOf(p));
    return {std::max(area.begin, address - OMPDSM_SMALL_OBJECT_BYTES),
            std::min(area.end, address + OMPDSM_SMALL_OBJECT_BYTES)};
  }
  case AreaUse::LargePinned:
  case AreaUse::Stacks:
  case AreaUse::Extents:
    return {};
  }
  return {};
}

/// With one node everything is valid. After the job's end exit handlers get what there is.
bool neverMisses(const Runtime *job) { return !job || !job->engine; }

std::int32_t isObjectValid(const void *p, unsigned missBit) {
  const Runtime *job = runtime();
  if (neverMisses(job))
    return 1;
  const AddressRange extents = extentsAround(*job, p);
  return extents.bytes() != 0 &&
         !job->addressSpace->anyMisses(reinterpret_cast<const void *>(extents.begin),
                                       extents.bytes(), missBit);
}

std::int32_t isRangeValid(const void *p, std::size_t bytes, unsigned missBit) {
  const Runtime *job = runtime();
  return neverMisses(job) || !job->addressSpace->anyMisses(p, bytes, missBit);
}

} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT std::int32_t __ompdsm_object_readable(const void *p) {
  return isObjectValid(p, OMPDSM_READ_MISSES);
}
OMPDSM_EXPORT std::int32_t __ompdsm_object_writable(const void *p) {
  return isObjectValid(p, OMPDSM_WRITE_MISSES);
}
OMPDSM_EXPORT std::int32_t __ompdsm_range_readable(const void *p, std::size_t bytes) {
  return isRangeValid(p, bytes, OMPDSM_READ_MISSES);
}
OMPDSM_EXPORT std::int32_t __ompdsm_range_writable(const void *p, std::size_t bytes) {
  return isRangeValid(p, bytes, OMPDSM_WRITE_MISSES);
}
