// stress.h: what every generated program uses. The same text is right with OpenMP and without: then
// the program is its own serial reference.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#else
typedef int omp_lock_t;
typedef int omp_nest_lock_t;
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline void omp_init_lock(omp_lock_t *lock) { *lock = 0; }
static inline void omp_set_lock(omp_lock_t *lock) { *lock = 1; }
static inline int omp_test_lock(omp_lock_t *lock) { return *lock = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { *lock = 0; }
static inline void omp_destroy_lock(omp_lock_t *lock) { *lock = 0; }
static inline void omp_init_nest_lock(omp_nest_lock_t *lock) { *lock = 0; }
static inline void omp_set_nest_lock(omp_nest_lock_t *lock) { ++*lock; }
static inline void omp_unset_nest_lock(omp_nest_lock_t *lock) { --*lock; }
static inline void omp_destroy_nest_lock(omp_nest_lock_t *lock) { *lock = 0; }
#endif

typedef uint32_t u32;
typedef uint64_t u64;

/// Checks inside of the program that failed.
static unsigned wrong;

/// Counts a check that failed, from any thread.
#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      _Pragma("omp atomic") wrong += 1;                                                            \
    }                                                                                              \
  } while (0)

/// One line of the program's result.
static inline void note(const char *what, u64 value) {
  printf("%s %016llx\n", what, (unsigned long long)value);
}

/// Spreads the bits of a small number.
static inline u32 mix(u32 x) {
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return (x ^ (x >> 12)) * 0x297a2d39u;
}

static inline u64 bitsOfDouble(double x) { return (u64)(long long)x; }
