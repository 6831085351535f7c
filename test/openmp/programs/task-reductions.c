// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Trees of tasks with results in parents' variables; task reductions, by taskgroup, by the region and by
// worksharing; nested taskgroups; priorities, final and mergeable, untied; tasks made by all threads.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

static long visited;
static int wrong;

static long tree(int depth, int width) {
  long *results = calloc(width, sizeof *results), sum = 1;
  for (int i = 0; i < width && depth > 0; i++) {
#pragma omp task firstprivate(i) shared(results) final(depth < 2) mergeable priority(depth)
    results[i] = tree(depth - 1, width);
  }
#pragma omp taskwait
  for (int i = 0; i < width; i++)
    sum += results[i];
#pragma omp atomic
  visited++;
  free(results);
  return sum;
}
static long whole = 5;
static void count(int depth) {
#pragma omp task in_reduction(+ : whole)
  whole += depth;
  if (depth > 0) {
#pragma omp task
    count(depth - 1);
#pragma omp task
    count(depth - 1);
  }
}

struct Sums {
  int a, b[3];
};
static void join(struct Sums *x, const struct Sums *y) {
  x->a += y->a;
  for (int i = 0; i < 3; i++)
    x->b[i] += y->b[i];
}
#pragma omp declare reduction(join : struct Sums : join(&omp_out, &omp_in)) initializer(omp_priv = {0, {0, 0, 0}})

int main(void) {
  long result = 0, sum = 0, product = 1, groups = 0;
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      threads = omp_get_num_threads();
      result = tree(4, 3);
    }
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product)
      {
        for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
          sum += i;
          if (i % 10 == 0) {
#pragma omp task in_reduction(* : product) untied
            product *= 3;
          }
        }
      }
      if (sum != 780 || product != 81)
        wrong++;
    }
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : whole)
      count(5);
    }
    // Groups in groups: each waits for its tasks and theirs.
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 12; i++) {
      int outer = 0, inner = 0;
#pragma omp taskgroup
      {
#pragma omp task shared(outer, inner)
        {
#pragma omp taskgroup
          {
            for (int k = 0; k < 4; k++) {
#pragma omp task shared(inner)
              {
#pragma omp task shared(inner)
#pragma omp atomic
                inner++;
              }
            }
          }
          outer = inner;
        }
      }
      if (outer != 4) {
#pragma omp atomic
        wrong++;
      }
#pragma omp atomic
      groups++;
    }
  }
  EXPECT_EQUAL(121, result);
  EXPECT_EQUAL(121, visited);
  // 5 + sum of d * 2^(5-d), d = 5..0
  EXPECT_EQUAL(5 + 5 + 8 + 12 + 16 + 16, whole);
  EXPECT_EQUAL(12, groups);
  EXPECT_EQUAL(0, wrong);

  // The region itself as the scope of the reduction; every thread makes tasks.
  long total = 0;
  struct Sums sums = {1, {1, 1, 1}};
#pragma omp parallel reduction(task, + : total) reduction(task, join : sums)
  {
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : total) in_reduction(join : sums) firstprivate(i)
      {
        total += i;
        sums.a++;
        sums.b[i % 3] += i;
      }
    }
    total += 1000;
  }
  EXPECT_EQUAL(1045 * threads, total);
  EXPECT_EQUAL(1 + 10 * threads, sums.a);
  EXPECT_EQUAL(1 + 18 * threads, sums.b[0]);
  EXPECT_EQUAL(1 + 12 * threads, sums.b[1]);
  EXPECT_EQUAL(1 + 15 * threads, sums.b[2]);

  total = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : total)
  for (int i = 0; i < 30; i++) {
    total++;
#pragma omp task in_reduction(+ : total)
    total += 10;
  }
  EXPECT_EQUAL(330, total);

  // firstprivate arrays and structs, and memory that the task frees.
  int parts[40] = {0};
#pragma omp parallel
  {
    struct Sums mine = {omp_get_thread_num(), {1, 2, 3}};
    int array[4] = {4, 5, 6, 7};
#pragma omp for nowait
    for (int i = 0; i < 40; i++) {
      int *memory = malloc(sizeof *memory);
      *memory = i;
#pragma omp task firstprivate(mine, array)
      {
        parts[i] = *memory + mine.b[2] + array[3];
        free(memory);
        mine.b[2] = array[3] = -1;
      }
    }
  }
  for (int i = 0; i < 40; i++)
    EXPECT_EQUAL(i + 10, parts[i]);
  return checkResult();
}
