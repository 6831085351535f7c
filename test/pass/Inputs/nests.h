/* nests.h: kernels.c's loop nests on square matrices in the arrays; KERNEL and SYNCHRONISE are defined. */
static long sideOf(const struct Work *w) {
  long m = 0;
  while ((m + 1) * (m + 1) <= w->n)
    m++;
  return m;
}

void KERNEL(fivePoints)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 1; i < m - 1; i++)
    for (long j = 1; j < m - 1; j++)
      w->a[i * m + j] = w->b[(i - 1) * m + j] + w->b[(i + 1) * m + j] + w->b[i * m + j - 1] +
                        w->b[i * m + j + 1];
}
void KERNEL(fixedRows)(struct Work *w) {
  double(*restrict a)[33] = (double(*)[33])w->a, (*restrict b)[33] = (double(*)[33])w->b;
  const int rows = w->n / 33;
  for (int i = 0; i < rows; i++)
    for (int j = 1; j < 32; j++)
      a[i][j] = b[i][j - 1] - b[i][j + 1];
}
void KERNEL(columns)(struct Work *w) {
  const long m = sideOf(w);
  double *restrict a = w->a, *restrict b = w->b;
  for (long j = 0; j < m; j += 3)
    for (long i = 0; i < m; i++)
      a[i * m + j] = b[i * m + j] + 1;
}
void KERNEL(transposed)(struct Work *w) {
  const long m = sideOf(w);
  double *restrict a = w->a, *restrict b = w->b;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++)
      a[j * m + i] = b[i * m + j];
}
void KERNEL(product)(struct Work *w) {
  const long m = sideOf(w);
  double *restrict a = w->a, *restrict b = w->b, *restrict c = w->c;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < m; k++)
        a[i * m + j] += b[i * m + k] * c[k * m + j];
}
void KERNEL(cube)(struct Work *w) {
  double *restrict a = w->a, *restrict b = w->b;
  long m = 0;
  while ((m + 1) * (m + 1) * (m + 1) <= w->n)
    m++;
  for (long i = 1; i < m - 1; i++)
    for (long j = 1; j < m - 1; j++)
      for (long k = 1; k < m - 1; k++)
        a[(i * m + j) * m + k] = b[((i - 1) * m + j) * m + k] + b[(i * m + j + 1) * m + k] + b[(i * m + j) * m + k + 1];
}
void KERNEL(triangle)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 0; i < m; i++)
    for (long j = 0; j <= i; j++)
      w->a[i * m + j] += w->b[j * m + i];
}
void KERNEL(backwards)(struct Work *w) {
  const long m = sideOf(w);
  double *restrict a = w->a, *restrict b = w->b;
  for (long i = m - 1; i >= 0; i--)
    for (long j = m - 2; j >= 0; j -= 2)
      a[i * m + j] = b[(m - 1 - i) * m + j];
}
/* The inner loop does not run at all for some of the rows, or for all. */
void KERNEL(emptyRows)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 0; i < m; i++)
    for (long j = w->index[i] % 3; j < w->index[i] % 7; j++)
      if (j < m)
        w->a[i * m + j] = w->b[i * m + j];
  for (int i = 0; i < w->n; i++)
    for (int j = 0; j < w->n - 1000000; j++)
      w->c[i] += w->b[i + j];
}
/* Rows are so far apart that they are no interval; their number is a variable. */
void KERNEL(planes)(struct Work *w) {
  double *restrict a = w->a, *restrict b = w->b;
  const long rows = w->n / 300, planes = rows ? w->n / (300 * rows) : 0;
  for (long p = 0; p < planes; p++)
    for (long i = 0; i < rows; i++)
      for (long j = 0; j < 5; j++)
        a[(p * rows + i) * 300 + j] = b[(p * rows + i) * 300 + 2 * j] * 2;
}
/* An index of 32 bits that wraps around, as unsigned ones may. */
void KERNEL(wrapping)(struct Work *w) {
  const unsigned n = (unsigned)w->n;
  for (unsigned i = 0; i < n; i++)
    w->a[(i + 0xfffffff8u) % n] = w->b[(unsigned)(i * 0x10000001u) % n];
}
/* Permissions end within the nest: in the outer loop, and in the inner one for some of its iterations. */
void KERNEL(interrupted)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < m; j++)
      w->a[i * m + j] = w->b[i * m + j] + w->a[(m - 1 - i) * m + j];
    SYNCHRONISE();
  }
  for (long i = 0; i < w->n; i++) {
    w->c[i] = w->b[i];
    if (i % 100 == 50)
      SYNCHRONISE();
  }
}
void KERNEL(leftEarly)(struct Work *w) {
  for (int i = 0; i < w->n; i++) {
    if (w->b[i] > 99)
      break;
    w->a[i] = w->b[i];
  }
}
struct Record {
  double value;
  float weight;
  int kind;
};
void KERNEL(records)(struct Work *w) {
  struct Record *records = (struct Record *)w->bytes;
  if ((unsigned long)records % 8 != 0)
    return;
  for (int i = 0; i < w->n / 2; i++)
    if (w->s[i] & 1)
      records[i].weight = w->f[i];
  for (int i = 0; i < w->n / 2; i++)
    records[i].value += w->b[i];
}
/* What is written is read before and after, under one permission for both. */
void KERNEL(swept)(struct Work *w) {
  double *a = w->a;
  for (int sweep = 0; sweep < 3; sweep++)
    for (int i = 1; i < w->n; i++)
      a[i] = (a[i] + a[i - 1]) / 2;
}
/* Not inlined: called in loops, where the caller may ask for what they access. */
static __attribute__((noinline)) double KERNEL(productOf)(const double *a, const double *b, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}
static __attribute__((noinline)) void KERNEL(addTo)(double *a, const double *b, const int *index, long n) {
  for (long i = 0; i < n; i++)
    a[index[i] % 7] += KERNEL(productOf)(b, b + i, 3);
}
void KERNEL(callees)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 0; i < m; i++)
    w->c[i] = KERNEL(productOf)(w->a + i * m, w->b, m);
  for (long i = 0; i + 12 < w->n; i += 5)
    KERNEL(addTo)(w->a + i, w->b + i, w->index + i, 5);
}
/* Conditions that hold in the first or last iterations only, counted up or down, and in none. */
void KERNEL(margins)(struct Work *w) {
  const int n = w->n, m = n / 3;
  const unsigned u = (unsigned)n;
  const long lowest = -(long)n, last = n - 1;
  for (int i = 0; i < n; i++) {
    if (i > 0)
      w->a[i] += w->b[i - 1];
    if (i < n - 1)
      w->c[i] += w->b[i + 1];
  }
  for (int i = n - 1; i >= 0; i--)
    if (i >= m && i < n - 2)
      w->a[i] *= 2;
  for (unsigned i = 0; i < u; i++)
    if (i <= (unsigned)m)
      w->c[i] -= 1;
  for (long i = lowest; i <= last; i++) {
    if (i >= 0)
      w->f[i] += 1;
    if (i + m > n + m)
      w->f[i + n] = 0;
  }
  for (int i = 0; i < n; i++)
    if (i != m)
      w->s[i] += 5;
}
/* A stack object that others get to know. */
__attribute__((noinline)) void KERNEL(take)(int *counts) {
  SYNCHRONISE();
  counts[1]++;
}
void KERNEL(counted)(struct Work *w) {
  int counts[32] = {0};
  KERNEL(take)(counts);
  for (int i = 0; i < w->n; i++)
    counts[w->index[i] & 31]++;
  KERNEL(take)(counts);
  for (int i = 0; i < w->n; i++)
    w->c[i] = counts[w->index[i] % 32];
}
/* Rows that are found by an index: sections of the inner loop, or none if all of the object is valid. */
/* The inner loop loads two of the pointers itself, and nothing changes them. */
void KERNEL(rowsOfMembers)(struct Work *w) {
  for (int i = 0; i < w->n / 4; i++) {
    double sum = 0;
    for (int e = 4 * i; e < 4 * i + w->s[i] % 4; e++)
      sum += w->b[w->index[e]] * w->c[w->n - 1 - w->index[e]];
    w->a[i] = sum;
  }
}
void KERNEL(rowsByIndex)(struct Work *w) {
  const long m = sideOf(w);
  for (long i = 0; i < m; i++) {
    const double *row = w->b + (w->index[i] % m) * m;
    double *to = w->a + (w->s[i] % m) * m;
    for (long j = 0; j < m; j++)
      to[j] = row[j] + w->c[j];
  }
}
/* Small functions whose callers can ask for what they access, if anything. */
static __attribute__((noinline)) void KERNEL(setPair)(double *pair, const double *from, int both) {
  pair[0] += from[0];
  if (both > 2)
    pair[1] -= from[1];
}
static __attribute__((noinline)) double KERNEL(partOf)(const double *a, long from, long to) {
  double sum = 0;
  for (long i = from; i < to; i++)
    if (i > from)
      sum += a[i] - a[i - 1];
  return sum;
}
void KERNEL(summaries)(struct Work *w) {
  const long m = sideOf(w);
  for (int both = 1; both < 5; both++)
    for (long i = 0; i + 1 < w->n; i += 2)
      KERNEL(setPair)(w->a + i, w->b + i, both);
  for (long i = 0; i < m; i++)
    w->c[i] = KERNEL(partOf)(w->a + i * m, 0, m) + KERNEL(partOf)(w->b, m, m - 5);
  for (long i = 0; i < m; i++)
    if (i > 2)
      w->s[i] = (short)KERNEL(partOf)(w->a + i * m, 1, m - i);
}
/* Rows that each iteration reads or writes whole, and parts of them under conditions. */
void KERNEL(partsOfRows)(struct Work *w) {
  for (long i = 0; i + 16 <= w->n; i += 8) {
    double sum = 0;
    for (int k = 0; k < 8; k++)
      sum += w->a[i + k];
    for (int k = 0; k < 8 && w->a[i + k] < sum; k++)
      w->c[i] += w->a[i + k];
    for (int k = 0; k < 8; k++)
      w->b[i + k] = sum;
    if (w->s[i] & 1)
      w->b[i + (w->index[i] & 7)] = w->a[i + 8];
    if (i > 0)
      for (int k = 0; k < 8; k++)
        w->f[i + k] = (float)k;
    if (w->s[i] & 2)
      w->f[i + 3] += w->f[i + 5];
  }
}
/* What a pass accesses is known in front of it only, as arrays change places: some of the sections are empty, as
 * every other pass has two halves, not four parts, and those that it reads run backwards in some passes. Before each
 * one some part of both arrays has permission. */
