// shared_blocks.c: rows that are dealt to the threads in turn, so that blocks have rows of several nodes.
//
//   shared_blocks ROW_BYTES READS
//
// READS: 0: each row is changed from itself; 1: also from the rows beside it, which others change. Prints the seconds of the second
// half of the steps, and a sum over all.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Doubles = 1 << 16, Steps = 600 };
_Alignas(4096) static double now[Doubles], next[Doubles];

static void stepAlone(int rows, int columns) {
#pragma omp parallel for schedule(static, 1)
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < columns; column++) {
      double *const at = &now[row * columns + column];
      *at = *at * 0.9999 + 1.1;
    }
}

static void stepBeside(int rows, int columns, const double *from, double *to) {
#pragma omp parallel for schedule(static, 1)
  for (int row = 0; row < rows; row++) {
    const double *const above = from + (row + rows - 1) % rows * columns, *const below = from + (row + 1) % rows * columns;
    for (int column = 0; column < columns; column++)
      to[row * columns + column] = 0.4999 * above[column] + 0.4998 * below[column] + 1.1;
  }
}

int main(int argc, char **argv) {
  if (argc != 3 || atoi(argv[1]) < 8 || Doubles * 8 % atoi(argv[1]) != 0) {
    fprintf(stderr, "usage: shared_blocks ROW_BYTES READS\n");
    return 2;
  }
  const int columns = atoi(argv[1]) / 8, rows = Doubles / columns, reads = atoi(argv[2]);
  for (int i = 0; i < Doubles; i++)
    now[i] = (i * 2654435761u >> 8) * 1e-7;
  double start = 0;
  for (int step = 0; step < Steps; step++) {
    if (step == Steps / 2)
      start = omp_get_wtime();
    if (reads)
      stepBeside(rows, columns, step % 2 ? next : now, step % 2 ? now : next);
    else
      stepAlone(rows, columns);
  }
  const double seconds = omp_get_wtime() - start;
  double sum = 0;
  for (int i = 0; i < Doubles; i++)
    sum += now[i];
  printf("%.6f %.12g\n", seconds, sum);
  return 0;
}
