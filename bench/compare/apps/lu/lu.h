// lu.h: LU decomposition of a dense, diagonally dominant matrix by blocks, without pivoting: the
// problem, and what is done to one column of blocks (as in SPLASH-2, Woo et al., ISCA 1995, the
// blocks are contiguous).
//
// bench/compare: regular, tolerance 1e-10
#ifndef OMPDSM_BENCH_COMPARE_LU_H
#define OMPDSM_BENCH_COMPARE_LU_H

#include "../program.h"

enum { Edge = 32 }; ///< Rows and columns of a block.

typedef double Block[Edge][Edge];

static const int blockCounts[SizeClasses] = {6, 16, 72}; ///< Along an edge of the matrix.
static const int defaultRounds[SizeClasses] = {1, 2, 1};

/// Column `column` of matrix `number`: `count` blocks from top to bottom.
static inline void fillColumn(int number, int count, int column, Block *blocks) {
  const int order = count * Edge;
  for (int block = 0; block < count; block++)
    for (int i = 0; i < Edge; i++)
      for (int j = 0; j < Edge; j++) {
        const int row = block * Edge + i, at = column * Edge + j;
        const uint64_t index = ((uint64_t)number * 65536 + (uint64_t)row) * 65536 + (uint64_t)at;
        blocks[block][i][j] = randomUnit(index) - 0.5 + (row == at ? order : 0);
      }
}

/// a = L U in place, L with ones on its diagonal.
static inline void factorBlock(Block a) {
  for (int k = 0; k < Edge; k++)
    for (int i = k + 1; i < Edge; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < Edge; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

/// a = a U^-1, with the U of a factored block.
static inline void divideByUpper(Block a, const Block factored) {
  for (int i = 0; i < Edge; i++)
    for (int k = 0; k < Edge; k++) {
      const double value = a[i][k] /= factored[k][k];
      for (int j = k + 1; j < Edge; j++)
        a[i][j] -= value * factored[k][j];
    }
}

/// a = L^-1 a, with the L of a factored block.
static inline void divideByLower(Block a, const Block factored) {
  for (int i = 1; i < Edge; i++)
    for (int k = 0; k < i; k++) {
      const double value = factored[i][k];
      for (int j = 0; j < Edge; j++)
        a[i][j] -= value * a[k][j];
    }
}

/// c -= a b
static inline void subtractProduct(Block c, const Block a, const Block b) {
  for (int i = 0; i < Edge; i += 2) { // two rows of c stay in registers
    double first[Edge], second[Edge];
    for (int j = 0; j < Edge; j++) {
      first[j] = c[i][j];
      second[j] = c[i + 1][j];
    }
    for (int k = 0; k < Edge; k++)
      for (int j = 0; j < Edge; j++) {
        first[j] -= a[i][k] * b[k][j];
        second[j] -= a[i + 1][k] * b[k][j];
      }
    for (int j = 0; j < Edge; j++) {
      c[i][j] = first[j];
      c[i + 1][j] = second[j];
    }
  }
}

/// Makes column k a panel: its diagonal block factored, and L below. `panel`: blocks k to count
/// - 1.
static inline void factorPanel(int count, int k, Block *panel) {
  factorBlock(panel[0]);
  for (int i = k + 1; i < count; i++)
    divideByUpper(panel[i - k], panel[0]);
}

/// Applies panel k to a later column, of which `blocks` are all blocks.
static inline void applyPanel(int count, int k, const Block *panel, Block *blocks) {
  divideByLower(blocks[k], panel[0]);
  for (int i = k + 1; i < count; i++)
    subtractProduct(blocks[i], panel[i - k], blocks[k]);
}

/// Adds to the answer (logarithm of the determinant; sum of all) what a column has.
static inline void addColumn(int count, int column, const Block *blocks, double sums[2]) {
  for (int j = 0; j < Edge; j++)
    sums[0] += log(fabs(blocks[column][j][j]));
  for (int block = 0; block < count; block++)
    for (int i = 0; i < Edge; i++)
      for (int j = 0; j < Edge; j++)
        sums[1] += fabs(blocks[block][i][j]) * (block + 1);
}

#endif
