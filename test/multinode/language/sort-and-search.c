// qsort, bsearch, lfind, lsearch, qsort_r, tsearch, hsearch_r with callbacks, on shared arrays by
// any thread.
#include "../report.h"
#include <omp.h>
#include <string.h>
enum { N = 400, P = 8 };
struct Rec {
  int key;
  char text[20];
  double v;
};
static struct Rec recs[P][N];
static int ints[P][N];
static const char *names[P][N];
static int compared;
static int byKey(const void *a, const void *b) {
  const struct Rec *x = a, *y = b;
  return (x->key > y->key) - (x->key < y->key);
}
static int byInt(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
static int byName(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}
static int key(int p, int i) { return (i * 7919 + p * 31) % 4001; }
int main(void) {
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static, 1)
    for (int p = 0; p < P; p++)
      for (int i = 0; i < N; i++) {
        recs[p][i].key = ints[p][i] = key(p, i);
        sprintf(recs[p][i].text, "text %d", key(p, i));
        recs[p][i].v = key(p, i) / 2.0;
        char *s = malloc(24);
        snprintf(s, 24, "name %06d", key(p, i));
        names[p][i] = s;
      }
#pragma omp for schedule(static, 1)
    for (int p = 0; p < P; p++) {
      qsort(recs[p], N, sizeof recs[p][0], byKey);
      qsort(ints[p], N, sizeof(int), byInt);
      qsort(names[p], N, sizeof(char *), byName);
    }
    for (int p = 0; p < P; p++)
      for (int i = 0; i < N; i += 3) {
        struct Rec k = {key(p, i), "", 0};
        struct Rec *f = bsearch(&k, recs[p], N, sizeof k, byKey);
        expectInteger("found", i, 1, f != NULL);
        if (f) {
          char t[24];
          sprintf(t, "text %d", k.key);
          expectInteger("text", i, 0, strcmp(t, f->text));
          expectReal("v", i, k.key / 2.0, f->v);
        }
        char want[24], *w = want;
        sprintf(want, "name %06d", k.key);
        const char **g = bsearch(&w, names[p], N, sizeof w, byName);
        expectInteger("name", i, 1, g && !strcmp(*g, want));
        expectInteger("sorted", i, 1, i == 0 || ints[p][i - 1] < ints[p][i]);
        k.key = -5;
        expectInteger("absent", i, 1, !bsearch(&k, recs[p], N, sizeof k, byKey));
      }
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int i = 0; i < P * N; i++)
      free((void *)names[i / N][i % N]);
  }
  (void)compared;
  return finish();
}
