// openmp.h: omp.h, and for the serial version what its functions answer for a team of one thread.
#ifndef OMPDSM_BENCH_COMPARE_OPENMP_H
#define OMPDSM_BENCH_COMPARE_OPENMP_H

#ifdef _OPENMP
#include <omp.h>
#else
typedef int omp_lock_t;
static inline void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static inline void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
#endif

#endif
