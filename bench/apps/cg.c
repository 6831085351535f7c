// cg.c: the CG benchmark problem of the NAS Parallel Benchmarks, as an ordinary OpenMP program.
//
// Estimates the eigenvalue of a large sparse symmetric matrix that is nearest to a shift, by the
// inverse power method; each step solves a linear system with 25 iterations of conjugate gradients.
// Written from the published definition (Bailey et al., The NAS Parallel Benchmarks, RNR-94-007,
// section 2.3.2, and the sizes and values of zeta that NASA published later for the classes W, A
// and B); the random vectors follow the definition number for number, so that the official zeta
// verifies. Usage: cg [S|W|A|B]. Prints zeta, whether it verifies, and the seconds of the timed
// part; exit code 1 if it does not verify.
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Problem {
  char name;
  int order;    // n: rows and columns
  int nonzeros; // of each random vector
  int steps;    // of the power method
  double shift; // lambda
  double zeta;  // the official result
};

static const struct Problem problems[] = {
    {'S', 1400, 7, 15, 10, 8.5971775078648},
    {'W', 7000, 8, 15, 12, 10.362595087124},
    {'A', 14000, 11, 15, 20, 17.130235054029},
    {'B', 75000, 13, 75, 60, 22.712745482631},
};

static const double ConditionNumber = 0.1; // rcond: its n-th root is the ratio of the weights
static const double Tolerance = 1e-10;
enum { GradientIterations = 25 };

/// Rows of the matrix: those of row i are entries rowBegin[i] to rowBegin[i + 1].
struct Matrix {
  int order;
  int64_t *rowBegin;
  int *column;
  double *value;
};

struct Vectors {
  double *x, *z, *p, *q, *r;
};

static void *allocate(size_t count, size_t size) {
  void *memory = malloc(count * size);
  if (!memory) {
    fprintf(stderr, "cg: no memory for %zu values of %zu bytes\n", count, size);
    exit(1);
  }
  return memory;
}

// The generator of the benchmarks (section 2.2): x := 5^13 x mod 2^46; the value is x 2^-46, in (0,
// 1).
static double nextRandom(uint64_t *state) {
  *state = *state * 1220703125u & ((UINT64_C(1) << 46) - 1);
  return (double)*state * 0x1p-46;
}

/// One of the random sparse vectors of which the matrix is the sum of outer products.
struct SparseVector {
  int length;
  int index[16];
  double value[16];
};

// Pairs (value, place) are drawn until there are `nonzeros` different places below the order. The
// place is scaled by the power of two that is not smaller than the order. Element `own` is then set
// to one half.
static void drawVector(const struct Problem *problem, int own, uint64_t *state,
                       struct SparseVector *vector) {
  int scale = 1;
  while (scale < problem->order)
    scale *= 2;
  vector->length = 0;
  while (vector->length < problem->nonzeros) {
    const double value = nextRandom(state);
    const int place = (int)(scale * nextRandom(state));
    int known = place >= problem->order;
    for (int k = 0; k < vector->length && !known; k++)
      known = vector->index[k] == place;
    if (known)
      continue;
    vector->index[vector->length] = place;
    vector->value[vector->length++] = value;
  }
  for (int k = 0; k < vector->length; k++)
    if (vector->index[k] == own) {
      vector->value[k] = 0.5;
      return;
    }
  vector->index[vector->length] = own;
  vector->value[vector->length++] = 0.5;
}

/// Entries of the sum, one place possibly several times, by rows, in each row in the order of the
/// columns.
struct Entries {
  int64_t *rowBegin;
  int *column;
  double *value;
};

