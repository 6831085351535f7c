// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Tasks: created by all threads, by one, in trees, with every kind of sharing; they run on the node
// that made them, and a barrier or the end of the region waits for all.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 200 };
static int done[N], twice[N], nested[64];
static long fib(int n) {
  if (n < 2)
    return n;
  long a, b;
#pragma omp task shared(a) if (n > 8)
  a = fib(n - 1);
#pragma omp task shared(b) if (n > 8)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

struct Node {
  struct Node *left, *right;
  int value;
};
static struct Node *build(int depth, int value) {
  struct Node *node = malloc(sizeof *node);
  node->value = value;
  node->left = node->right = NULL;
  if (depth > 0) {
#pragma omp task
    node->left = build(depth - 1, 2 * value);
#pragma omp task
    node->right = build(depth - 1, 2 * value + 1);
#pragma omp taskwait
  }
  return node;
}
static long sum(struct Node *node) {
  long s = node ? node->value + sum(node->left) + sum(node->right) : 0;
  free(node);
  return s;
}

int main(void) {
  int threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    // From all threads, executed by the barrier of the loop.
#pragma omp for
    for (int i = 0; i < N; i++) {
#pragma omp task firstprivate(i)
      done[i]++;
    }
    for (int i = 0; i < N; i++)
      if (done[i] != 1)
        abort();
  }
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(1, done[i]);

  // From one thread; the end of the region executes them.
#pragma omp parallel
#pragma omp single nowait
  for (int i = 0; i < N; i++) {
#pragma omp task
    {
      int number = omp_get_thread_num();
      twice[i] = 2 * done[i] + (number < 0 || number >= omp_get_num_threads() || omp_get_num_threads() != threads);
    }
  }
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(2, twice[i]);

  // Each thread leaves tasks behind at the end of the region.
  long total = 0;
#pragma omp parallel
  for (int i = 0; i < 10; i++) {
#pragma omp task shared(total)
    {
#pragma omp atomic
      total += i;
    }
  }
  EXPECT_EQUAL(45 * threads, total);

  long numbers[16] = {0};
#pragma omp parallel
  numbers[omp_get_thread_num()] = fib(16);
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(987, numbers[i]);

  struct Node *root = NULL;
#pragma omp parallel
#pragma omp masked
  root = build(8, 1);
  EXPECT_EQUAL(511 * 512 / 2, sum(root));

  // In a nested region, and around one.
#pragma omp parallel num_threads(4)
  {
    int outer = omp_get_thread_num();
#pragma omp task firstprivate(outer)
#pragma omp parallel num_threads(3)
    {
#pragma omp task
      {
#pragma omp atomic
        nested[outer]++;
      }
    }
  }
  for (int i = 0; i < 4; i++)
    EXPECT(nested[i] == 1 || nested[i] == 3); // Nested regions may have one thread.

  // Undeferred, final, mergeable, untied, with priority; in serial code, too.
  int kinds = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp task if (0) shared(kinds)
#pragma omp atomic
    kinds++;
#pragma omp task final(1) mergeable shared(kinds)
#pragma omp atomic
    kinds += 10;
#pragma omp task untied priority(3) shared(kinds)
    {
#pragma omp taskyield
#pragma omp atomic
      kinds += 100;
    }
  }
  EXPECT_EQUAL(444, kinds);
  int serial = 0;
#pragma omp task shared(serial)
  serial = 5;
#pragma omp taskwait
  EXPECT_EQUAL(5, serial);
  return checkResult();
}
