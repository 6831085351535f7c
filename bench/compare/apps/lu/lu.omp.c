// lu.omp.c: LU decomposition, one parallel region for each matrix, columns of blocks dealt in turn,
// so that a column stays with its thread. Who has applied panel k to column k + 1 makes it the next
// panel.
#include "lu.h"

struct Matrix {
  int count;
  Block *blocks; ///< [column][row]
};

static Block *columnOf(const struct Matrix *a, int column) {
  return a->blocks + (size_t)column * (size_t)a->count;
}

static struct Matrix makeMatrix(int number, int count) {
  struct Matrix a = {count, allocate((size_t)count * (size_t)count, sizeof(Block))};
#pragma omp parallel for schedule(static, 1)
  for (int column = 0; column < count; column++)
    fillColumn(number, count, column, columnOf(&a, column));
  return a;
}

static void factor(const struct Matrix *a) {
  const int count = a->count;
#pragma omp parallel
  {
#pragma omp single
    factorPanel(count, 0, columnOf(a, 0));
    for (int k = 0; k + 1 < count; k++) {
      const Block *const panel = columnOf(a, k) + k;
#pragma omp for schedule(static, 1)
      for (int column = 0; column < count; column++) {
        if (column > k)
          applyPanel(count, k, panel, columnOf(a, column));
        if (column == k + 1)
          factorPanel(count, column, columnOf(a, column) + column);
      }
    }
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const int count = blockCounts[arguments.size], usual = defaultRounds[arguments.size];
  const int rounds = arguments.rounds, matrices = rounds > usual ? rounds : usual;
  // One for each round, and number 0 for the round that is not timed; the same ones for 0 rounds.
  struct Matrix *const a = allocate((size_t)matrices + 1, sizeof *a);
  for (int number = 0; number <= matrices; number++)
    a[number] = makeMatrix(number, count);
  factor(&a[0]);
  const double start = wallSeconds();
  for (int round = 1; round <= rounds; round++)
    factor(&a[round]);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0};
#pragma omp parallel for schedule(static, 1) reduction(+ : sums)
  for (int column = 0; column < count; column++)
    addColumn(count, column, columnOf(&a[rounds], column), sums);
  report(arguments.rounds, seconds, sums, 2);
  return 0;
}
