// sor.h: red-black successive over-relaxation of Laplace's equation on a rectangle: the problem,
// and one row of a sweep.
//
// Cell (row, column) is red if row + column is even. Each colour has an array of its own, so that a
// sweep reads and writes contiguous memory: the cells of one colour in row i are columns
// 2 j + ((colour + i) & 1). Rows 0 and `rows` + 1, and the first and last column, stay as they are.
//
// bench/compare: regular, tolerance 1e-11
#ifndef OMPDSM_BENCH_COMPARE_SOR_H
#define OMPDSM_BENCH_COMPARE_SOR_H

#include "../program.h"

enum Colour { Red, Black, Colours };

struct Problem {
  int rows;  ///< That change.
  int width; ///< Cells of one colour in a row.
};

static const struct Problem problems[SizeClasses] = {{62, 32}, {510, 256}, {2046, 1024}};
static const int defaultRounds[SizeClasses] = {6, 40, 120};

/// Which of the columns 2 j and 2 j + 1 has this colour in a row.
static inline int oddColumn(int colour, int row) { return (colour + row) & 1; }

/// The initial value: a warm upper edge, a hot spot at the left, noise in between.
static inline double initialValue(struct Problem problem, int row, int column) {
  if (row == 0)
    return 100;
  if (row == problem.rows + 1 || column == 2 * problem.width - 1)
    return 0;
  if (column == 0)
    return row < problem.rows / 2 ? 200 : 50;
  return randomUnit((uint64_t)row * 65536 + (uint64_t)column);
}

static inline void fillRow(struct Problem problem, int colour, int row, double *cells) {
  for (int j = 0; j < problem.width; j++)
    cells[j] = initialValue(problem, row, 2 * j + oddColumn(colour, row));
}

/// Relaxes one row: `above`, `same` and `below` are the other colour's rows around it.
static inline void relaxRow(int width, int odd, double *restrict cells,
                            const double *restrict above, const double *restrict same,
                            const double *restrict below) {
  const double omega = 1.5;
  const double *side = odd ? same + 1 : same - 1;
  for (int j = odd ? 0 : 1; j < width - odd; j++)
    cells[j] += omega * (0.25 * (above[j] + below[j] + same[j] + side[j]) - cells[j]);
}

/// Adds to the answer's two sums what one row of one colour has.
static inline void addRow(struct Problem problem, int colour, int row, const double *cells,
                          double sums[2]) {
  double sum = 0, weighted = 0;
  for (int j = 0; j < problem.width; j++) {
    sum += cells[j];
    weighted += cells[j] * (2 * j + oddColumn(colour, row) + 1);
  }
  sums[0] += sum;
  sums[1] += weighted * (row + 1);
}

#endif
