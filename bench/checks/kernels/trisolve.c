// trisolve.c: triangular solves with the sparse incomplete factors of a 3-D seven-point matrix, by
// levels: rows of one level depend on earlier ones only.
//
// (Saad: Iterative methods for sparse linear systems, 2nd edition, 10.3 for ILU(0) and 11.6 for
// level scheduling.) Used as the preconditioner of a Richardson iteration.
#include <math.h>

#include "kernel.h"

enum { RowRoom = 7 };

struct Matrix {
  int side, order, levels;
  int *rowBegin, *column, *diagonal; // diagonal: where the entry of the diagonal is
  double *value, *factor;
  int *levelBegin, *rowOfLevel;
};

static void fill(struct Matrix *a) {
  const int n = a->side, step[RowRoom] = {-n * n, -n, -1, 0, 1, n, n * n};
  a->order = n * n * n;
  a->rowBegin = allocate((size_t)a->order + 1, sizeof(int));
  a->diagonal = allocate((size_t)a->order, sizeof(int));
  a->column = allocate((size_t)a->order * RowRoom, sizeof(int));
  a->value = allocate((size_t)a->order * RowRoom, sizeof(double));
  a->factor = allocate((size_t)a->order * RowRoom, sizeof(double));
  int entries = 0;
  for (int row = 0; row < a->order; row++) {
    const int i = row / (n * n), j = row / n % n, k = row % n;
    const int exists[RowRoom] = {i > 0, j > 0, k > 0, 1, k < n - 1, j < n - 1, i < n - 1};
    a->rowBegin[row] = entries;
    for (int s = 0; s < RowRoom; s++)
      if (exists[s]) {
        if (s == RowRoom / 2)
          a->diagonal[row] = entries;
        a->column[entries] = row + step[s];
        a->value[entries] = s == RowRoom / 2 ? 7 : -1 - 0.2 * (s < 3);
        a->factor[entries] = a->value[entries];
        entries++;
      }
  }
  a->rowBegin[a->order] = entries;
}

// Level of (i, j, k): i + j + k.
static void findLevels(struct Matrix *a) {
  const int n = a->side;
  a->levels = 3 * n - 2;
  a->levelBegin = calloc((size_t)a->levels + 2, sizeof(int));
  a->rowOfLevel = allocate((size_t)a->order, sizeof(int));
  for (int row = 0; row < a->order; row++)
    a->levelBegin[row / (n * n) + row / n % n + row % n + 2]++;
  for (int l = 2; l < a->levels + 2; l++)
    a->levelBegin[l] += a->levelBegin[l - 1];
  for (int row = 0; row < a->order; row++)
    a->rowOfLevel[a->levelBegin[row / (n * n) + row / n % n + row % n + 1]++] = row;
}

static void factorise(struct Matrix *a) {
  double *f = a->factor;
  for (int row = 0; row < a->order; row++)
    for (int p = a->rowBegin[row]; p < a->diagonal[row]; p++) {
      const int pivot = a->column[p];
      f[p] /= f[a->diagonal[pivot]];
      for (int q = a->diagonal[pivot] + 1, r = p + 1;
           q < a->rowBegin[pivot + 1] && r < a->rowBegin[row + 1];)
        if (a->column[q] == a->column[r])
          f[r++] -= f[p] * f[q++];
        else if (a->column[q] < a->column[r])
          q++;
        else
          r++;
    }
}

// x := U^-1 L^-1 x; called by all threads of the team.
static void solve(const struct Matrix *a, double *x) {
  for (int level = 0; level < a->levels; level++) {
#pragma omp for schedule(static)
    for (int p = a->levelBegin[level]; p < a->levelBegin[level + 1]; p++) {
      const int row = a->rowOfLevel[p];
      double sum = x[row];
      for (int k = a->rowBegin[row]; k < a->diagonal[row]; k++)
        sum -= a->factor[k] * x[a->column[k]];
      x[row] = sum;
    }
  }
  for (int level = a->levels - 1; level >= 0; level--) {
#pragma omp for schedule(static)
    for (int p = a->levelBegin[level]; p < a->levelBegin[level + 1]; p++) {
      const int row = a->rowOfLevel[p];
      double sum = x[row];
      for (int k = a->diagonal[row] + 1; k < a->rowBegin[row + 1]; k++)
        sum -= a->factor[k] * x[a->column[k]];
      x[row] = sum / a->factor[a->diagonal[row]];
    }
  }
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), steps = small ? 25 : 70;
  struct Matrix a = {.side = small ? 8 : 48};
  fill(&a);
  findLevels(&a);
  factorise(&a);
  double *x = calloc((size_t)a.order, sizeof *x), *r = allocate((size_t)a.order, sizeof *r),
         worst = 0;
#pragma omp parallel
  for (int step = 0; step < steps; step++) {
#pragma omp for schedule(static)
    for (int row = 0; row < a.order; row++) { // of the solution with 1 everywhere
      double sum = 0;
      for (int k = a.rowBegin[row]; k < a.rowBegin[row + 1]; k++)
        sum += a.value[k] * (1 - x[a.column[k]]);
      r[row] = sum;
    }
    solve(&a, r);
#pragma omp for schedule(static)
    for (int row = 0; row < a.order; row++)
      x[row] += r[row];
  }
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int row = 0; row < a.order; row++)
    worst = fmax(worst, fabs(x[row] - 1));
  return conclude(hashDoubles(x, (size_t)a.order), worst < 1e-3);
}
