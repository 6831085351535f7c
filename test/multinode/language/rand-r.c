// rand_r alone: seeds in shared memory pass from thread to thread.
#include "../report.h"
#include <omp.h>
#include <string.h>
enum { N = 50, R = 40 };
static unsigned seed[N], sseed[N];
static struct drand48_data dd[N], sd[N];
static unsigned short xs[N][3], sx[N][3];
static struct random_data rd[N], sr[N];
static char rb[N][64], sb[N][64];
static double got[N];
static long lgot[N];
static int rgot[N];
static double step(int i, unsigned *s, struct drand48_data *d, unsigned short *x,
                   struct random_data *r, double *g, long *l, int *q) {
  return rand_r(s);
}
int main(void) {
  static double res[N];
  for (int i = 0; i < N; i++) {
    seed[i] = sseed[i] = i;
    srand48_r(i, &dd[i]);
    srand48_r(i, &sd[i]);
    xs[i][0] = sx[i][0] = (unsigned short)i;
    initstate_r(i + 1, rb[i], 64, &rd[i]);
    initstate_r(i + 1, sb[i], 64, &sr[i]);
  }
  double want[N] = {0};
  double g;
  long l;
  int q;
  for (int r = 0; r < R; r++)
    for (int i = 0; i < N; i++)
      want[i] += step(i, &sseed[i], &sd[i], sx[i], &sr[i], &g, &l, &q);
#pragma omp parallel
  for (int r = 0; r < R; r++)
#pragma omp for schedule(static, 1)
    for (int k = 0; k < N; k++) {
      const int i = (k + r) % N;
      res[i] += step(i, &seed[i], &dd[i], xs[i], &rd[i], &got[i], &lgot[i], &rgot[i]);
    }
  for (int i = 0; i < N; i++)
    expectReal("random", i, want[i], res[i]);
  return finish();
}
