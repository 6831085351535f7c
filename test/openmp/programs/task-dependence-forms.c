// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Dependences of tasks: chains, array sections, elements of the heap, iterators, inoutset and
// mutexinoutset, depobj, taskwait with depend; a blocked factorisation as a graph of tasks.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Blocks = 6, N = 50 };
static int chain, cells[N], sums[N], order[N];

int main(void) {
  int *heap = calloc(N, sizeof *heap), exclusive = 0, readers = 0, after = 0, set = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : chain) firstprivate(i)
      {
        order[chain] = i;
        chain++;
      }
#pragma omp task depend(out : cells[i])
      cells[i] = i + 1;
#pragma omp task depend(in : cells[i]) depend(out : sums[i])
      sums[i] = 2 * cells[i];
    }
    // A section as written by one and read by another.
#pragma omp task depend(iterator(int k = 0 : N), in : sums[k]) depend(out : heap[0 : N])
    for (int i = 0; i < N; i++)
      heap[i] = sums[i] + (i ? heap[i - 1] : 0);
#pragma omp task depend(in : heap[0 : N]) shared(readers)
#pragma omp atomic
    readers += heap[N - 1];
#pragma omp task depend(in : heap[0 : N]) shared(readers)
#pragma omp atomic
    readers += heap[N - 2];
#pragma omp task depend(inout : heap[0 : N])
    heap[0] = -1;
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(mutexinoutset : exclusive) shared(exclusive)
      exclusive++;
#pragma omp task depend(inoutset : set) shared(set)
#pragma omp atomic
      set++;
    }
#pragma omp task depend(in : exclusive, set) shared(after, exclusive, set)
    after = exclusive * 100 + set;
  }
  EXPECT_EQUAL(N, chain);
  for (int i = 0; i < N; i++) {
    EXPECT_EQUAL(i, order[i]);
    EXPECT_EQUAL(2 * (i + 1), sums[i]);
  }
  EXPECT_EQUAL(N * (N + 1) + N * (N - 1), readers);
  EXPECT_EQUAL(-1, heap[0]);
  EXPECT_EQUAL(2020, after);

  // A wave front over blocks.
  static long table[Blocks + 1][Blocks + 1];
  for (int i = 0; i <= Blocks; i++)
    table[i][0] = table[0][i] = 1;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= Blocks; i++)
    for (int k = 1; k <= Blocks; k++) {
#pragma omp task depend(in : table[i - 1][k], table[i][k - 1]) depend(out : table[i][k])
      table[i][k] = table[i - 1][k] + table[i][k - 1];
    }
  EXPECT_EQUAL(924, table[Blocks][Blocks]);

  int a = 0, b = 0, seen = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : a)
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task depend(depobj : object) shared(a)
      a = a * 2 + 1;
    }
#pragma omp task depend(out : b) shared(b)
    b = 7;
#pragma omp taskwait depend(in : b)
    if (b != 7)
      wrong++;
#pragma omp task if (0) depend(in : a) shared(a, seen)
    seen = a;
    if (seen != 1023)
      wrong++;
  }
#pragma omp depobj(object) destroy
  EXPECT_EQUAL(1023, a);
  EXPECT_EQUAL(0, wrong);

  // Every thread has a chain of its own; the data moves from each to the next over barriers.
  static long perThread[64];
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 0; round < 5; round++) {
      int target = (me + round) % n;
      for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : perThread[target]) firstprivate(target)
        perThread[target] = (perThread[target] * 3 + 1) % 10007;
      }
#pragma omp barrier
    }
  }
  long wanted = 0;
  for (int i = 0; i < 40; i++)
    wanted = (wanted * 3 + 1) % 10007;
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(wanted, perThread[i]);
  free(heap);
  return checkResult();
}
