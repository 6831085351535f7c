// frexp, modf, remquo, sincos, lgamma_r, nan: results written by pointer into shared arrays,
// neighbours written by other nodes.
#include "../report.h"
#include <math.h>
#include <omp.h>
enum { N = 500 };
static int e[N], q[N], sg[N];
static double ip[N], s[N], c[N];
static float ipf[N], sf[N], cf[N];
static long double il[N];
double sink[N];
int main(void) {
#pragma omp parallel
  {
    for (int round = 0; round < 3; round++) {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < N; i++) {
        const double x = i + round + 0.25;
        double a = frexp(x, &e[i]);
        a += modf(x, &ip[i]);
        a += modff((float)x, &ipf[i]);
        a += (double)modfl(x, &il[i]);
        a += remquo(x, 3.0, &q[i]);
        sincos(x, &s[i], &c[i]);
        sincosf((float)x, &sf[i], &cf[i]);
        a += lgamma_r(-x, &sg[i]);
        sink[i] = a;
      }
      for (int i = 0; i < N; i++) {
        const double x = i + round + 0.25;
        int k;
        double t;
        frexp(x, &k);
        expectInteger("frexp", i, k, e[i]);
        expectReal("modf", i, i + round, ip[i]);
        expectReal("modff", i, i + round, ipf[i]);
        expectReal("modfl", i, i + round, (double)il[i]);
        remquo(x, 3.0, &k);
        expectInteger("remquo", i, k, q[i]);
        expectReal("sin", i, sin(x), s[i]);
        expectReal("cos", i, cos(x), c[i]);
        expectReal("sinf", i, sinf((float)x), sf[i]);
        lgamma_r(-x, &k);
        expectInteger("lgamma", i, k, sg[i]);
        t = sink[i];
        expectInteger("sink", i, 1, t == t);
      }
#pragma omp barrier
    }
  }
  return finish();
}
