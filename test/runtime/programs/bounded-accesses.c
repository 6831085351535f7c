// Loops whose accesses have no section, but lie in the node's part of the arrays and its borders: under a mask, by one
// counter for rows and columns, in a collapsed nest, by unsigned numbers, in tiles. Their copies without checks run where
// that part is valid, and must be right where it is not: in the first steps, at the borders, and where rows change hands.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 2 -t 1 %t | %check %s
// RUN: %run -n 3 -t 2 %t | %check %s
// RUN: %run -n 4 -t 1 --provider tcp %t | %check %s
// RUN: env OMPDSM_MIGRATE=0 OMPDSM_BLOCK_LARGE=64 %run -n 3 -t 1 %t | %check %s
#include <stdio.h>
#include <stdlib.h>

enum { Steps = 12, Kinds = 5 };

struct Field {
  int rows, width;
  double *now, *next;
  char *mask;
};

static double around(const double *now, int at, int width) {
  return now[at] + 0.1 * (now[at - width] + now[at + width] + now[at - 1] + now[at + 1] - 4 * now[at]);
}
static void masked(struct Field *f) {
#pragma omp parallel for
  for (int i = 0; i < f->rows; i++)
    for (int j = 0; j < f->width; j++)
      if (f->mask[i * f->width + j])
        f->next[i * f->width + j] = around(f->now, i * f->width + j, f->width);
}
static void flat(struct Field *f) {
#pragma omp parallel for
  for (int k = 0; k < f->rows * f->width; k++) {
    const int i = k / f->width, j = k % f->width;
    if (i == 0 || j == 0 || i == f->rows - 1 || j == f->width - 1)
      f->next[k] = f->now[k] + 1;
    else
      f->next[k] = around(f->now, k, f->width);
  }
}
static void collapsed(struct Field *f) {
  double *const next = f->next;
  const double *const now = f->now;
  const int width = f->width;
#pragma omp parallel for collapse(2)
  for (int i = 1; i < f->rows - 1; i++)
    for (int j = 1; j < f->width - 1; j++)
      next[i * width + j] = around(now, i * width + j, width);
}
// Rows are dealt in another way, so that each has another writer than in the step before.
static void unsignedNumbers(struct Field *f) {
  const unsigned width = (unsigned)f->width, rows = (unsigned)f->rows;
  double *const next = f->next;
  const double *const now = f->now;
#pragma omp parallel for schedule(static, 7)
  for (unsigned i = 1; i < rows - 1; i++)
    for (unsigned j = 1; j < width - 1; j++)
      next[i * width + j] = now[(i - 1) * width + j] - 0.5 * now[i * width + j + 1];
}
static void tiled(struct Field *f) {
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int top = 0; top < f->rows; top += 16)
    for (int left = 0; left < f->width; left += 32)
      for (int i = top; i < top + 16 && i < f->rows; i++)
        for (int j = left; j < left + 32 && j < f->width; j++)
          if ((i + j) % 3)
            f->next[i * f->width + j] += f->now[i * f->width + j];
}

static double run(struct Field f, int serially) {
  static void (*const steps[Kinds])(struct Field *) = {masked, flat, collapsed, unsignedNumbers, tiled};
  for (int k = 0; k < f.rows * f.width; k++) {
    f.now[k] = f.next[k] = k % 11;
    f.mask[k] = k / f.width > 0 && k / f.width < f.rows - 1 && k % f.width > 0 && k % f.width < f.width - 1 && k % 7;
  }
  for (int step = 0; step < Steps * Kinds; step++) {
    if (serially) {
      const int at = step / Steps; // as the functions above do
      for (int i = 0; i < f.rows; i++)
        for (int j = 0; j < f.width; j++) {
          const int k = i * f.width + j, isInner = i > 0 && j > 0 && i < f.rows - 1 && j < f.width - 1;
          if (at == 0 ? f.mask[k] : at == 1 || at == 2 ? isInner : 0)
            f.next[k] = around(f.now, k, f.width);
          else if (at == 1)
            f.next[k] = f.now[k] + 1;
          else if (at == 3 && isInner)
            f.next[k] = f.now[k - f.width] - 0.5 * f.now[k + 1];
          else if (at == 4 && (i + j) % 3)
            f.next[k] += f.now[k];
        }
    } else {
      steps[step / Steps](&f);
    }
    double *const swapped = f.now;
    f.now = f.next;
    f.next = swapped;
  }
  double sum = 0;
  for (int k = 0; k < f.rows * f.width; k++)
    sum += f.now[k] * (k % 5 + 1) + f.next[k];
  return sum;
}

int main(void) {
  static const int rows[] = {7, 60, 301}, widths[] = {9, 130, 257};
  for (int size = 0; size < 3; size++) {
    const size_t n = (size_t)rows[size] * (size_t)widths[size];
    struct Field field = {rows[size], widths[size], malloc(n * sizeof(double)), malloc(n * sizeof(double)), malloc(n)};
    const double expected = run(field, 1), found = run(field, 0);
    // CHECK-COUNT-3: right
    // CHECK-NOT: wrong
    printf("%s\n", found == expected ? "right" : "wrong");
    free(field.now);
    free(field.next);
    free(field.mask);
  }
  return 0;
}
