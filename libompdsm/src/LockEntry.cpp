// LockEntry.cpp: the omp_*_lock and omp_*_nest_lock routines, under their C and their Fortran
// names.
//
// A lock of a spread job is its address: nothing is stored in the user's variable, so that
// initialising and destroying it need nothing.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Team.h"

using namespace ompdsm;

namespace {
Address addressOf(void *lock) { return reinterpret_cast<Address>(lock); }
} // namespace

OMPDSM_EXPORT void omp_set_lock(void *lock) {
  if (jobIsSpread())
    return team().locks().acquire(addressOf(lock));
  libomp().omp_set_lock(lock);
}

OMPDSM_EXPORT void omp_unset_lock(void *lock) {
  if (jobIsSpread())
    return team().locks().unset(addressOf(lock));
  libomp().omp_unset_lock(lock);
}

OMPDSM_EXPORT int omp_test_lock(void *lock) {
  if (jobIsSpread())
    return team().locks().tryAcquire(addressOf(lock));
  return libomp().omp_test_lock(lock);
}

OMPDSM_EXPORT void omp_set_nest_lock(void *lock) {
  if (jobIsSpread())
    team().locks().acquireNested(addressOf(lock));
  else
    libomp().omp_set_nest_lock(lock);
}

OMPDSM_EXPORT void omp_unset_nest_lock(void *lock) {
  if (jobIsSpread())
    team().locks().releaseNested(addressOf(lock));
  else
    libomp().omp_unset_nest_lock(lock);
}

OMPDSM_EXPORT int omp_test_nest_lock(void *lock) {
  if (jobIsSpread())
    return team().locks().tryAcquireNested(addressOf(lock));
  return libomp().omp_test_nest_lock(lock);
}

#define OMPDSM_LOCK_ENTRIES(kind)                                                                  \
  OMPDSM_EXPORT void omp_init_##kind(void *lock) {                                                 \
    if (!jobIsSpread())                                                                            \
      libomp().omp_init_##kind(lock);                                                              \
  }                                                                                                \
  OMPDSM_EXPORT void omp_init_##kind##_with_hint(void *lock, std::int32_t hint) {                  \
    if (!jobIsSpread())                                                                            \
      libomp().omp_init_##kind##_with_hint(lock, hint);                                            \
  }                                                                                                \
  OMPDSM_EXPORT void omp_destroy_##kind(void *lock) {                                              \
    if (!jobIsSpread())                                                                            \
      libomp().omp_destroy_##kind(lock);                                                           \
  }                                                                                                \
  OMPDSM_EXPORT void omp_init_##kind##_(void *lock) { omp_init_##kind(lock); }                     \
  OMPDSM_EXPORT void omp_init_##kind##_with_hint_(void *lock, const std::int32_t *hint) {          \
    omp_init_##kind##_with_hint(lock, *hint);                                                      \
  }                                                                                                \
  OMPDSM_EXPORT void omp_destroy_##kind##_(void *lock) { omp_destroy_##kind(lock); }               \
  OMPDSM_EXPORT void omp_set_##kind##_(void *lock) { omp_set_##kind(lock); }                       \
  OMPDSM_EXPORT void omp_unset_##kind##_(void *lock) { omp_unset_##kind(lock); }                   \
  OMPDSM_EXPORT int omp_test_##kind##_(void *lock) { return omp_test_##kind(lock); }

OMPDSM_LOCK_ENTRIES(lock)
OMPDSM_LOCK_ENTRIES(nest_lock)