void KERNEL(butterflies)(struct Work *w) {
  double *from = w->b, *to = w->c;
  for (int width = 1, pass = 0; 4 * width <= w->n; width *= 2, pass++) {
    const int blocks = w->n / (4 * width), step = blocks * width, turn = pass % 3 == 2 ? -width : width;
    const double *const first = turn < 0 ? from + (blocks - 1) * width : from;
    SYNCHRONISE();
    const int touched = w->n * (pass % 3 + 1) / 3;
    for (int i = w->n * (pass % 3) / 10; i < touched; i++)
      w->a[i] += from[i];
    for (int i = 0; i < touched; i++)
      to[i] = 1;
    for (int block = 0; block < blocks; block++) {
      const double *const in = first + block * turn;
      double *const out = to + 4 * block * width;
      if (pass % 2) {
        for (int i = 0; i < width; i++) {
          out[i] = in[i] + in[i + 2 * step];
          out[i + 2 * width] = in[i] - in[i + 2 * step];
        }
        continue;
      }
      for (int i = 0; i < width; i++) {
        const double p = in[i], q = in[i + step], r = in[i + 2 * step], s = in[i + 3 * step];
        out[i] = p + q + r + s;
        out[i + width] = p - q;
        out[i + 2 * width] = p - r;
        out[i + 3 * width] = q - s;
      }
    }
    double *const kept = from;
    from = to;
    to = kept;
  }
}
