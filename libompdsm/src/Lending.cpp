// Lending.cpp: structures that code without checks gets from code with them.
//
// A library keeps its state in a structure of the caller's, and stores to it without asking: other
// nodes would keep what they have of it. So a structure that is handed to such code is asked for
// before, as if the caller read and wrote all of it. Larger objects are arrays. In a region their
// parts are other threads', and the callee gets some part of them: nothing is asked for. In serial
// code all of an array is, as the regions before may have left any part of it on other nodes. Of
// what an object points to nothing is known.
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// Inside and outside of regions.
constexpr std::size_t kMostBytes = OMPDSM_SMALL_OBJECT_BYTES, kMostSerialBytes = 1 << 30;
/// Taken for the size of what nobody knows: an object on some caller's stack, or of another node's
/// heap.
constexpr std::size_t kProbableBytes = 1024;

/// The object that begins at `p`, or that `p` points into; empty if it is none to lend.
AddressRange objectAt(const Runtime &job, void *p, std::size_t bytes) {
  const AddressSpace &space = *job.addressSpace;
  const Address begin = reinterpret_cast<Address>(p);
  if (!space.contains(p)) {
    const Area *area = job.addressMap.find(begin);
    if (!area)
      return {};
    const AddressRange variable = job.variables.find(begin);
    return variable.bytes() != 0 ? variable : AddressRange{begin, begin + bytes};
  }
  const AreaUse use = space.useOf(p);
  const NodeId owner = space.ownerOf(p);
  if (use == AreaUse::LargeApplication)
    return enclosingSpreadFrame() ? AddressRange{} : ObjectExtents(space).find(p);
  if (use != AreaUse::SmallApplication && use != AreaUse::Stacks)
    return {}; // Looked after for such code already.
  if (bytes == 0)
    bytes =
        use == AreaUse::SmallApplication && owner == job.node ? usableMemory(p) : kProbableBytes;
  return {begin, std::min(begin + bytes, space.area(owner, use).end)};
}

} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_lend(void *p, std::int64_t bytes) {
  const Runtime *job = runtime();
  if (!job || !job->engine)
    return;
  const AddressRange object = objectAt(*job, p, std::size_t(bytes));
  if (object.bytes() != 0 &&
      object.bytes() <= (enclosingSpreadFrame() ? kMostBytes : kMostSerialBytes))
    ensureWrite(reinterpret_cast<void *>(object.begin), object.bytes());
}
