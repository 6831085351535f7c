// Statistics name variables and allocations in whose blocks several nodes write between the same barriers. What each node
// has to itself is not among them.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 3 -t 1 --stats %t > %t.out 2>&1
// RUN: %check --input-file=%t.out %s
// RUN: %check --check-prefix=NONE --input-file=%t.out %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --provider tcp %t > %t.out
// RUN: %check --check-prefix=JSON --input-file=%t.json %s
// RUN: %run -n 2 -t 1 --stats %t apart 2>&1 | %check --check-prefix=APART %s
// CHECK-DAG: right
// CHECK-DAG: times a block was changed by several nodes between two barriers (false sharing), most of all
// CHECK-DAG: {{ [12][0-9][0-9] in 1 blocks of variables? .*tally}}
// CHECK-DAG: {{ 6[0-9][0-9][0-9] in 32 blocks of an allocation of 65536 bytes of node 0 at 0x}}
// NONE-NOT: variable apart
// JSON: "falsely_shared": {{[1-9]}}
// JSON: "memory": "variable{{s?.*}} tally{{[", ]}}
// APART: right
// APART-NOT: false sharing
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rounds = 200, MostThreads = 16, Words = 8192 };
static long guarded;
static long apart[MostThreads][4096];
static long tally[MostThreads];

int main(int argc, char **argv) {
  (void)argv;
  const int together = argc == 1;
  long *heap = malloc(Words * sizeof *heap);
  for (int i = 0; i < Words; i++)
    heap[i] = 0;
#pragma omp parallel
  for (int round = 0; round < Rounds; round++) {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    apart[me][round] += round;
    if (together) {
      tally[me]++;
      for (int i = me; i < Words; i += all) // in turn
        heap[i]++;
    }
#pragma omp barrier
#pragma omp critical
    guarded++;
  }
  long sum = 0, expected = (long)Rounds * omp_get_max_threads();
  for (int i = 0; i < MostThreads; i++)
    sum += tally[i];
  for (int i = 0; i < Words; i++)
    if (heap[i] != (together ? Rounds : 0))
      sum = -1;
  printf("%s\n", sum == (together ? expected : 0) && guarded == expected ? "right" : "wrong");
  return 0;
}
