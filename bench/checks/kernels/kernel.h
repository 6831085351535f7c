// kernel.h: what the kernels of bench/checks share: the size from the arguments, and checksums that
// do not depend on the number of threads.
#ifndef OMPDSM_BENCH_CHECKS_KERNEL_H
#define OMPDSM_BENCH_CHECKS_KERNEL_H

#include "../../shared/generate.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// 1 if the only argument is --small, 0 if there is none; anything else ends the program with exit
/// code 2.
static inline int isSmall(int argc, char **argv) {
  if (argc == 1)
    return 0;
  if (argc == 2 && !strcmp(argv[1], "--small"))
    return 1;
  fprintf(stderr, "usage: %s [--small]\n", argv[0]);
  exit(2);
}

/// Depends on every bit of every value and on its place, and on nothing else.
static inline uint64_t hashDoubles(const double *values, size_t count) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    sum += (bits ^ i) * 0x9E3779B97F4A7C15u + (bits >> 32) * (2 * i + 1);
  }
  return mix(sum);
}

/// The same for integers of 32 bits.
static inline uint64_t hashWords(const uint32_t *values, size_t count) {
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (size_t i = 0; i < count; i++)
    sum += (values[i] ^ i) * 0x9E3779B97F4A7C15u;
  return mix(sum);
}

/// What main returns: prints the answer and whether the kernel has found it right.
static inline int conclude(uint64_t answer, int isRight) {
  printf("answer %016" PRIx64 "\n%s\n", answer, isRight ? "verified" : "NOT VERIFIED");
  return isRight ? 0 : 1;
}

#endif
