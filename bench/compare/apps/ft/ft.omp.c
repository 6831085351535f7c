// ft.omp.c: Fourier transforms, one persistent parallel region. Lines along z are transformed where
// y is dealt out, then the field is transposed, and planes are transformed where z is dealt out.
#include "ft.h"

enum { TileZ = 4 };

struct Field {
  struct Plan plan;
  double decay[LongestLine];
  struct Complex *spectrum, *lines; ///< [y][x][z]
  struct Complex *points;           ///< [z][y][x]
};

static struct Complex checksum; // of the samples, over all rounds

static void makeField(int n, struct Field *f) {
  const size_t plane = (size_t)n * (size_t)n;
  f->plan = makePlan(n);
  makeDecay(n, f->decay);
  f->spectrum = allocate(plane * (size_t)n, sizeof(struct Complex));
  f->lines = allocate(plane * (size_t)n, sizeof(struct Complex));
  f->points = allocate(plane * (size_t)n, sizeof(struct Complex));
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    fillPlane(n, i, f->spectrum + (size_t)i * plane);
    memset(f->lines + (size_t)i * plane, 0, plane * sizeof *f->lines);
    memset(f->points + (size_t)i * plane, 0, plane * sizeof *f->points);
  }
}

/// TileZ planes of the points from the transformed lines; TileZ values are one cache line.
static void transposeTo(const struct Field *f, int firstZ) {
  const size_t n = (size_t)f->plan.n;
  for (size_t y = 0; y < n; y++)
    for (size_t x = 0; x < n; x++)
      for (size_t z = (size_t)firstZ; z < (size_t)firstZ + TileZ; z++)
        f->points[(z * n + y) * n + x] = f->lines[(y * n + x) * n + z];
}

static void iterate(const struct Field *f, int rounds) {
  const int n = f->plan.n;
  const size_t plane = (size_t)n * (size_t)n;
  double re = 0, im = 0;
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
    for (int y = 0; y < n; y++)
      evolvePlane(&f->plan, f->decay, y, f->spectrum + (size_t)y * plane,
                  f->lines + (size_t)y * plane);
#pragma omp for schedule(static)
    for (int tile = 0; tile < n / TileZ; tile++) {
      transposeTo(f, tile * TileZ);
      for (int z = tile * TileZ; z < (tile + 1) * TileZ; z++)
        transformPlane(&f->plan, f->points + (size_t)z * plane);
    }
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
