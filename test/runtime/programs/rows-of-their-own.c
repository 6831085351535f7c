// A matrix whose rows are allocated one by one lies in small objects, side by side. Their pages move to the nodes that
// compute the rows, whether these change (own) or are zero as yet (field: warmth comes from the first row, and takes its
// time), so that neither is sent home in each step.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=MOVED --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_MIGRATE=0 %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=KEPT --input-file=%t.json %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
// 48 rows of each of three matrices, of 4,000 bytes, are node 1's.
// MOVED: "pages_migrated": 1{{[0-9][0-9]}},
// MOVED: "silent_stores": {{[1-9]}}
// KEPT-NOT: "pages_migrated": {{[1-9]}}
// KEPT-NOT: "silent_stores"
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 96, Columns = 500, Steps = 40 };

static double **makeRows(void) {
  double **rows = malloc(Rows * sizeof *rows);
  for (int i = 0; i < Rows; i++) {
    rows[i] = malloc(Columns * sizeof **rows);
    for (int j = 0; j < Columns; j++)
      rows[i][j] = 0;
  }
  return rows;
}

static double average(double **field, int i, int j) {
  return 0.25 * (field[i - 1][j] + field[i + 1][j] + field[i][j - 1] + field[i][j + 1]);
}

int main(void) {
  double **field = makeRows(), **next = makeRows(), **own = makeRows();
  double **expected = makeRows(), **other = makeRows();
  for (int j = 0; j < Columns; j++)
    field[0][j] = next[0][j] = expected[0][j] = other[0][j] = 100;
  for (int step = 0; step < Steps; step++) {
#pragma omp parallel for collapse(2) // else whole blocks were known to be overwritten
    for (int i = 1; i < Rows - 1; i++)
      for (int j = 1; j < Columns - 1; j++) {
        next[i][j] = average(field, i, j);
        own[i][j] += i + j;
      }
    double **swapped = field;
    field = next;
    next = swapped;
  }
  for (int step = 0; step < Steps; step++) {
    for (int i = 1; i < Rows - 1; i++)
      for (int j = 1; j < Columns - 1; j++)
        other[i][j] = average(expected, i, j);
    double **swapped = expected;
    expected = other;
    other = swapped;
  }
  int wrong = 0;
  for (int i = 1; i < Rows - 1; i++)
    for (int j = 1; j < Columns - 1; j++)
      wrong += field[i][j] != expected[i][j] || own[i][j] != Steps * (i + j);
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  return 0;
}
