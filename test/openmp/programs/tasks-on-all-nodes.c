// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Tasks are executed by nodes that have nothing to do, with what was written before, and what they write is
// seen behind what waits for them.
#include "check.h"
#include <omp.h>

enum { Most = 64, Values = 3000 };

/// So long that other nodes are asked, and no longer than it takes until all of them have a task.
static int meet(int *present, int wanted) {
  int here;
#pragma omp atomic
  (*present)++;
  const double end = omp_get_wtime() + 0.05;
  do {
#pragma omp atomic read
    here = *present;
  } while (here < wanted && omp_get_wtime() < end);
#pragma omp atomic
  (*present)--;
  return here >= wanted;
}

/// One thread makes tasks until there is one on each thread at the same time. Returns whether that
/// happened within some ten seconds.
static int haveMet(int threads) {
  int present = 0, met = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 200 && !met; round++) {
    for (int i = 0; i < 3 * threads; i++) {
#pragma omp task shared(present, met)
      if (meet(&present, threads)) {
#pragma omp atomic write
        met = 1;
      }
    }
#pragma omp taskwait
  }
  return met;
}

struct Part {
  int first, count;
  double factors[4];
};

static double values[Values], results[Values];
static int executedBy[Most];

/// Writes the part's results, and by halves those of long parts.
static void scale(struct Part part, double *total) {
  if (part.count <= 100) {
    double sum = 0;
    for (int i = part.first; i < part.first + part.count; i++)
      sum += results[i] = values[i] * part.factors[i % 4];
    for (volatile int k = 0; k < 30000;)
      k = k + 1;
    *total = sum;
    return;
  }
  double halves[2] = {0, 0};
  for (int half = 0; half < 2; half++) {
#pragma omp task untied firstprivate(part) shared(halves)
    {
      part.first += half * (part.count / 2);
      part.count = half ? part.count - part.count / 2 : part.count / 2;
      scale(part, &halves[half]);
    }
  }
#pragma omp taskwait
  *total = halves[0] + halves[1];
}

static long links[Most];

int main(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  EXPECT(haveMet(threads));

  // In trees, with arrays of their own.
  double expected = 0, total = 0;
  for (int i = 0; i < Values; i++) {
    values[i] = i;
    expected += i * (1.0 + i % 4);
  }
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    scale((struct Part){0, Values, {1, 2, 3, 4}}, &total);
    EXPECT(total == expected);
    for (int i = 0; i < Values; i++)
      EXPECT(results[i] == i * (1.0 + i % 4));
  }

  // Each waits for the one before it, wherever that was.
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < Most; i++) {
#pragma omp task depend(in : links[i - 1]) depend(out : links[i])
    {
      for (volatile int k = 0; k < 50000;)
        k = k + 1;
      links[i] = links[i - 1] + i;
      executedBy[i] = omp_get_thread_num();
    }
  }
  EXPECT_EQUAL(Most * (Most - 1) / 2, links[Most - 1]);
  for (int i = 1; i < Most; i++)
    EXPECT(executedBy[i] >= 0 && executedBy[i] < threads);

  // A group waits for what its tasks have left behind, and the region for all.
  int inGroup = 0, behind = 0, last = 0;
#pragma omp parallel
#pragma omp masked
  {
#pragma omp taskgroup
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(inGroup)
      {
        for (volatile int k = 0; k < 50000;)
          k = k + 1;
#pragma omp task shared(inGroup)
        {
          for (volatile int k = 0; k < 50000;)
            k = k + 1;
#pragma omp atomic
          inGroup++;
        }
      }
    }
    EXPECT_EQUAL(20, inGroup);
#pragma omp taskloop grainsize(1) lastprivate(last)
    for (int i = 0; i < 40; i++) {
      last = i;
      for (volatile int k = 0; k < 30000;)
        k = k + 1;
    }
    EXPECT_EQUAL(39, last);
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(behind)
      {
        for (volatile int k = 0; k < 50000;)
          k = k + 1;
#pragma omp atomic
        behind++;
      }
    }
  }
  EXPECT_EQUAL(20, behind);
  return checkResult();
}
