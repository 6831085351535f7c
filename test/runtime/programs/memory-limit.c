// Nodes read eight times as much as OMPDSM_CACHE_LIMIT allows them to keep: copies that are not
// used go, their pages go back to the system, and the statistics tell. What one interval uses at
// once stays, also above the limit.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_CACHE_LIMIT=4M %run -n 3 -t 1 --stats %t 11000000 2>%t.stats | %check %s
// RUN: %check --check-prefix=STATS --input-file=%t.stats %s
// RUN: env OMPDSM_CACHE_LIMIT=4M OMPDSM_PAGE_FAULTS=0 %run -n 3 -t 2 %t 14000000 | %check %s
// RUN: %run -n 3 -t 1 --stats %t 110000000 2>%t.stats | %check %s
// RUN: %check --check-prefix=NONE --input-file=%t.stats %s
// RUN: env OMPDSM_CACHE_LIMIT=1M %run -n 2 -t 1 --stats %t 110000000 once 2>%t.stats | %check %s
// RUN: %check --check-prefix=MORE --input-file=%t.stats %s
// CHECK: right
// STATS: ompdsm: 1 had at most 4.{{[0-9]}} MB of other nodes' memory, and gave up {{[0-9]+}} pages of it
// STATS: ompdsm: 2 had at most 4.{{[0-9]}} MB of other nodes' memory, and gave up {{[0-9]+}} pages of it
// NONE-NOT: had at most
// MORE: ompdsm: 1 had at most 33.{{[0-9]}} MB of other nodes' memory
#include "resident.h"
#include <omp.h>

enum { Words = 4 << 20, Chunk = 1 << 15, Rounds = 3 };

int main(int argc, char **argv) {
  EXPECT(argc >= 2);
  const long most = atol(argv[1]), chunk = argc == 2 ? Chunk : Words;
  long *array = malloc(Words * sizeof *array);
  for (long i = 0; i < Words; ++i)
    array[i] = i;
  long wrong = 0, grown = 0;
#pragma omp parallel reduction(+ : wrong) reduction(max : grown)
  {
    const long before = residentBytes();
    for (int round = 0; round < Rounds; ++round)
      for (long first = 0; first < Words; first += chunk) {
        for (long i = first; i < first + chunk; ++i)
          wrong += array[i] != i;
#pragma omp barrier
      }
    grown = residentBytes() - before;
  }
  if (grown > most)
    fprintf(stderr, "a node has grown by %ld bytes\n", grown);
  printf(wrong == 0 && grown <= most ? "right\n" : "wrong\n");
  free(array);
  return 0;
}
