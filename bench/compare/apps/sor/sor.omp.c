// sor.omp.c: red-black over-relaxation, one persistent parallel region, rows dealt statically.
#include "sor.h"

struct Grid {
  struct Problem problem;
  double *cells[Colours];
};

static double *rowOf(const struct Grid *grid, int colour, int row) {
  return grid->cells[colour] + (size_t)row * (size_t)grid->problem.width;
}

static struct Grid makeGrid(struct Problem problem) {
  struct Grid grid = {problem, {NULL, NULL}};
  for (int colour = 0; colour < Colours; colour++)
    grid.cells[colour] =
        allocate((size_t)(problem.rows + 2) * (size_t)problem.width, sizeof(double));
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int row = 1; row <= problem.rows; row++)
      for (int colour = 0; colour < Colours; colour++)
        fillRow(problem, colour, row, rowOf(&grid, colour, row));
#pragma omp single
    for (int colour = 0; colour < Colours; colour++) {
      fillRow(problem, colour, 0, rowOf(&grid, colour, 0));
      fillRow(problem, colour, problem.rows + 1, rowOf(&grid, colour, problem.rows + 1));
    }
  }
  return grid;
}

static void sweep(const struct Grid *grid, int colour) {
  const struct Problem problem = grid->problem;
#pragma omp for schedule(static)
  for (int row = 1; row <= problem.rows; row++)
    relaxRow(problem.width, oddColumn(colour, row), rowOf(grid, colour, row),
             rowOf(grid, !colour, row - 1), rowOf(grid, !colour, row),
             rowOf(grid, !colour, row + 1));
}

static void iterate(const struct Grid *grid, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
    sweep(grid, Red);
    sweep(grid, Black);
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Grid grid = makeGrid(problems[arguments.size]);
  iterate(&grid, 1);
  const double start = wallSeconds();
  iterate(&grid, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0};
#pragma omp parallel for schedule(static) reduction(+ : sums)
  for (int row = 1; row <= grid.problem.rows; row++)
    for (int colour = 0; colour < Colours; colour++)
      addRow(grid.problem, colour, row, rowOf(&grid, colour, row), sums);
  report(arguments.rounds, seconds, sums, 2);
  for (int colour = 0; colour < Colours; colour++)
    free(grid.cells[colour]);
  return 0;
}
