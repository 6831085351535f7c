// Loops call functions that were not inlined, over objects that are valid, partly valid or not on each node: what the
// callers ask for is what the callees access.
#include "report.h"
#include <omp.h>
#include <stdlib.h>

enum { Rows = 60, Columns = 300, Rounds = 5 };

__attribute__((noinline)) static long sumOf(const long *row, long count) {
  long sum = 0;
  for (long k = 0; k < count; k++)
    sum += row[k];
  return sum;
}

__attribute__((noinline)) static void addTo(long *to, const long *from, const int *index, long count) {
  for (long k = 0; k < count; k++)
    to[index[k]] += from[k] + sumOf(from, 2);
}

int main(void) {
  long *values = malloc(Rows * Columns * sizeof *values), *results = malloc(Rows * Columns * sizeof *results);
  int *index = malloc(Columns * sizeof *index);
  for (long i = 0; i < Rows * Columns; i++)
    values[i] = i, results[i] = 0;
  for (int k = 0; k < Columns; k++)
    index[k] = (k * 7) % Columns;
  long totals[Rows];
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int i = 0; i < Rows; i++)
        totals[i] = sumOf(values + i * Columns, Columns);
#pragma omp for schedule(static)
      for (int i = 0; i < Rows; i++)
        addTo(results + i * Columns, values + (i + round) % Rows * Columns, index, Columns);
      // Another row changes in each round: the rest stays valid everywhere.
#pragma omp single
      for (int k = 0; k < Columns; k++)
        values[(round * 13 % Rows) * Columns + k] += round + 1;
    }
    for (int i = 0; i < Rows; i++) {
      long expected = 0;
      for (int k = 0; k < Columns; k++) {
        expected += (long)i * Columns + k;
        for (int before = 0; before < round; before++)
          if (before * 13 % Rows == i)
            expected += before + 1;
      }
      expectInteger("total", i, expected, totals[i]);
    }
  }
  long sum = 0, expected = 0;
  long *again = malloc(Rows * Columns * sizeof *again);
  for (long i = 0; i < Rows * Columns; i++)
    again[i] = i;
  for (int round = 0; round < Rounds; round++) {
    for (int i = 0; i < Rows; i++) {
      const long *row = again + (i + round) % Rows * Columns;
      for (int k = 0; k < Columns; k++)
        expected += (row[k] + row[0] + row[1]) * (index[k] + 1) * (i + 1);
    }
    for (int k = 0; k < Columns; k++)
      again[(round * 13 % Rows) * Columns + k] += round + 1;
  }
  for (int i = 0; i < Rows; i++)
    for (int k = 0; k < Columns; k++)
      sum += results[i * Columns + k] * (k + 1) * (i + 1);
  expectInteger("sum", 0, expected, sum);
  free(values), free(results), free(index), free(again);
  return finish();
}
