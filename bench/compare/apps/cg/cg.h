// cg.h: the problem of cg: the power method with the inverse of a sparse matrix, each step of it 25
// iterations of conjugate gradients (the shape of the CG benchmark, NAS report RNR-94-007, 2.3.3).
//
// The matrix is symmetric and diagonally dominant: a circulant band whose rows and columns are
// permuted, so that the columns of a row are all over the vector.
//
// bench/compare: regular, tolerance 1e-9
#ifndef OMPDSM_BENCH_COMPARE_CG_H
#define OMPDSM_BENCH_COMPARE_CG_H

#include "../program.h"

enum { Offsets = 24, RowLength = 2 * Offsets + 1, Iterations = 25 };

static const int orders[SizeClasses] = {1 << 10, 1 << 13, 1 << 15}; // powers of two
static const int defaultRounds[SizeClasses] = {2, 8, 12};

/// Row `row` of the circulant is row permuted(row) of the matrix; `order` is a power of two.
static inline int permuted(int order, int64_t row) {
  return (int)(((uint64_t)row * 40503u + 12345u) & (uint64_t)(order - 1));
}

/// The inverse of permuted().
static inline int unpermuted(int order, int row) {
  uint64_t inverse = 40503u; // Newton's iteration: each step doubles the bits that are right
  for (int step = 0; step < 5; step++)
    inverse *= 2 - 40503u * inverse;
  return (int)((((uint64_t)row - 12345u) * inverse) & (uint64_t)(order - 1));
}

/// Writes the RowLength columns and values of one row.
static inline void fillRow(int order, int row, int *columns, double *values) {
  const int place = unpermuted(order, row);
  double diagonal = 0.01 + randomUnit((uint64_t)row);
  for (int k = 1; k <= Offsets; k++)
    for (int side = 0; side < 2; side++) {
      const int at = 2 * k - 1 + side, distance = k * (5 * k + 1);
      columns[at] = permuted(order, side ? place + distance : place - distance);
      values[at] = -1 / (1 + 0.1 * k);
      diagonal -= values[at];
    }
  columns[0] = row;
  values[0] = diagonal;
}

/// Element `row` of the vector that the power method starts with.
static inline double startValue(int row) { return 0.5 + randomUnit((uint64_t)row); }

/// Row `values`, `columns` of the matrix times a vector.
static inline double multiplyRow(const double *values, const int *columns, const double *x) {
  double sum = 0;
  for (int k = 0; k < RowLength; k++)
    sum += values[k] * x[columns[k]];
  return sum;
}

#endif
