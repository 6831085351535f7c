// generate.h: what programs below bench make their problems with: memory, and pseudo-random numbers
// that do not depend on the number of threads or processes.
#ifndef OMPDSM_BENCH_SHARED_GENERATE_H
#define OMPDSM_BENCH_SHARED_GENERATE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// Memory for `count` objects of `size` bytes; ends the program if there is none.
static inline void *allocate(size_t count, size_t size) {
  void *memory = malloc(count * size);
  if (!memory) {
    fprintf(stderr, "no memory for %zu objects of %zu bytes\n", count, size);
    exit(1);
  }
  return memory;
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014): a bijection whose results for 0, 1, 2, ... serve as random numbers.
static inline uint64_t mix(uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

/// Random number `index`, in [0, 1).
static inline double randomUnit(uint64_t index) { return (double)(mix(index) >> 11) * 0x1p-53; }

#endif
