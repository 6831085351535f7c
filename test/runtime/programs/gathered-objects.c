// What a loop gathers from is fetched whole, in few messages, once the loop has missed on much of it; what it touches in
// few places only is not, and neither is what it writes.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_MIGRATE=0 OMPDSM_PREFETCH=0 %run -n 2 -t 1 --stats %t much 2>%t.stats | %check %s
// RUN: %check --check-prefix=MUCH --input-file=%t.stats %s
// RUN: env OMPDSM_MIGRATE=0 OMPDSM_PREFETCH=0 %run -n 2 -t 1 --stats %t little 2>%t.stats | %check %s
// RUN: %check --check-prefix=LITTLE --input-file=%t.stats %s
// RUN: %run -n 3 -t 2 %t much | %check %s
// RUN: env OMPDSM_CACHE_LIMIT=64K %run -n 2 -t 2 %t much | %check %s
// Of node 1: misses (without whole fetches some 12800), and megabytes fetched (with them 12.8).
// MUCH: {{^ompdsm: +1 +[0-9]{1,3} }}
// LITTLE: {{^ompdsm: +1( +[0-9.]+){2} +[0-2]\.[0-9] }}
// CHECK: right
#include "expect.h"
#include <omp.h>
#include <string.h>

enum { N = 32768, Rounds = 50, Few = 12 };

static long gather(const long *values, const int *index, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[index[i]];
  return sum;
}

int main(int argc, char **argv) {
  const int much = argc > 1 && !strcmp(argv[1], "much"), count = much ? N : Few;
  long *values = malloc(N * sizeof *values), wrong = 0;
  int *index = malloc(N * sizeof *index);
  for (int i = 0; i < N; i++)
    index[i] = (int)((i * 10007L + (much ? 0 : 77)) % (much ? N : 300)); // few: within three blocks
  for (int round = 1; round <= Rounds; round++) {
    for (int i = 0; i < N; i++)
      values[i] = (long)i * round;
    long expected = 0;
    for (int i = 0; i < count; i++)
      expected += (long)index[i] * round;
#pragma omp parallel reduction(+ : wrong)
    wrong += gather(values, index, count) != expected;
  }
  puts(wrong ? "wrong" : "right");
  free(values);
  free(index);
  return wrong != 0;
}
