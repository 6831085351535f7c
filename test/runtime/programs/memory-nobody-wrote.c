// Memory that nobody has written is read by other nodes without its zeros being sent, and takes no
// pages on any node; what stands in it is not lost.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 2 -t 1 --stats %t 2>%t.stats | %check %s
// RUN: %check --check-prefix=STATS --input-file=%t.stats %s
// RUN: env OMPDSM_PAGE_FAULTS=0 %run -n 2 -t 1 %t | %check %s
// Megabytes that node 0 has sent, of 64 that node 1 has read (the sixth number).
// STATS: {{^ompdsm: +0( +[0-9.]+){5} +[01]\.[0-9] }}
// CHECK: node 1 sums to 12
#include "resident.h"
#include <omp.h>

enum { Bytes = 64 << 20, Most = 40 << 20 };

int main(void) {
  char *array = calloc(Bytes, 1);
  array[7] = 5;
  array[Bytes - 1] = 7;
  long sum = 0;
  const long atHome = residentBytes();
#pragma omp parallel num_threads(2) reduction(+ : sum)
  if (omp_get_thread_num() == 1) {
    const long before = residentBytes();
    for (long i = 0; i < Bytes; ++i)
      sum += array[i];
    const long more = residentBytes() - before;
    EXPECT(more < Most);
  }
  EXPECT(residentBytes() - atHome < Most);
  printf("node 1 sums to %ld\n", sum);
  free(array);
  return 0;
}
