// ft.omp.c: Fourier transforms, one persistent parallel region. Lines along z are transformed where
// y is dealt out, then the field is transposed, and planes are transformed where z is dealt out.
#include "ft.h"

struct Field {
  struct Plan plan;
  double decay[LongestLine];
  struct Complex *spectrum; ///< [y][x][z]
  struct Complex *points;   ///< [z][y][x]
};

static struct Complex checksum; // of the samples, over all rounds

static void makeField(int n, struct Field *f) {
  const size_t plane = (size_t)n * (size_t)n;
  f->plan = makePlan(n);
  makeDecay(n, f->decay);
  f->spectrum = allocate(plane * (size_t)n, sizeof(struct Complex));
  f->points = allocate(plane * (size_t)n, sizeof(struct Complex));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    fillPlane(n, i, f->spectrum + (size_t)i * plane);
    memset(f->points + (size_t)i * plane, 0, plane * sizeof *f->points);
  }
}

/// Plane y of the points from its transformed lines.
static void transpose(const struct Field *f, int y, const struct Complex *restrict lines) {
  const size_t n = (size_t)f->plan.n;
  for (size_t z = 0; z < n; z++) {
    struct Complex *const row = f->points + (z * n + (size_t)y) * n;
    for (size_t x = 0; x < n; x++)
      row[x] = lines[x * n + z];
  }
}

static void iterate(const struct Field *f, int rounds) {
  const int n = f->plan.n;
  const size_t plane = (size_t)n * (size_t)n;
  double re = 0, im = 0;
#pragma omp parallel
  {
    struct Complex *const lines = allocate(plane, sizeof(struct Complex)); // one plane at a time
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
      for (int y = 0; y < n; y++) {
        evolvePlane(&f->plan, f->decay, y, f->spectrum + (size_t)y * plane, lines);
        transpose(f, y, lines);
      }
#pragma omp for schedule(static)
      for (int z = 0; z < n; z++)
        transformPlane(&f->plan, f->points + (size_t)z * plane);
#pragma omp for schedule(static) reduction(+ : re, im)
      for (int k = 0; k < Samples; k++) {
        int x, y, z;
        samplePoint(n, k, &x, &y, &z);
        const struct Complex point =
            f->points[((size_t)z * (size_t)n + (size_t)y) * (size_t)n + (size_t)x];
        re += point.re;
        im += point.im;
      }
    }
    free(lines);
  }
  checksum.re += re;
  checksum.im += im;
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  static struct Field field;
  makeField(edges[arguments.size], &field);
  iterate(&field, 1);
  const double start = wallSeconds();
  iterate(&field, arguments.rounds);
  report(arguments.rounds, wallSeconds() - start, (double[]){checksum.re, checksum.im}, 2);
  return 0;
}
