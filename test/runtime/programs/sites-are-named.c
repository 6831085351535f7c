// Statistics name the places at which nodes met: what waiting there took, and what was sent to others unasked and read by them.
// A vector is rewritten before one barrier and gathered behind it; before the other, nothing is written.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 3 -t 1 %t | %check %s
// RUN: %python %S/Inputs/site.py %t.json sites-are-named.c:34 "visits == 300 and pushed > 1000 and efficiency > 0.9 and coverage > 0.9 and seconds > 0"
// RUN: %python %S/Inputs/site.py %t.json sites-are-named.c:39 "visits == 300 and pushed == 0 and fetched == 0 and efficiency is None"
// RUN: %python %S/Inputs/site.py %t.json "sites-are-named.c:29, region begins" "visits == 1 and pushed == 0"
// RUN: %python %S/Inputs/site.py %t.json sites-are-named.c:34 "visits == 299"; test $? = 1
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_PUSH=0 %run -n 3 -t 1 %t | %check %s
// RUN: %python %S/Inputs/site.py %t.json sites-are-named.c:34 "visits == 300 and pushed == 0 and fetched > 1000 and coverage == 0"
// RUN: %run -n 2 -t 2 --stats %t 2>&1 | %check --check-prefix=TABLE %s
// TABLE: visits s.barrier    s.miss   fetched    pushed   read   late covered  at
// TABLE-DAG: sites-are-named.c:34, barrier
// TABLE-DAG: sites-are-named.c:39, barrier
// TABLE-DAG: sites-are-named.c:29, region begins
// TABLE-DAG: sites-are-named.c:29, region ends
// With one node there are none.
// RUN: env OMPDSM_STATS_FILE=%t.one.json %run -n 1 -t 2 %t | %check %s
// RUN: %check --check-prefix=ONE --input-file=%t.one.json %s
// ONE: "sites": []
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rounds = 300, Words = 24 * 1024 };

int main(void) {
  long *vector = calloc(Words, sizeof *vector), sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (long round = 1; round <= Rounds; round++) {
    const long me = omp_get_thread_num(), all = omp_get_num_threads();
    for (long i = Words * me / all; i < Words * (me + 1) / all; i++)
      vector[i] = i * round;
#pragma omp barrier
    for (long i = 0; i < Words; i += 128)
      sum += vector[i] == i * round;
    for (long i = 64; i < Words; i += 128)
      sum -= vector[i] != i * round;
#pragma omp barrier
  }
  printf("%s\n", sum == (long)Rounds * (Words / 128) * omp_get_max_threads() ? "right" : "wrong"); // CHECK: right
  return 0;
}
