// How often and how long threads wait for locks that other nodes have is in the statistics; locks that are here, or
// that nobody else wants, cost nothing.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.table | %check %s
// RUN: %check --check-prefix=WAITS --input-file=%t.json %s
// RUN: %check --check-prefix=TABLE --input-file=%t.table %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t alone 2>%t.table | %check %s
// RUN: %check --check-prefix=NONE --input-file=%t.json %s
// Each of the 100 turns hands the lock to the other node.
// WAITS: "lock_waits": {{[1-9][0-9]+}},
// WAITS: "time_in_locks_seconds": {{.*[1-9]}}
// TABLE: s.release    s.lock   s.order
// At most once for each node.
// NONE: "lock_waits": {{[01]}},
// NONE: "lock_waits": {{[01]}},
#include <omp.h>
#include <stdio.h>

enum { Turns = 100 };
static long value;

int main(int argc, char **argv) {
  const int alone = argc > 1;
  (void)argv;
#pragma omp parallel
  for (int turn = 0; turn < Turns; turn++) {
    if (omp_get_thread_num() == (alone ? 0 : turn % 2)) {
#pragma omp critical
      value++;
    }
#pragma omp barrier
  }
  printf("value %ld\n", value); // CHECK: value 100
  return 0;
}
