// Atomics on variables of every kind of memory: heap of each thread, stacks, statics; mixed with
// plain accesses of neighbours in the same block and, after barriers, with plain accesses of the
// same variable.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Steps = 25 };

struct Cell {
  long counter;
  long plain[7]; // written without atomics by single threads
};

static struct Cell *heap[Threads];
static struct Cell global;

int main(void) {
  struct Cell local = {0};
  int team = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    team = threads;
    heap[me] = calloc(1, sizeof *heap[me]);
#pragma omp barrier
    for (int round = 1; round <= 3; round++) {
      for (int step = 0; step < Steps; step++) {
        struct Cell *cell = heap[(me + step) % threads];
#pragma omp atomic
        cell->counter += round;
#pragma omp atomic
        global.counter++;
#pragma omp atomic
        local.counter += 2;
        if (me < 7)
          global.plain[me] = local.plain[me] = heap[(me + step) % threads]->plain[me] =
              step + round;
      }
#pragma omp barrier
      long now; // plain reads of what was atomic before the barrier
      now = global.counter;
      expectInteger("global", round, (long)round * Steps * threads, now);
      expectInteger("local", round, 2L * round * Steps * threads, local.counter);
      for (int i = 0; i < 7 && i < threads; i++) {
        expectInteger("plain neighbour", i, Steps - 1 + round, global.plain[i]);
        expectInteger("plain neighbour on the stack", i, Steps - 1 + round, local.plain[i]);
      }
#pragma omp barrier
      heap[me]->counter += 1000; // plain update by the owner
#pragma omp barrier
    }
  }
  long sum = 0;
  for (int t = 0; t < team; t++) {
    sum += heap[t]->counter;
    free(heap[t]);
  }
  expectInteger("heap", 0, (long)team * (Steps * 6 + 3000), sum);
  return finish();
}
