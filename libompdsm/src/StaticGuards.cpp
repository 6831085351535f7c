// StaticGuards.cpp: initialises function-local statics of instrumented code once in the whole job.
//
// The statics themselves and their guards are shared memory. The C++ ABI's three functions (Itanium
// C++ ABI, section 3.3.3) are interposed: a guard in shared memory is held by a distributed lock
// keyed by its address, every other guard is the C++ library's business. The first byte of a guard
// is 1 when the object is initialised; compiled code reads it with an acquire load of its own.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"

using namespace ompdsm;

namespace {
bool isShared(const void *guard) {
  return jobIsSpread() && runtime()->addressMap.find(reinterpret_cast<Address>(guard));
}
Address lockOf(const void *guard) { return reinterpret_cast<Address>(guard); }

template <class Function> Function *real(const char *name) {
  return reinterpret_cast<Function *>(nextDefinition(name));
}
} // namespace

OMPDSM_EXPORT int __cxa_guard_acquire(std::uint8_t *guard) {
  if (!isShared(guard))
    return real<int(std::uint8_t *)>("__cxa_guard_acquire")(guard);
  LockTable &locks = team().locks();
  if (locks.ownedHere(lockOf(guard)))
    fatal("the initialiser of a static variable (guard at %p) executes its own declaration again",
          static_cast<void *>(guard));
  locks.acquire(lockOf(guard));
  runtime()->engine->ensure(lockOf(guard), 1, Access::Read);
  if (*guard == 0)
    return 1; // The caller initialises the object, and owns the lock until release or abort.
  locks.release(lockOf(guard));
  return 0;
}

OMPDSM_EXPORT void __cxa_guard_release(std::uint8_t *guard) {
  if (!isShared(guard))
    return real<void(std::uint8_t *)>("__cxa_guard_release")(guard);
  // The object must be at its home before the guard says so: other nodes test the guard with an
  // acquire load, without the lock.
  releaseHere();
  runtime()->engine->ensure(lockOf(guard), 1, Access::Write);
  // Release pairs with the acquire load of compiled code in this process.
  __atomic_store_n(guard, 1, __ATOMIC_RELEASE);
  team().locks().release(lockOf(guard));
}

OMPDSM_EXPORT void __cxa_guard_abort(std::uint8_t *guard) {
  if (!isShared(guard))
    return real<void(std::uint8_t *)>("__cxa_guard_abort")(guard);
  team().locks().release(lockOf(guard));
}
