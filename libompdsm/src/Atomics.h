// Atomics.h: atomic operations of instrumented code (the __ompdsm_atomic_* functions of
// ompdsm/abi.def), and the arithmetic behind them.
//
// Ordering: an operation with release semantics on shared memory does the thread's release before,
// an operation with acquire semantics makes what others released visible after. Relaxed ones do
// neither.
#pragma once
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "protocol/engine/Engine.h"

namespace ompdsm {

/// Whether other nodes may know of it.
inline bool isShared(const void *target) {
  return jobIsSpread() && runtime()->addressMap.find(reinterpret_cast<Address>(target));
}

/// The engine's AtomicExecutor: performs `operation` on memory of this process, atomically with
/// respect to all native atomics, and writes the old value to `old`.
void executeAtomic(void *target, const AtomicOperation &operation, std::byte *old);

/// The engine's SumExecutor.
void addSums(std::byte *line, const AtomicOperation &operation, const std::byte *sums);

} // namespace ompdsm

/// Of abi.def; for the runtime's own use.
extern "C" std::uint64_t __ompdsm_atomic_load(void *p, std::int32_t bytes, std::int32_t order);
