// ConstructEntry.cpp: the __kmpc_* entries of ordered, doacross, copyprivate and scope.
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Ordered.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/ThreadLocalCopies.h"
#include "libompdsm/src/ThreadLocalStorage.h"

using namespace ompdsm;

// --- ordered. Outside of a loop with an ordered clause (simd, or the clause forgotten) the region
// is the thread's own.

OMPDSM_EXPORT void __kmpc_ordered(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = spreadFrame();
  if (!frame)
    return libomp().__kmpc_ordered(location, gtid);
  if (frame->ordered.active)
    enterOrdered(*frame);
}

OMPDSM_EXPORT void __kmpc_end_ordered(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = spreadFrame();
  if (!frame)
    return libomp().__kmpc_end_ordered(location, gtid);
  if (frame->ordered.active)
    leaveOrdered(*frame);
}

// --- ordered(n), depend(source) and depend(sink).

OMPDSM_EXPORT void __kmpc_doacross_init(Ident *location, std::int32_t gtid, std::int32_t count,
                                        const DoacrossDimension *dimensions) {
  if (RegionFrame *frame = spreadFrame())
    return beginDoacross(*frame, dimensions, unsigned(count));
  libomp().__kmpc_doacross_init(location, gtid, count, dimensions);
}

OMPDSM_EXPORT void __kmpc_doacross_wait(Ident *location, std::int32_t gtid,
                                        const std::int64_t *vector) {
  if (RegionFrame *frame = spreadFrame())
    return awaitIteration(*frame, vector);
  libomp().__kmpc_doacross_wait(location, gtid, vector);
}

OMPDSM_EXPORT void __kmpc_doacross_post(Ident *location, std::int32_t gtid,
                                        const std::int64_t *vector) {
  if (RegionFrame *frame = spreadFrame())
    return postIteration(*frame, vector);
  libomp().__kmpc_doacross_post(location, gtid, vector);
}

OMPDSM_EXPORT void __kmpc_doacross_fini(Ident *location, std::int32_t gtid) {
  if (RegionFrame *frame = spreadFrame())
    return endDoacross(*frame);
  libomp().__kmpc_doacross_fini(location, gtid);
}

// --- single copyprivate.

namespace {

/// The list of addresses travels as it is, so all of them must mean the same on other nodes: those of
/// thread-local variables become those of copies. The compiled code does not use the list again.
void shareThreadLocals(const Ident *location, void **list, std::size_t count,
                       ThreadLocalCopies &copies) {
  for (std::size_t i = 0; i < count; ++i)
    if (isOwnThreadLocal(list[i])) {
      ensureWrite(&list[i], sizeof list[i]);
      list[i] = copies.addWithRest(location, list[i]);
    }
}

} // namespace

OMPDSM_EXPORT void __kmpc_copyprivate(Ident *location, std::int32_t gtid, std::size_t bytes,
                                      void *data, CopyFunction copy, std::int32_t did) {
  RegionFrame *frame = spreadFrame();
  if (!frame)
    return libomp().__kmpc_copyprivate(location, gtid, bytes, data, copy, did);
  team().singles().noteBarrier(*frame);
  ThreadLocalCopies copies; // Until the barrier at the end.
  if (did)
    shareThreadLocals(location, static_cast<void **>(data), bytes / sizeof(void *), copies);
  void *source = team().copyPrivates().broadcast(location, gtid, *frame, data, did != 0);
  if (!did)
    copy(data, source);
  barrierOfTeam(location, gtid, *frame, __builtin_return_address(0)); // The source may go now.
}

OMPDSM_EXPORT void *__kmpc_copyprivate_light(Ident *location, std::int32_t gtid, void *data) {
  RegionFrame *frame = spreadFrame();
  if (!frame)
    return libomp().__kmpc_copyprivate_light(location, gtid, data);
  if (data && isOwnThreadLocal(data))
    fatal("copyprivate of a threadprivate variable at %s is not supported on more than one node in this "
          "form; run with -n 1",
          sourceLine(location).c_str());
  return team().copyPrivates().broadcast(location, gtid, *frame, data, data != nullptr);
}

// --- scope: in libomp, only a tool's business.

OMPDSM_EXPORT void __kmpc_scope(Ident *location, std::int32_t gtid, void *reserved) {
  if (!spreadFrame())
    libomp().__kmpc_scope(location, gtid, reserved);
}

OMPDSM_EXPORT void __kmpc_end_scope(Ident *location, std::int32_t gtid, void *reserved) {
  if (!spreadFrame())
    libomp().__kmpc_end_scope(location, gtid, reserved);
}
