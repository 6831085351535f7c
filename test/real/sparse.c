// RUN: %build-c
// RUN: mkdir -p %t.d && cd %t.d
// RUN: %full env OMP_NUM_THREADS=4 %run -n 4 %t | tail -n 1 | grep -x ok
// RUN: %full %run -n 2 -t 2 %t | tail -n 1 | grep -x ok
/* sparse.c - finite elements on an unstructured triangle mesh, CSR matrices
 * and Krylov solvers.
 *
 *   -div(k grad u) + b . grad u + c u = f   on the unit square, u = 0 outside.
 *
 * The matrix is assembled by colours and, for comparison, under critical
 * sections; it is written as matrix market text and read again from memory.
 *
 *   sparse [-n points per side] [-s maximal iterations] [-h]
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <omp.h>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

typedef struct {
  double x, y;
  bool boundary;
} Point;

typedef struct {
  int p[3], colour;
} Triangle;

typedef struct {
  int npoints, ntriangles, ncolours;
  Point *point;
  Triangle *triangle;
  int **by_colour, *colour_size;
} Mesh;

typedef struct {
  int *item, used, room;
} List;

typedef struct {
  int n;
  long nnz;
  long *start;
  int *column;
  double *value;
} Csr;

typedef struct {
  int row, column;
  double value;
} Triplet;

typedef struct {
  Triplet *item;
  long used, room;
} Triplets;

typedef enum { NONE, JACOBI, BLOCK_JACOBI } Kind;
enum { BLOCK = 4 };

typedef struct {
  Kind kind;
  int n, blocks;
  double *inverse; /* diagonal, or BLOCK x BLOCK inverses */
} Preconditioner;

typedef struct {
  int iterations;
  double residual;
  bool converged;
} Result;

typedef struct {
  double k, bx, by, c;
} Equation;

static int failures;

static void check(bool good, const char *what) {
  if (!good) {
    printf("FAILED: %s\n", what);
    failures++;
  }
}

