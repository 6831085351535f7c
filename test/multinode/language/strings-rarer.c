// strpbrk, strsep, stpncpy, strchrnul, strcasestr, strcoll, strxfrm, strverscmp, strnlen,
// strerror_r, basename and dirname on strings of other threads.
#include "../report.h"
#include <errno.h>
#include <libgen.h>
#include <omp.h>
#include <string.h>
enum { N = 80 };
static char s[N][300], x[N][64], y[N][300], e[N][200], path[N][40];
static char *cursor[N];
int main(void) {
#pragma omp parallel
  for (int round = 0; round < 2; round++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      snprintf(s[i], 300, "%0200d text, Number %d; round %d", i, i, round);
      memset(x[i], 7, 64);
      cursor[i] = y[i];
      snprintf(y[i], 300, "%0*d,two,three", 100 + i, round);
      snprintf(path[i], 40, "/usr/lib/file%d.%d", i, round);
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      char *p = strpbrk(s[i], ",;");
      expectInteger("strpbrk", i, 205, p ? p - s[i] : -1);
      p = strchrnul(s[i], ',');
      expectInteger("chrnul", i, 205, p - s[i]);
      p = strcasestr(s[i], "number");
      expectInteger("casestr", i, 207, p ? p - s[i] : -1);
      char t[300];
      snprintf(t, 300, "%0200d text, Number %d; round %d", i, i, round);
      expectInteger("strcoll", i, 0, strcoll(t, s[i]));
      expectInteger("verscmp", i, 0, strverscmp(t, s[i]));
      p = stpncpy(x[i], s[i] + 190, 30);
      expectInteger("stpncpy", i, 30, p - x[i]);
      p = strsep(&cursor[i], ",");
      expectInteger("strsep", i, 1, p == y[i]);
      p = strsep(&cursor[i], ",");
      expectInteger("strsep 2", i, 0, p ? strcmp(p, "two") : -1);
      const char *m = strerror_r(ENOENT, e[i], 200);
      expectInteger("strerror", i, 'N', m[0]);
      expectInteger("basename", i, 0, strncmp(basename(path[i]), "file", 4));
      expectInteger("dirname", i, 0, strcmp(dirname(path[i]), "/usr/lib"));
    }
#pragma omp for schedule(static, 7)
    for (int i = 0; i < N; i++) {
      expectInteger("copied", i, 0, memcmp(x[i], s[i] + 190, 30));
      expectInteger("rest", i, 7, x[i][30]);
      expectInteger("cut", i, 0, y[i][100 + i]);
      expectInteger("cut 2", i, 0, y[i][104 + i]);
      expectInteger("cursor", i, 105 + i, cursor[i] - y[i]);
      strxfrm(x[i], s[i] + 200, 20);
      expectInteger("xfrm", i, ' ', x[i][0]);
    }
#pragma omp barrier
  }
  return finish();
}