// The matrix is the sum over i of w_i v_i v_i', with w_i falling from 1 to rcond, plus rcond -
// shift on the diagonal. All outer products are symmetric, so writing the entries by columns,
// vector by vector, gives for each row what is wanted but in the order of the vectors; writing that
// once more, transposed, puts the columns in order.
static struct Entries drawEntries(const struct Problem *problem, uint64_t *state) {
  const int n = problem->order;
  struct SparseVector *vectors = allocate((size_t)n, sizeof *vectors);
  struct Entries raw, sorted;
  raw.rowBegin = allocate((size_t)n + 1, sizeof *raw.rowBegin);
  for (int i = 0; i <= n; i++)
    raw.rowBegin[i] = 0;
  for (int i = 0; i < n; i++) {
    drawVector(problem, i, state, &vectors[i]);
    for (int k = 0; k < vectors[i].length; k++)
      raw.rowBegin[vectors[i].index[k] + 1] += vectors[i].length;
  }
  for (int i = 0; i < n; i++)
    raw.rowBegin[i + 1] += raw.rowBegin[i];
  const size_t total = (size_t)raw.rowBegin[n];
  raw.column = allocate(total, sizeof *raw.column);
  raw.value = allocate(total, sizeof *raw.value);
  int64_t *next = allocate((size_t)n, sizeof *next);
  for (int i = 0; i < n; i++)
    next[i] = raw.rowBegin[i];
  const double ratio = pow(ConditionNumber, 1.0 / n);
  double weight = 1;
  for (int i = 0; i < n; i++, weight *= ratio) {
    const struct SparseVector *v = &vectors[i];
    for (int k = 0; k < v->length; k++)
      for (int l = 0; l < v->length; l++) {
        const int64_t at = next[v->index[k]]++;
        raw.column[at] = v->index[l];
        raw.value[at] = weight * v->value[k] * v->value[l];
        if (v->index[k] == i && v->index[l] == i)
          raw.value[at] += ConditionNumber - problem->shift;
      }
  }
  free(vectors);
  sorted.rowBegin = raw.rowBegin;
  sorted.column = allocate(total, sizeof *sorted.column);
  sorted.value = allocate(total, sizeof *sorted.value);
  for (int i = 0; i < n; i++)
    next[i] = raw.rowBegin[i];
  for (int i = 0; i < n; i++)
    for (int64_t k = raw.rowBegin[i]; k < raw.rowBegin[i + 1]; k++) {
      const int64_t at = next[raw.column[k]]++;
      sorted.column[at] = i;
      sorted.value[at] = raw.value[k];
    }
  free(next);
  free(raw.column);
  free(raw.value);
  return sorted;
}

// Adds up the entries of equal place. Each thread writes the rows that it will multiply later.
static struct Matrix assemble(int n, const struct Entries *entries) {
  struct Matrix matrix;
  matrix.order = n;
  matrix.rowBegin = allocate((size_t)n + 1, sizeof *matrix.rowBegin);
  matrix.rowBegin[0] = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    int64_t different = 0;
    for (int64_t k = entries->rowBegin[i]; k < entries->rowBegin[i + 1]; k++)
      different += k == entries->rowBegin[i] || entries->column[k] != entries->column[k - 1];
    matrix.rowBegin[i + 1] = different;
  }
  for (int i = 0; i < n; i++)
    matrix.rowBegin[i + 1] += matrix.rowBegin[i];
  matrix.column = allocate((size_t)matrix.rowBegin[n], sizeof *matrix.column);
  matrix.value = allocate((size_t)matrix.rowBegin[n], sizeof *matrix.value);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    int64_t at = matrix.rowBegin[i] - 1;
    for (int64_t k = entries->rowBegin[i]; k < entries->rowBegin[i + 1]; k++) {
      if (k == entries->rowBegin[i] || entries->column[k] != entries->column[k - 1]) {
        matrix.column[++at] = entries->column[k];
        matrix.value[at] = 0;
      }
      matrix.value[at] += entries->value[k];
    }
  }
  return matrix;
}

static struct Matrix makeMatrix(const struct Problem *problem) {
  uint64_t state = 314159265;
  nextRandom(&state); // the definition draws one number before the vectors
  struct Entries entries = drawEntries(problem, &state);
  const struct Matrix matrix = assemble(problem->order, &entries);
  free(entries.rowBegin);
  free(entries.column);
  free(entries.value);
  return matrix;
}

static double rowTimes(const struct Matrix *a, int row, const double *vector) {
  double sum = 0;
  for (int64_t k = a->rowBegin[row]; k < a->rowBegin[row + 1]; k++)
    sum += a->value[k] * vector[a->column[k]];
  return sum;
}

