// What a neighbour reads in each step is sent to it when it has changed: a stencil's rows are fetched a few times
// and never again, and misses are those of Updates that are watched. Without pushes each step has a miss, if nothing is
// asked for ahead either.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 2 -t 1 --stats %t 2>%t.pushed | %check %s
// RUN: %check --check-prefix=PUSHED --input-file=%t.pushed %s
// RUN: env OMPDSM_PUSH=0 OMPDSM_PREDICT=0 %run -n 2 -t 1 --stats %t 2>%t.fetched | %check %s
// RUN: %check --check-prefix=FETCHED --input-file=%t.fetched %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
// Read misses, of 1500 steps.
// PUSHED: {{^ompdsm: +1 +[0-9]{1,3} }}
// FETCHED: {{^ompdsm: +1 +[0-9]{4} }}
#include <stdio.h>

enum { Rows = 48, Columns = 1024, Steps = 1500 };
static unsigned first[Rows][Columns], second[Rows][Columns];

/// Sums modulo 2^32, so that the order does not matter.
static void step(unsigned (*to)[Columns], unsigned (*from)[Columns]) {
#pragma omp parallel for schedule(static)
  for (int i = 1; i < Rows - 1; i++)
    for (int j = 1; j < Columns - 1; j++)
      to[i][j] = from[i - 1][j] + from[i + 1][j] + 3 * from[i][j - 1] + from[i][j + 1];
}

/// The same by one thread.
static void alone(unsigned (*to)[Columns], unsigned (*from)[Columns]) {
  for (int i = 1; i < Rows - 1; i++)
    for (int j = 1; j < Columns - 1; j++)
      to[i][j] = from[i - 1][j] + from[i + 1][j] + 3 * from[i][j - 1] + from[i][j + 1];
}

int main(void) {
  static unsigned a[Rows][Columns], b[Rows][Columns];
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      first[i][j] = second[i][j] = a[i][j] = b[i][j] = (unsigned)(i * 31 + j * 7);
  for (int s = 0; s < Steps; s += 2) {
    step(second, first);
    step(first, second);
  }
  for (int s = 0; s < Steps; s += 2) {
    alone(b, a);
    alone(a, b);
  }
  long wrong = 0;
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      wrong += first[i][j] != a[i][j];
  printf("wrong %ld\n", wrong); // CHECK: wrong 0
  return 0;
}
