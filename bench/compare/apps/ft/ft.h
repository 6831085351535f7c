// ft.h: the problem of ft: a field is known by its Fourier transform, which each round multiplies
// by the heat kernel and transforms back in three dimensions; the answer is taken from a few points
// (the shape of the FT benchmark, NAS report RNR-94-007, 2.3.3). The transform of one line is
// Stockham's, as Van Loan describes it (Computational frameworks for the fast Fourier transform,
// 1992, 1.7), radix 4.
//
// bench/compare: regular, tolerance 1e-9
#ifndef OMPDSM_BENCH_COMPARE_FT_H
#define OMPDSM_BENCH_COMPARE_FT_H

#include "../program.h"

enum { LongestLine = 256, Columns = 8, Samples = 1024 };

struct Complex {
  double re, im;
};

static const int edges[SizeClasses] = {16, 64, 128}; ///< Points along an edge: powers of two.
static const int defaultRounds[SizeClasses] = {2, 4, 12};

struct Plan {
  int n;
  struct Complex roots[LongestLine]; ///< exp(2 pi i k / n).
};

static inline struct Plan makePlan(int n) {
  struct Plan plan = {.n = n};
  for (int k = 0; k < n; k++) {
    const double angle = 2 * acos(-1) * k / n;
    plan.roots[k] = (struct Complex){cos(angle), sin(angle)};
  }
  return plan;
}

static inline struct Complex times(struct Complex a, struct Complex b) {
  return (struct Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline struct Complex plus(struct Complex a, struct Complex b) {
  return (struct Complex){a.re + b.re, a.im + b.im};
}
static inline struct Complex minus(struct Complex a, struct Complex b) {
  return (struct Complex){a.re - b.re, a.im - b.im};
}

/// One pass: `blocks` butterflies of `radix` (2 or 4), each for `width` neighbouring values.
static inline void transformPass(const struct Plan *plan, int radix, int blocks, int width,
                                 const struct Complex *restrict from, struct Complex *restrict to) {
  const int stride = plan->n / (radix * blocks); // from root to root
  const int step = blocks * width;
  for (int block = 0; block < blocks; block++) {
    const struct Complex *const in = from + block * width;
    struct Complex *const out = to + radix * block * width;
    if (radix == 2) {
      const struct Complex root = plan->roots[block * stride];
      for (int i = 0; i < width; i++) {
        const struct Complex a = in[i], b = in[i + step];
        out[i] = plus(a, b);
        out[i + width] = times(root, minus(a, b));
      }
      continue;
    }
    const struct Complex root1 = plan->roots[block * stride], root2 = times(root1, root1),
                         root3 = times(root1, root2);
    for (int i = 0; i < width; i++) {
      const struct Complex a = in[i], b = in[i + step], c = in[i + 2 * step], d = in[i + 3 * step];
      const struct Complex ac = plus(a, c), ca = minus(a, c), bd = plus(b, d), db = minus(b, d);
      const struct Complex turned = {-db.im, db.re};
      out[i] = plus(ac, bd);
      out[i + width] = times(root1, plus(ca, turned));
      out[i + 2 * width] = times(root2, minus(ac, bd));
      out[i + 3 * width] = times(root3, minus(ca, turned));
    }
  }
}

/// Transforms `columns` interleaved lines of plan->n values (value k of line c is at k * columns +
/// c), without a factor; `work` is as large.
static inline void transform(const struct Plan *plan, int columns, struct Complex *line,
                             struct Complex *work) {
  struct Complex *from = line, *to = work;
  for (int left = plan->n, width = columns; left > 1;) {
    const int radix = left % 4 == 0 ? 4 : 2;
    left /= radix;
    transformPass(plan, radix, left, width, from, to);
    width *= radix;
    struct Complex *const kept = from;
    from = to;
    to = kept;
  }
  if (from != line)
    memcpy(line, from, (size_t)plan->n * (size_t)columns * sizeof *line);
}

/// Transforms a plane of n x n values (or `lines` of its n rows) along rows only, or along both.
static inline void transformRows(const struct Plan *plan, int lines, struct Complex *plane) {
  struct Complex work[LongestLine];
  for (int line = 0; line < lines; line++)
    transform(plan, 1, plane + (size_t)line * (size_t)plan->n, work);
}

static inline void transformPlane(const struct Plan *plan, struct Complex *plane) {
  const int n = plan->n;
  struct Complex lines[LongestLine * Columns], work[LongestLine * Columns];
  transformRows(plan, n, plane);
  for (int column = 0; column < n; column += Columns) {
    for (int row = 0; row < n; row++)
      memcpy(lines + row * Columns, plane + (size_t)row * (size_t)n + column,
             Columns * sizeof *lines);
    transform(plan, Columns, lines, work);
    for (int row = 0; row < n; row++)
      memcpy(plane + (size_t)row * (size_t)n + column, lines + row * Columns,
             Columns * sizeof *lines);
  }
}

/// The field's transform at (x, y, z) is in [y][x][z]: one plane of it at the beginning.
static inline void fillPlane(int n, int y, struct Complex *plane) {
  for (int x = 0; x < n; x++)
    for (int z = 0; z < n; z++) {
      const uint64_t index = 2 * (((uint64_t)y * 1024 + (uint64_t)x) * 1024 + (uint64_t)z);
      plane[(size_t)x * (size_t)n + (size_t)z] =
          (struct Complex){randomUnit(index) - 0.5, randomUnit(index + 1) - 0.5};
    }
}

/// Factors of the heat kernel for one coordinate: all of them multiplied are those of a point.
static inline void makeDecay(int n, double decay[LongestLine]) {
  for (int k = 0; k < n; k++) {
    const double frequency = k < n / 2 ? k : k - n;
    decay[k] = exp(-4e-6 * 4 * acos(-1) * acos(-1) * frequency * frequency);
  }
}

/// field *= kernel, and `lines` becomes what it is transformed to along z; one plane [x][z].
static inline void evolvePlane(const struct Plan *plan, const double *decay, int y,
                               struct Complex *restrict field, struct Complex *restrict lines) {
  const int n = plan->n;
  for (int x = 0; x < n; x++)
    for (int z = 0; z < n; z++) {
      const size_t at = (size_t)x * (size_t)n + (size_t)z;
      const double factor = decay[y] * decay[x] * decay[z];
      field[at].re *= factor;
      field[at].im *= factor;
      lines[at] = field[at];
    }
  transformRows(plan, n, lines);
}

/// Sample `k` is the point (x, y, z) with these coordinates.
static inline void samplePoint(int n, int k, int *x, int *y, int *z) {
  const uint64_t random = mix((uint64_t)k + 777);
  *x = (int)(random % (uint64_t)n);
  *y = (int)((random >> 16) % (uint64_t)n);
  *z = (int)((random >> 32) % (uint64_t)n);
}

#endif
