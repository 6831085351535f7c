// A node whose thread computes serves others in between: each line that node 0 reads here is node 1's,
// which computes all the time, and says which one is next. Then node 0 counts in node 1's memory until node 1 has had
// processor time enough for a look. The answers are the same whether its threads look or not.
// REQUIRES: two-cores
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_PREFETCH=0 OMPDSM_OBJECTS=0 %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=SERVED --input-file=%t.json %s
// Without looks in loops, atomic operations may look in time, or the service thread is woken.
// RUN: %cc -O2 -fplugin-arg-ompdsm-no-polls %s -o %t.none
// RUN: env OMPDSM_PREFETCH=0 OMPDSM_OBJECTS=0 %run -n 2 -t 1 %t.none | %check %s
// RUN: env OMPDSM_STATS_FILE=%t.off.json OMPDSM_ATTENTION=0 %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=NEVER --input-file=%t.off.json %s
// Without another node of this host nobody sees the flag.
// RUN: %run -n 2 -t 1 --provider tcp %t | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// SERVED: "attended": {{[1-9]}}
// NEVER-NOT: "attended": {{[1-9]}}
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Lines = 2048, Step = 77, Stride = 4096 / sizeof(int) };
static int isDone;

/// Seconds that the calling thread has run: what it gets does not depend on what else runs here.
static double processorTime(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

/// Some microseconds.
__attribute__((noinline)) static double compute(int rows, double from) {
  double table[64] = {from};
  for (int row = 0; row < rows; row++)
    for (int i = 1; i < 64; i++)
      table[i] = table[i - 1] * 0.5 + row;
  return table[63];
}

int main(void) {
  int *lines = NULL, *counted = NULL;
  long sum = 0, asked = 0;
  double computed = 0;
#pragma omp parallel num_threads(2)
  {
    const int me = omp_get_thread_num();
    if (me == 1) {
      lines = malloc(Lines * Stride * sizeof(int)); // whose home is here
      for (int i = 0; i < Lines; i++)
        lines[i * Stride] = (i + Step) % Lines;
      counted = calloc(Stride, sizeof(int));
    }
#pragma omp barrier
    if (me == 0) {
      int at = 0;
      do {
        sum += at = lines[at * Stride];
      } while (at != 0);
      for (int done = 0, old; !done; asked += old >= 0) {
#pragma omp atomic capture
        old = (*counted)++;
#pragma omp atomic read
        done = isDone;
      }
    } else {
      const double end = processorTime() + 0.25;
      while (processorTime() < end)
        computed = compute(20000, computed);
#pragma omp atomic write
      isDone = 1;
    }
  }
  // CHECK: sum 2096128, all counted, computed
  printf("sum %ld, %s counted, computed%s\n", sum, *counted == asked ? "all" : "not all",
         computed > 0 ? "" : " nothing");
  free(lines);
  free(counted);
  return 0;
}
