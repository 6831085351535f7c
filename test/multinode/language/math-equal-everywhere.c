// div, ldiv, lround, llrint, rounding builtins, fenv in a thread, nextafter, hypot, ilogb,
// fpclassify, isnan on shared values.
#include "../report.h"
#include <fenv.h>
#pragma STDC FENV_ACCESS ON
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <tgmath.h>
enum { N = 300 };
static double x[N];
static long r[N];
static div_t dv[N];
static imaxdiv_t im[N];
static double y[N];
static float z[N];
static int cls[N];
int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      x[i] = i % 50 == 0   ? NAN
             : i % 50 == 1 ? INFINITY
             : i % 50 == 2 ? DBL_MIN / 4
                           : i * 0.5 - 70.25;
      dv[i] = div(i * 7, 9);
      im[i] = imaxdiv(-i, 4);
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      cls[i] = isnan(x[i]) ? 1 : isinf(x[i]) ? 2 : fpclassify(x[i]) == FP_SUBNORMAL ? 3 : 4;
      r[i] = cls[i] == 4 ? lround(x[i]) + lrint(x[i]) + (long)floor(x[i]) + (long)trunc(x[i]) : 0;
      y[i] = hypot(3.0 * i, 4.0 * i) + ldexp(1, i % 10) + fmod(i, 7) + copysign(1, -i - 1) +
             fmax(i, 3) + fdim(i, 5);
      z[i] = nextafterf((float)i, 1e9f) - (float)i + scalbnf(1, 3) + (float)ilogb(i + 1);
    }
    for (int i = 0; i < N; i++) {
      const int c = i % 50 < 3 ? i % 50 + 1 : 4;
      expectInteger("class", i, c, cls[i]);
      if (c == 4)
        expectInteger("rounded", i,
                      lround(i * .5 - 70.25) + lrint(i * .5 - 70.25) + (long)floor(i * .5 - 70.25) +
                          (long)trunc(i * .5 - 70.25),
                      r[i]);
      expectInteger("div", i, i * 7 % 9, dv[i].rem);
      expectInteger("imaxdiv", i, -i / 4, im[i].quot);
      expectReal("y", i,
                 5.0 * i + (1 << i % 10) + i % 7 - 1 + (i > 3 ? i : 3) + (i > 5 ? i - 5 : 0), y[i]);
      expectReal("z", i, nextafterf((float)i, 1e9f) - (float)i + 8 + (float)ilogb(i + 1), z[i]);
    }
    fesetround(FE_UPWARD);
    volatile double a = 1, b = 3;
    const double up = a / b;
    fesetround(FE_TONEAREST);
    (void)up;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double zero = 0;
    volatile double q = a / zero;
    (void)q;
    expectInteger("divide by zero", 0, 1, fetestexcept(FE_DIVBYZERO) != 0);
#pragma omp barrier
    expectInteger("flag kept over a barrier", 0, 1, fetestexcept(FE_DIVBYZERO) != 0);
    fesetround(FE_DOWNWARD);
#pragma omp barrier
    expectInteger("mode kept over a barrier", 0, FE_DOWNWARD, fegetround());
    fesetround(FE_TONEAREST);
  }
  return finish();
}