static void *need(void *p) {
  if (!p) {
    fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return p;
}

static double *vector(int n) {
  double *v = need(malloc((size_t)n * sizeof *v));
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    v[i] = 0.0;
  return v;
}

static uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

static double noise(uint64_t k) { return (double)(mix(k) >> 11) / 9007199254740992.0 - 0.5; }

static void list_add(List *l, int v) {
  if (l->used == l->room) {
    l->room = l->room ? 2 * l->room : 8;
    l->item = need(realloc(l->item, (size_t)l->room * sizeof *l->item));
  }
  l->item[l->used++] = v;
}

static int compare_ints(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* ------------------------------------------------------------------ mesh -- */

/* Shuffled numbering and displaced points make it unstructured. */
static Mesh *mesh_new(int m) {
  Mesh *mesh = need(calloc(1, sizeof *mesh));
  const int n = m * m;
  int *number = need(malloc((size_t)n * sizeof *number));

  for (int i = 0; i < n; i++)
    number[i] = i;
  for (int i = n - 1; i > 0; i--) { /* only local shuffles */
    const int near = i > 3 * m ? 3 * m : i;
    const int j = i - (int)(mix(31ull * i) % (uint64_t)(near + 1));
    const int t = number[i];
    number[i] = number[j];
    number[j] = t;
  }
  mesh->npoints = n;
  mesh->ntriangles = 2 * (m - 1) * (m - 1);
  mesh->point = need(malloc((size_t)n * sizeof *mesh->point));
  mesh->triangle = need(malloc((size_t)mesh->ntriangles * sizeof *mesh->triangle));

#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static) nowait
    for (int j = 0; j < m; j++)
      for (int i = 0; i < m; i++) {
        const bool edge = i == 0 || j == 0 || i == m - 1 || j == m - 1;
        const int k = j * m + i;
        Point *p = &mesh->point[number[k]];
        p->boundary = edge;
        p->x = (i + (edge ? 0.0 : 0.4 * noise(2ull * k))) / (m - 1);
        p->y = (j + (edge ? 0.0 : 0.4 * noise(2ull * k + 1))) / (m - 1);
      }
#pragma omp for schedule(static)
    for (int j = 0; j < m - 1; j++)
      for (int i = 0; i < m - 1; i++) {
        const int a = number[j * m + i], b = number[j * m + i + 1];
        const int c = number[(j + 1) * m + i], d = number[(j + 1) * m + i + 1];
        Triangle *t = &mesh->triangle[2 * (j * (m - 1) + i)];
        if (mix(7ull * (uint64_t)(j * m + i)) & 1) {
          t[0] = (Triangle){{a, b, d}, -1};
          t[1] = (Triangle){{a, d, c}, -1};
        } else {
          t[0] = (Triangle){{a, b, c}, -1};
          t[1] = (Triangle){{b, d, c}, -1};
        }
      }
  }
  free(number);
  return mesh;
}

/* Greedy; no two triangles of a colour share a point. */
static void mesh_colour(Mesh *mesh) {
  uint64_t *taken = need(calloc((size_t)mesh->npoints, sizeof *taken));
  List lists[64];
  memset(lists, 0, sizeof lists);
  for (int t = 0; t < mesh->ntriangles; t++) {
    Triangle *tri = &mesh->triangle[t];
    const uint64_t used = taken[tri->p[0]] | taken[tri->p[1]] | taken[tri->p[2]];
    int c = 0;
    while (used >> c & 1)
      c++;
    tri->colour = c;
    for (int k = 0; k < 3; k++)
      taken[tri->p[k]] |= 1ull << c;
    list_add(&lists[c], t);
    if (c + 1 > mesh->ncolours)
      mesh->ncolours = c + 1;
  }
  mesh->by_colour = need(malloc((size_t)mesh->ncolours * sizeof *mesh->by_colour));
  mesh->colour_size = need(malloc((size_t)mesh->ncolours * sizeof *mesh->colour_size));
  for (int c = 0; c < mesh->ncolours; c++) {
    mesh->by_colour[c] = lists[c].item;
    mesh->colour_size[c] = lists[c].used;
  }
  free(taken);
}

static void mesh_free(Mesh *mesh) {
  for (int c = 0; c < mesh->ncolours; c++)
    free(mesh->by_colour[c]);
  free(mesh->by_colour);
  free(mesh->colour_size);
  free(mesh->point);
  free(mesh->triangle);
  free(mesh);
}

static double area(const Mesh *m, const Triangle *t) {
  const Point *a = &m->point[t->p[0]], *b = &m->point[t->p[1]], *c = &m->point[t->p[2]];
  return 0.5 * ((b->x - a->x) * (c->y - a->y) - (c->x - a->x) * (b->y - a->y));
}

static void mesh_check(const Mesh *m) {
  double total = 0, smallest = 1;
#pragma omp parallel for reduction(+ : total) reduction(min : smallest)
  for (int t = 0; t < m->ntriangles; t++) {
    const double a = area(m, &m->triangle[t]);
    total += a;
    smallest = a < smallest ? a : smallest;
  }
  check(smallest > 0, "a triangle is degenerate");
  check(fabs(total - 1.0) < 1e-10, "the triangles do not cover the square");
}

/* ------------------------------------------------------------------- CSR -- */

static void csr_free(Csr *a) {
  free(a->start);
  free(a->column);
  free(a->value);
  memset(a, 0, sizeof *a);
}

static Csr csr_pattern(const Mesh *m) {
  Csr a = {.n = m->npoints};
  List *row = need(calloc((size_t)m->npoints, sizeof *row));
  omp_lock_t lock[32];
  for (int i = 0; i < 32; i++)
    omp_init_lock(&lock[i]);

  a.start = need(malloc(((size_t)a.n + 1) * sizeof *a.start));
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int t = 0; t < m->ntriangles; t++)
      for (int i = 0; i < 3; i++) {
        const int r = m->triangle[t].p[i];
        omp_set_lock(&lock[r % 32]);
        for (int j = 0; j < 3; j++)
          list_add(&row[r], m->triangle[t].p[j]);
        omp_unset_lock(&lock[r % 32]);
      }
#pragma omp for schedule(dynamic, 64)
    for (int r = 0; r < m->npoints; r++) {
      qsort(row[r].item, (size_t)row[r].used, sizeof(int), compare_ints);
      int k = 0;
      for (int i = 0; i < row[r].used; i++)
        if (k == 0 || row[r].item[k - 1] != row[r].item[i])
          row[r].item[k++] = row[r].item[i];
      row[r].used = k;
    }
#pragma omp single
    {
      a.start[0] = 0;
      for (int r = 0; r < a.n; r++)
        a.start[r + 1] = a.start[r] + row[r].used;
      a.nnz = a.start[a.n];
      a.column = need(malloc((size_t)a.nnz * sizeof *a.column));
      a.value = need(malloc((size_t)a.nnz * sizeof *a.value));
    }
#pragma omp for schedule(static)
    for (int r = 0; r < m->npoints; r++) {
      for (int i = 0; i < row[r].used; i++) {
        a.column[a.start[r] + i] = row[r].item[i];
        a.value[a.start[r] + i] = 0.0;
      }
      free(row[r].item);
    }
  }
  for (int i = 0; i < 32; i++)
    omp_destroy_lock(&lock[i]);
  free(row);
  return a;
}

