// snprintf into and from shared buffers, %s of others' strings, %.*s, %n, %p; sscanf into shared
// variables, %[, %n, %c, %ms; varargs functions.
#include "../report.h"
#include <omp.h>
#include <stdarg.h>
#include <string.h>
enum { N = 70 };
static char out[N][300], word[N][40], set[N][40], chars[N][4], *alloc[N];
static int a[N], n1[N], n2[N];
static long l[N];
static double d[N];
static float f[N];
static short h[N];
static unsigned char hh[N];
static long double ld[N];
static const char *names[N];
static size_t z[N];
static int format(char *to, size_t size, const char *f, ...) {
  va_list v;
  va_start(v, f);
  const int n = vsnprintf(to, size, f, v);
  va_end(v);
  return n;
}
static long addAll(int count, ...) {
  va_list v, w;
  va_start(v, count);
  va_copy(w, v);
  long s = 0;
  for (int i = 0; i < count; i++)
    s += *va_arg(v, int *);
  for (int i = 0; i < count; i++)
    s += *va_arg(w, int *);
  va_end(v);
  va_end(w);
  return s;
}
int main(void) {
#pragma omp parallel
  for (int r = 0; r < 2; r++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      char t[60];
      sprintf(t, "name%d-%d", i, r);
      names[i] = strdup(t);
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      const int j = (i + 7) % N;
      expectInteger("length", i, (long)strlen(names[j]) + 5 + 30,
                    format(out[i], 300, "%s%n %.*s %-30s", names[j], &n1[i], 3, names[j], "x"));
      snprintf(out[i] + 60, 200, "%d %ld %lf %f %hd %hhu %Lf %s [abc%d] %zu xyz %s", i, i * 5l,
               i * .5, i * .25f, i, i, (long double)i, names[j], i, (size_t)i, "alloc");
    }
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      const int j = (i + 7) % N;
      int got = sscanf(out[i] + 60, "%d %ld %lf %f %hd %hhu %Lf %39s [%39[^]]] %zu %3c%n %ms",
                       &a[i], &l[i], &d[i], &f[i], &h[i], &hh[i], &ld[i], word[i], set[i], &z[i],
                       chars[i], &n2[i], &alloc[i]);
      (void)j;
      expectInteger("got", i, 12, got);
    }
    for (int i = 0; i < N; i++) {
      const int j = (i + 7) % N;
      char t[20];
      snprintf(t, 20, "abc%d", i);
      expectInteger("%n", i, strlen(names[j]), n1[i]);
      expectInteger("a", i, i, a[i]);
      expectInteger("l", i, i * 5, l[i]);
      expectReal("d", i, i * .5, d[i]);
      expectReal("f", i, i * .25, f[i]);
      expectInteger("h", i, i, h[i]);
      expectInteger("hh", i, i, hh[i]);
      expectReal("ld", i, i, (double)ld[i]);
      expectInteger("word", i, 0, strcmp(word[i], names[j]));
      expectInteger("set", i, 0, strcmp(set[i], t));
      expectInteger("z", i, i, z[i]);
      expectInteger("chars", i, 0, memcmp(chars[i], "xyz", 3));
      expectInteger("n2", i, 'z', out[i][60 + n2[i] - 1]);
      expectInteger("alloc", i, 0, strcmp(alloc[i], "alloc"));
      expectInteger("varargs", i, 2 * (i + j + a[0]), addAll(3, &a[i], &a[j], &a[0]));
      expectInteger("prefix", i, 0, strncmp(out[i], names[j], strlen(names[j])));
    }
#pragma omp barrier
#pragma omp for schedule(static, 2)
    for (int i = 0; i < N; i++) {
      free((void *)names[i]);
      free(alloc[i]);
    }
  }
  return finish();
}
