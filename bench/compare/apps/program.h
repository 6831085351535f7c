// program.h: what all programs of bench/compare share: their arguments, their clock, how they deal
// out work, and what they print.
//
// A program does one round that is not timed, then its timed rounds; the runner finds what these
// send as the difference to a run with 0 rounds.
#ifndef OMPDSM_BENCH_COMPARE_PROGRAM_H
#define OMPDSM_BENCH_COMPARE_PROGRAM_H

#include "../../shared/generate.h"
#include <math.h>
#include <string.h>
#include <time.h>

enum SizeClass { Smoke, Small, Full, SizeClasses };

struct Arguments {
  enum SizeClass size;
  int rounds; ///< Timed ones, at least 0.
};

/// Reads "SIZE [ROUNDS]"; without ROUNDS it is defaultRounds[size]. Anything else ends the program
/// with exit code 2.
static inline struct Arguments parseArguments(int argc, char **argv,
                                              const int defaultRounds[SizeClasses]) {
  static const char *const names[SizeClasses] = {"smoke", "small", "full"};
  for (int size = 0; size < SizeClasses && argc >= 2 && argc <= 3; size++)
    if (!strcmp(argv[1], names[size])) {
      char *end = "";
      const long rounds = argc == 3 ? strtol(argv[2], &end, 10) : defaultRounds[size];
      if (*end || rounds < 0 || rounds > 1000000)
        break;
      return (struct Arguments){(enum SizeClass)size, (int)rounds};
    }
  fprintf(stderr, "usage: %s smoke|small|full [ROUNDS]\n", argv[0]);
  exit(2);
}

/// Seconds since some moment.
static inline double wallSeconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/// The first of `count` objects that belongs to `part` of `parts`: contiguous parts whose sizes
/// differ by at most 1, the larger ones first (as schedule(static) deals iterations).
static inline long partBegin(long count, int parts, int part) {
  const long extra = count % parts;
  return part * (count / parts) + (part < extra ? part : extra);
}

/// The part that object `index` of `count` belongs to.
static inline int partOf(long count, int parts, long index) {
  int part = 0;
  while (index >= partBegin(count, parts, part + 1))
    part++;
  return part;
}

/// Prints how many rounds were timed, their seconds, and the `count` numbers of the answer.
static inline void report(int rounds, double seconds, const double *answer, int count) {
  printf("rounds %d\nseconds %.6f\nanswer", rounds, seconds);
  for (int i = 0; i < count; i++)
    printf(" %.16g", answer[i]);
  printf("\n");
}

#endif