static double *csr_at(const Csr *a, int r, int c) {
  long lo = a->start[r], hi = a->start[r + 1] - 1;
  while (lo <= hi) {
    const long mid = (lo + hi) / 2;
    if (a->column[mid] == c)
      return &a->value[mid];
    if (a->column[mid] < c)
      lo = mid + 1;
    else
      hi = mid - 1;
  }
  return NULL;
}

static void multiply(const Csr *a, const double *x, double *y) {
#pragma omp for schedule(static)
  for (int r = 0; r < a->n; r++) {
    double s = 0;
    for (long k = a->start[r]; k < a->start[r + 1]; k++)
      s += a->value[k] * x[a->column[k]];
    y[r] = s;
  }
}

/* -------------------------------------------------------------- assembly -- */

static double source(double x, double y) { return 2 * M_PI * M_PI * sin(M_PI * x) * sin(M_PI * y); }

static void element(const Mesh *m, const Triangle *t, const Equation *e, double k[3][3],
                    double f[3]) {
  const double s = area(m, t);
  double gx[3], gy[3], cx = 0, cy = 0;
  for (int i = 0; i < 3; i++) {
    const Point *p = &m->point[t->p[i]];
    const Point *a = &m->point[t->p[(i + 1) % 3]], *b = &m->point[t->p[(i + 2) % 3]];
    gx[i] = (a->y - b->y) / (2 * s);
    gy[i] = (b->x - a->x) / (2 * s);
    cx += p->x / 3;
    cy += p->y / 3;
  }
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++)
      k[i][j] = s * (e->k * (gx[i] * gx[j] + gy[i] * gy[j]) + (e->bx * gx[j] + e->by * gy[j]) / 3 +
                     e->c * (i == j ? 2 : 1) / 12);
    f[i] = s * source(cx, cy) / 3;
  }
}

static void scatter(const Mesh *m, const Triangle *t, Csr *a, double *rhs, double k[3][3],
                    const double f[3]) {
  for (int i = 0; i < 3; i++) {
    const int r = t->p[i];
    if (m->point[r].boundary)
      continue;
    rhs[r] += f[i];
    for (int j = 0; j < 3; j++)
      if (!m->point[t->p[j]].boundary)
        *csr_at(a, r, t->p[j]) += k[i][j];
  }
}

static void unit_rows(const Mesh *m, Csr *a) {
#pragma omp parallel for
  for (int r = 0; r < a->n; r++)
    if (m->point[r].boundary)
      *csr_at(a, r, r) = 1.0;
}

static void assemble_colours(const Mesh *m, const Equation *e, Csr *a, double *rhs) {
#pragma omp parallel
  for (int c = 0; c < m->ncolours; c++) {
#pragma omp for schedule(static)
    for (int i = 0; i < m->colour_size[c]; i++) {
      double k[3][3], f[3];
      const Triangle *t = &m->triangle[m->by_colour[c][i]];
      element(m, t, e, k, f);
      scatter(m, t, a, rhs, k, f);
    }
  }
  unit_rows(m, a);
}

static void assemble_critical(const Mesh *m, const Equation *e, Csr *a, double *rhs) {
  enum { BATCH = 128 };
#pragma omp parallel for schedule(dynamic)
  for (int b = 0; b < (m->ntriangles + BATCH - 1) / BATCH; b++) {
    double k[BATCH][3][3], f[BATCH][3];
    const int first = b * BATCH;
    const int last = first + BATCH < m->ntriangles ? first + BATCH : m->ntriangles;
    for (int t = first; t < last; t++)
      element(m, &m->triangle[t], e, k[t - first], f[t - first]);
#pragma omp critical(assembly)
    for (int t = first; t < last; t++)
      scatter(m, &m->triangle[t], a, rhs, k[t - first], f[t - first]);
  }
  unit_rows(m, a);
}