/// Solves A z = x approximately, and returns the norm of x - A z.
static double solve(const struct Matrix *a, const struct Vectors *v) {
  const int n = a->order;
  double *const restrict x = v->x, *const restrict z = v->z, *const restrict p = v->p;
  double *const restrict q = v->q, *const restrict r = v->r;
  double rho = 0, curvature = 0, residual = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static) reduction(+ : rho)
    for (int i = 0; i < n; i++) {
      z[i] = 0;
      r[i] = p[i] = x[i];
      rho += x[i] * x[i];
    }
    double rhoNow = rho;
#pragma omp barrier
    for (int iteration = 0; iteration < GradientIterations; iteration++) {
#pragma omp master
      rho =
          0; // everybody read it before the last barrier; the next one comes before it is added to
#pragma omp for schedule(static) reduction(+ : curvature)
      for (int i = 0; i < n; i++) {
        q[i] = rowTimes(a, i, p);
        curvature += p[i] * q[i];
      }
      const double alpha = rhoNow / curvature;
#pragma omp for schedule(static) reduction(+ : rho)
      for (int i = 0; i < n; i++) {
        z[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rho += r[i] * r[i];
      }
      const double beta = rho / rhoNow;
      rhoNow = rho;
#pragma omp master
      curvature = 0; // the same
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++)
        p[i] = r[i] + beta * p[i];
    }
#pragma omp for schedule(static) reduction(+ : residual)
    for (int i = 0; i < n; i++) {
      const double difference = x[i] - rowTimes(a, i, z);
      residual += difference * difference;
    }
  }
  return sqrt(residual);
}

/// One step of the power method: solves, scales z into x, and returns zeta.
static double powerStep(const struct Problem *problem, const struct Matrix *a,
                        const struct Vectors *v, double *residual) {
  const int n = a->order;
  double xz = 0, zz = 0;
  *residual = solve(a, v);
#pragma omp parallel for schedule(static) reduction(+ : xz, zz)
  for (int i = 0; i < n; i++) {
    xz += v->x[i] * v->z[i];
    zz += v->z[i] * v->z[i];
  }
  const double factor = 1 / sqrt(zz);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    v->x[i] = factor * v->z[i];
  return problem->shift + 1 / xz;
}

static void startVector(const struct Vectors *v, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    v->x[i] = 1;
}

static const struct Problem *findProblem(const char *name) {
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
    if (name[0] == problems[i].name && !name[1])
      return &problems[i];
  return NULL;
}

int main(int argc, char **argv) {
  const struct Problem *problem = findProblem(argc > 1 ? argv[1] : "S");
  if (argc > 2 || !problem) {
    fprintf(stderr, "usage: cg [S|W|A|B]\n");
    return 2;
  }
  const size_t n = (size_t)problem->order;
  const struct Matrix a = makeMatrix(problem);
  const struct Vectors v = {allocate(n, sizeof(double)), allocate(n, sizeof(double)),
                            allocate(n, sizeof(double)), allocate(n, sizeof(double)),
                            allocate(n, sizeof(double))};
  double zeta = 0, residual = 0;
  startVector(&v, problem->order);
  powerStep(problem, &a, &v, &residual); // untimed, as the definition allows: pages and caches
  startVector(&v, problem->order);
  const double start = omp_get_wtime();
  for (int step = 0; step < problem->steps; step++)
    zeta = powerStep(problem, &a, &v, &residual);
  const double seconds = omp_get_wtime() - start;

  const int verified = fabs(zeta - problem->zeta) <= Tolerance;
  printf("cg class %c, order %d, %lld entries, %d threads\n", problem->name, problem->order,
         (long long)a.rowBegin[n], omp_get_max_threads());
  printf("residual %.6e\n", residual);
  printf("zeta %.13f, expected %.13f: %s\n", zeta, problem->zeta,
         verified ? "VERIFIED" : "NOT VERIFIED");
  printf("seconds %.4f\n", seconds);
  free(a.rowBegin);
  free(a.column);
  free(a.value);
  free(v.x);
  free(v.z);
  free(v.p);
  free(v.q);
  free(v.r);
  return verified ? 0 : 1;
}
