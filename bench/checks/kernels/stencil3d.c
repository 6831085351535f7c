// stencil3d.c: the acoustic wave equation in a cube, second order in time, fourth in space: a star
// of 13 points in a flat array, with planes as structures that hold pointers.
#include <math.h>

#include "kernel.h"

struct Field {
  int n;
  double *before, *now, *speed; // speed: (c dt / dx)^2
};

static size_t placeOf(const struct Field *f, int i, int j, int k) {
  return ((size_t)i * (size_t)f->n + (size_t)j) * (size_t)f->n + (size_t)k;
}

static void start(struct Field *f) {
  const size_t count = (size_t)f->n * (size_t)f->n * (size_t)f->n;
  f->before = allocate(count, sizeof(double));
  f->now = allocate(count, sizeof(double));
  f->speed = allocate(count, sizeof(double));
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++)
      for (int k = 0; k < f->n; k++) {
        const size_t p = placeOf(f, i, j, k);
        const double x = i - 0.5 * (f->n - 1), y = j - 0.5 * (f->n - 1), z = k - 0.5 * (f->n - 1);
        f->before[p] = f->now[p] = exp(-0.05 * (x * x + y * y + z * z));
        f->speed[p] = i < f->n / 2 ? 0.1 : 0.1 + 0.05 * randomUnit((uint64_t)j);
      }
}

// The second derivative has coefficients -1/12, 4/3, -5/2 (Fornberg: Generation of finite
// difference formulas, 1988).
static void step(struct Field *f) {
  const size_t row = (size_t)f->n, plane = row * row;
#pragma omp parallel for collapse(2) schedule(static)
  for (int i = 2; i < f->n - 2; i++)
    for (int j = 2; j < f->n - 2; j++)
      for (int k = 2; k < f->n - 2; k++) {
        const size_t p = placeOf(f, i, j, k);
        const double *u = f->now;
        const double near =
            u[p - 1] + u[p + 1] + u[p - row] + u[p + row] + u[p - plane] + u[p + plane];
        const double far = u[p - 2] + u[p + 2] + u[p - 2 * row] + u[p + 2 * row] +
                           u[p - 2 * plane] + u[p + 2 * plane];
        const double laplace = 4.0 / 3 * near - 1.0 / 12 * far - 7.5 * u[p];
        f->before[p] = 2 * u[p] - f->before[p] + f->speed[p] * laplace;
      }
  double *const other = f->before;
  f->before = f->now;
  f->now = other;
}

/// The slowest half is a mirror of itself in j and k, also when the waves have run: the largest
/// difference.
static double asymmetry(const struct Field *f, int steps) {
  double worst = 0;
  const int n = f->n, untouched = n / 2 - 2 * steps; // planes that the other half has not reached
#pragma omp parallel for schedule(static) reduction(max : worst)
  for (int i = 0; i < untouched; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        worst =
            fmax(worst, fabs(f->now[placeOf(f, i, j, k)] - f->now[placeOf(f, i, k, n - 1 - j)]));
  return worst;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), steps = small ? 5 : 96;
  struct Field f = {small ? 24 : 128, NULL, NULL, NULL};
  start(&f);
  double worst = 0;
  for (int t = 0; t < steps; t++) {
    step(&f);
    if (t == 4)
      worst = asymmetry(&f, t + 1);
  }
  double most = 0;
  const size_t count = (size_t)f.n * (size_t)f.n * (size_t)f.n;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (size_t p = 0; p < count; p++)
    most = fmax(most, fabs(f.now[p]));
  return conclude(hashDoubles(f.now, count), worst < 1e-12 && most < 1);
}