/* --------------------------------------------------- matrix market format -- */

static char *market_write(const Csr *a, size_t *length) {
  enum { LINE = 48 };
  char **part = need(calloc((size_t)a->n, sizeof *part));
  size_t total = 128;
#pragma omp parallel for schedule(static, 32) reduction(+ : total)
  for (int r = 0; r < a->n; r++) {
    const long count = a->start[r + 1] - a->start[r];
    part[r] = need(malloc((size_t)count * LINE + 1));
    size_t used = 0;
    for (long k = a->start[r]; k < a->start[r + 1]; k++)
      used += (size_t)snprintf(part[r] + used, LINE + 1, "%d %d %.17g\n", r + 1, a->column[k] + 1,
                               a->value[k]);
    total += used;
  }
  char *text = need(malloc(total)), *p = text;
  p += sprintf(p, "%%%%MatrixMarket matrix coordinate real general\n%% by sparse\n%d %d %ld\n",
               a->n, a->n, a->nnz);
  for (int r = 0; r < a->n; r++) {
    const size_t l = strlen(part[r]);
    memcpy(p, part[r], l);
    p += l;
    free(part[r]);
  }
  *p = '\0';
  *length = (size_t)(p - text);
  free(part);
  return text;
}

static void triplet_add(Triplets *l, Triplet t) {
  if (l->used == l->room) {
    l->room = l->room ? 2 * l->room : 64;
    l->item = need(realloc(l->item, (size_t)l->room * sizeof *l->item));
  }
  l->item[l->used++] = t;
}

static int compare_triplets(const void *x, const void *y) {
  const Triplet *a = x, *b = y;
  if (a->row != b->row)
    return a->row < b->row ? -1 : 1;
  return (a->column > b->column) - (a->column < b->column);
}

/* Each thread parses a stretch of whole lines; lists are joined and sorted. */
static bool market_read(const char *text, size_t length, Csr *a) {
  const char *p = text, *end = text + length;
  int rows = 0, columns = 0, bad = 0;
  long nnz = 0;
  Triplets all = {0};

  if (strncmp(p, "%%MatrixMarket", 14) != 0)
    return false;
  while (p < end && *p == '%') {
    p = strchr(p, '\n');
    if (!p)
      return false;
    p++;
  }
  if (sscanf(p, "%d %d %ld", &rows, &columns, &nnz) != 3 || rows != columns)
    return false;
  p = strchr(p, '\n') + 1;

#pragma omp parallel reduction(+ : bad)
  {
    const size_t size = (size_t)(end - p);
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    const char *from = p + size * (size_t)me / (size_t)team;
    const char *to = p + size * (size_t)(me + 1) / (size_t)team;
    Triplets mine = {0};
    if (me > 0)
      while (from < end && from[-1] != '\n')
        from++;
    while (from < to) {
      char *q;
      Triplet t;
      t.row = (int)strtol(from, &q, 10) - 1;
      t.column = (int)strtol(q, &q, 10) - 1;
      t.value = strtod(q, &q);
      while (q < end && *q != '\n' && isspace((unsigned char)*q))
        q++;
      if (*q != '\n' || t.row < 0 || t.row >= rows || t.column < 0 || t.column >= rows) {
        bad++;
        break;
      }
      triplet_add(&mine, t);
      from = q + 1;
    }
#pragma omp critical(join)
    for (long i = 0; i < mine.used; i++)
      triplet_add(&all, mine.item[i]);
    free(mine.item);
  }
  if (bad || all.used != nnz) {
    free(all.item);
    return false;
  }
  qsort(all.item, (size_t)all.used, sizeof *all.item, compare_triplets);
  a->n = rows;
  a->nnz = nnz;
  a->start = need(calloc((size_t)rows + 1, sizeof *a->start));
  a->column = need(malloc((size_t)nnz * sizeof *a->column));
  a->value = need(malloc((size_t)nnz * sizeof *a->value));
#pragma omp parallel for
  for (long k = 0; k < nnz; k++) {
    a->column[k] = all.item[k].column;
    a->value[k] = all.item[k].value;
#pragma omp atomic
    a->start[all.item[k].row + 1]++;
  }
  for (int r = 0; r < rows; r++)
    a->start[r + 1] += a->start[r];
  free(all.item);
  return true;
}

