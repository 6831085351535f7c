// localtime_r, gmtime_r, mktime, strftime, strptime, asctime_r, ctime_r, clock_gettime, nanosleep
// on shared structures.
#include "../report.h"
#include <omp.h>
#include <string.h>
#include <time.h>
enum { N = 60 };
static struct tm g[N], loc[N], parsed[N];
static time_t t[N], made[N];
static char text[N][64], asc[N][32], ct[N][32];
static struct timespec now[N], nap[N], res[N];
int main(void) {
  setenv("TZ", "UTC", 1);
  tzset();
#pragma omp parallel
  for (int r = 0; r < 2; r++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      t[i] = 86400L * 365 * i / 2 + i + r;
      nap[i] = (struct timespec){0, 1000 * (i % 3)};
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      gmtime_r(&t[i], &g[i]);
      localtime_r(&t[i], &loc[i]);
      clock_gettime(CLOCK_MONOTONIC, &now[i]);
      clock_getres(CLOCK_MONOTONIC, &res[i]);
      nanosleep(&nap[i], NULL);
    }
#pragma omp for schedule(static, 2)
    for (int i = 0; i < N; i++) {
      strftime(text[i], 64, "%Y-%m-%d %H:%M:%S", &g[i]);
      asctime_r(&g[i], asc[i]);
      ctime_r(&t[i], ct[i]);
      struct tm c = loc[i];
      made[i] = mktime(&loc[i]);
      (void)c;
      expectReal("difftime", i, 5, difftime(t[i] + 5, t[i]));
    }
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      memset(&parsed[i], 0, sizeof parsed[i]);
      expectInteger("strptime", i, 1, strptime(text[i], "%Y-%m-%d %H:%M:%S", &parsed[i]) != NULL);
    }
    for (int i = 0; i < N; i++) {
      struct tm c;
      gmtime_r(&t[i], &c);
      char want[64], a[32];
      strftime(want, 64, "%Y-%m-%d %H:%M:%S", &c);
      asctime_r(&c, a);
      expectInteger("year", i, c.tm_year, g[i].tm_year);
      expectInteger("local", i, c.tm_sec, loc[i].tm_sec);
      expectInteger("text", i, 0, strcmp(want, text[i]));
      expectInteger("asctime", i, 0, strcmp(a, asc[i]));
      expectInteger("ctime", i, 0, strcmp(a, ct[i]));
      expectInteger("mktime", i, t[i], made[i]);
      expectInteger("parsed", i, t[i], timegm(&c));
      expectInteger("parsed day", i, c.tm_yday, parsed[i].tm_yday);
      expectInteger("now", i, 1, now[i].tv_sec > 0);
      expectInteger("res", i, 1, res[i].tv_nsec > 0);
    }
#pragma omp barrier
  }
  return finish();
}