static bool csr_equal(const Csr *a, const Csr *b, double tolerance) {
  if (a->n != b->n || a->nnz != b->nnz)
    return false;
  int differ = 0;
#pragma omp parallel for reduction(| : differ)
  for (int r = 0; r < a->n; r++) {
    differ |= a->start[r] != b->start[r];
    for (long k = a->start[r]; k < a->start[r + 1]; k++)
      differ |= a->column[k] != b->column[k] || fabs(a->value[k] - b->value[k]) > tolerance;
  }
  return !differ;
}

/* -------------------------------------------------------- preconditioners -- */

static void swap(double *x, double *y) {
  const double t = *x;
  *x = *y;
  *y = t;
}

static bool invert(double *a, int n) {
  double b[BLOCK * BLOCK] = {0};
  for (int i = 0; i < n; i++)
    b[i * BLOCK + i] = 1;
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[r * BLOCK + c]) > fabs(a[best * BLOCK + c]))
        best = r;
    if (a[best * BLOCK + c] == 0)
      return false;
    for (int k = 0; k < n; k++) {
      swap(&a[c * BLOCK + k], &a[best * BLOCK + k]);
      swap(&b[c * BLOCK + k], &b[best * BLOCK + k]);
    }
    const double d = 1 / a[c * BLOCK + c];
    for (int k = 0; k < n; k++) {
      a[c * BLOCK + k] *= d;
      b[c * BLOCK + k] *= d;
    }
    for (int r = 0; r < n; r++) {
      const double f = a[r * BLOCK + c];
      if (r == c || f == 0)
        continue;
      for (int k = 0; k < n; k++) {
        a[r * BLOCK + k] -= f * a[c * BLOCK + k];
        b[r * BLOCK + k] -= f * b[c * BLOCK + k];
      }
    }
  }
  memcpy(a, b, sizeof b);
  return true;
}

static Preconditioner precondition(const Csr *a, Kind kind) {
  Preconditioner p = {kind, a->n, (a->n + BLOCK - 1) / BLOCK, NULL};
  bool good = true;
  if (kind == JACOBI) {
    p.inverse = vector(a->n);
#pragma omp parallel for
    for (int r = 0; r < a->n; r++)
      p.inverse[r] = 1 / *csr_at(a, r, r);
  } else if (kind == BLOCK_JACOBI) {
    p.inverse = vector(p.blocks * BLOCK * BLOCK);
#pragma omp parallel for schedule(guided) reduction(&& : good)
    for (int b = 0; b < p.blocks; b++) {
      double *m = p.inverse + (size_t)b * BLOCK * BLOCK;
      const int first = b * BLOCK, size = a->n - first < BLOCK ? a->n - first : BLOCK;
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
          const double *v = csr_at(a, first + i, first + j);
          m[i * BLOCK + j] = v ? *v : 0;
        }
      good = good && invert(m, size);
    }
  }
  check(good, "a block is singular");
  return p;
}

/* Orphaned worksharing, by all threads of the team. */
static void apply(const Preconditioner *p, const double *x, double *y) {
  switch (p->kind) {
  case NONE:
#pragma omp for schedule(static)
    for (int i = 0; i < p->n; i++)
      y[i] = x[i];
    break;
  case JACOBI:
#pragma omp for schedule(static)
    for (int i = 0; i < p->n; i++)
      y[i] = p->inverse[i] * x[i];
    break;
  case BLOCK_JACOBI:
#pragma omp for schedule(static)
    for (int b = 0; b < p->blocks; b++) {
      const double *m = p->inverse + (size_t)b * BLOCK * BLOCK;
      const int first = b * BLOCK, size = p->n - first < BLOCK ? p->n - first : BLOCK;
      for (int i = 0; i < size; i++) {
        double s = 0;
        for (int j = 0; j < size; j++)
          s += m[i * BLOCK + j] * x[first + j];
        y[first + i] = s;
      }
    }
    break;
  }
}

/* ---------------------------------------------------------------- solvers -- */

static double dot(const double *x, const double *y, int n) {
  double s = 0;
#pragma omp parallel for simd reduction(+ : s) schedule(static)
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}

/* The whole iteration is one parallel region. */
static Result cg(const Csr *a, const double *b, double *x, const Preconditioner *p, double tol,
                 int limit) {
  const int n = a->n;
  double *r = vector(n), *z = vector(n), *d = vector(n), *q = vector(n);
  double rz = 0, dq = 0, rz_new = 0, rr = 0;
  const double norm = sqrt(dot(b, b, n));
  Result res = {0, 1, false};

#pragma omp parallel
  {
    multiply(a, x, q);
#pragma omp for schedule(static)
    for (int i = 0; i < n; i++)
      r[i] = b[i] - q[i];
    apply(p, r, z);
#pragma omp for schedule(static) reduction(+ : rz)
    for (int i = 0; i < n; i++) {
      d[i] = z[i];
      rz += r[i] * z[i];
    }
    for (int it = 1; it <= limit; it++) {
      multiply(a, d, q);
#pragma omp single
      dq = rz_new = rr = 0;
#pragma omp for schedule(static) reduction(+ : dq)
      for (int i = 0; i < n; i++)
        dq += d[i] * q[i];
      const double alpha = rz / dq;
#pragma omp for schedule(static) reduction(+ : rr)
      for (int i = 0; i < n; i++) {
        x[i] += alpha * d[i];
        r[i] -= alpha * q[i];
        rr += r[i] * r[i];
      }
      if (sqrt(rr) < tol * norm || it == limit) {
#pragma omp single
        res = (Result){it, sqrt(rr) / norm, sqrt(rr) < tol * norm};
        break;
      }
      apply(p, r, z);
#pragma omp for schedule(static) reduction(+ : rz_new)
      for (int i = 0; i < n; i++)
        rz_new += r[i] * z[i];
      const double beta = rz_new / rz;
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++)
        d[i] = z[i] + beta * d[i];
#pragma omp single
      rz = rz_new;
    }
  }
  double *all[] = {r, z, d, q};
  for (int i = 0; i < 4; i++)
    free(all[i]);
  return res;
}

static void product(const Csr *a, const double *x, double *y) {
#pragma omp parallel
  multiply(a, x, y);
}

static void applied(const Preconditioner *p, const double *x, double *y) {
#pragma omp parallel
  apply(p, x, y);
}

/* Many small regions. */
static Result bicgstab(const Csr *a, const double *b, double *x, const Preconditioner *p,
                       double tol, int limit) {
  const int n = a->n;
  double *r = vector(n), *r0 = vector(n), *v = vector(n), *d = vector(n), *s = vector(n);
  double *t = vector(n), *dh = vector(n), *sh = vector(n);
  double rho = 1, alpha = 1, omega = 1;
  const double norm = sqrt(dot(b, b, n));
  Result res = {0, 1, false};

  product(a, x, v);
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    r0[i] = r[i] = b[i] - v[i];
    v[i] = 0;
  }
  while (res.iterations < limit && !res.converged) {
    const double rho1 = dot(r0, r, n), beta = rho1 / rho * (alpha / omega);
    if (rho1 == 0)
      break;
    rho = rho1;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      d[i] = r[i] + beta * (d[i] - omega * v[i]);
    applied(p, d, dh);
    product(a, dh, v);
    alpha = rho / dot(r0, v, n);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      s[i] = r[i] - alpha * v[i];
    applied(p, s, sh);
    product(a, sh, t);
    omega = dot(t, s, n) / dot(t, t, n);
    double rr = 0;
#pragma omp parallel for reduction(+ : rr)
    for (int i = 0; i < n; i++) {
      x[i] += alpha * dh[i] + omega * sh[i];
      r[i] = s[i] - omega * t[i];
      rr += r[i] * r[i];
    }
    res.iterations++;
    res.residual = sqrt(rr) / norm;
    res.converged = res.residual < tol;
  }
  double *all[] = {r, r0, v, d, s, t, dh, sh};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    free(all[i]);
  return res;
}

static double true_residual(const Csr *a, const double *x, const double *b) {
  double *y = vector(a->n), s = 0;
  product(a, x, y);
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < a->n; i++)
    s += (b[i] - y[i]) * (b[i] - y[i]);
  free(y);
  return sqrt(s) / sqrt(dot(b, b, a->n));
}

/* ------------------------------------------------------------------- main -- */

static void solve_all(const Mesh *m, const Csr *sym, const Csr *gen, const double *b, int limit,
                      double **solution) {
  static const char *name[] = {"none", "jacobi", "block-jacobi"};
  double *first = NULL;
  for (int which = 0; which < 2; which++)
    for (Kind k = which ? JACOBI : NONE; k <= BLOCK_JACOBI; k++) {
      const Csr *a = which ? gen : sym;
      Preconditioner p = precondition(a, k);
      double *x = vector(a->n);
      const Result r = which ? bicgstab(a, b, x, &p, 1e-9, limit) : cg(a, b, x, &p, 1e-9, limit);
      const double t = true_residual(a, x, b);
      printf("%-9s %-13s %4d iterations, residual %s\n", which ? "bicgstab" : "cg", name[k],
             r.iterations, t < 1e-7 ? "below 1e-7" : "large");
      check(r.converged, "a solver did not converge");
      check(t < 1e-7, "the true residual is large");
      if (!which) {
        double e = 0;
#pragma omp parallel for reduction(max : e)
        for (int i = 0; i < m->npoints; i++) {
          const Point *q = &m->point[i];
          e = fmax(e, fabs(x[i] - sin(M_PI * q->x) * sin(M_PI * q->y)));
        }
        check(e < 0.02, "the solution is far from the exact one");
      }
      if (!first)
        first = x;
      else
        free(x);
      free(p.inverse);
    }
  *solution = first;
}

int main(int argc, char **argv) {
  int side = 48, limit = 500, c;
  while ((c = getopt(argc, argv, "n:s:h")) != -1)
    if (c == 'n')
      side = atoi(optarg);
    else if (c == 's')
      limit = atoi(optarg);
    else {
      printf("usage: %s [-n points per side] [-s iterations] [-h]\n", argv[0]);
      return c == 'h' ? 0 : 1;
    }
  if (side < 20 || limit < 1) {
    printf("at least 20 points per side\n");
    return 1;
  }
  const double t0 = omp_get_wtime();
  const Equation poisson = {1, 0, 0, 0}, convection = {1, 12, -7, 1};

  Mesh *m = mesh_new(side);
  mesh_colour(m);
  mesh_check(m);
  Csr a = csr_pattern(m), a2 = csr_pattern(m), g = csr_pattern(m), back = {0};
  double *b = vector(a.n), *b2 = vector(a.n), *bg = vector(a.n);
  printf("%d points, %d triangles, %d colours, %ld entries\n", m->npoints, m->ntriangles,
         m->ncolours, a.nnz);

  assemble_colours(m, &poisson, &a, b);
  assemble_critical(m, &poisson, &a2, b2);
  assemble_colours(m, &convection, &g, bg);
  check(csr_equal(&a, &a2, 1e-12), "the assemblies differ");

  size_t length;
  char *text = market_write(&g, &length);
  check(market_read(text, length, &back), "the matrix text cannot be read");
  check(csr_equal(&g, &back, 0.0), "the matrix changed by writing and reading");
  printf("matrix text of %zu bytes\n", length);

  double *x = NULL, *xs = NULL;
  solve_all(m, &a, &back, b, limit, &x);

  /* serially */
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  Csr as = csr_pattern(m);
  double *bs = vector(as.n);
  assemble_colours(m, &poisson, &as, bs);
  const bool same = csr_equal(&a, &as, 0.0);
  Preconditioner ps = precondition(&as, JACOBI);
  xs = vector(as.n);
  cg(&as, bs, xs, &ps, 1e-9, limit);
  omp_set_num_threads(threads);
  check(same, "the serial assembly differs");
  double diff = 0;
#pragma omp parallel for reduction(max : diff)
  for (int i = 0; i < as.n; i++)
    diff = fmax(diff, fabs(x[i] - xs[i]));
  check(diff < 1e-6, "the serial solution differs");

  fprintf(stderr, "time %.3f s\n", omp_get_wtime() - t0);
  double *vectors[] = {b, b2, bg, bs, x, xs, ps.inverse};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    free(vectors[i]);
  Csr *matrices[] = {&a, &a2, &g, &as, &back};
  for (int i = 0; i < 5; i++)
    csr_free(matrices[i]);
  free(text);
  mesh_free(m);
  if (failures) {
    printf("%d checks failed\n", failures);
    return 1;
  }
  printf("ok\n");
  return 0;
}
