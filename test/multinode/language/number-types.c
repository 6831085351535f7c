// long double, _Complex, __int128, _Float16, SIMD vectors aligned and not, _Bool, enum, wide
// vectors; shared arrays of each.
#include "../report.h"
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
typedef float V4 __attribute__((vector_size(16)));
typedef double D4 __attribute__((vector_size(32)));
typedef int I16 __attribute__((vector_size(64)));
typedef int I16u __attribute__((vector_size(64), aligned(4)));
typedef unsigned char B3 __attribute__((ext_vector_type(3)));
typedef _Bool Bv __attribute__((ext_vector_type(8)));
enum { N = 300 };
static long double ld[N];
static double complex dc[N];
static float complex fc[N];
static long double complex lc[N];
static __int128 big[N];
static unsigned __int128 ubig[N];
static _Float16 half[N];
static V4 v4[N];
static D4 d4[N];
static I16 i16[N];
static int raw[N * 17 + 16];
static B3 b3[N];
static _Bool flags[N];
static double results[N], direct[N];
int main(void) {
  __int128 total = 0;
  long double lsum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      ld[i] = i + 0x1p-60L;
      dc[i] = i + I * 2 * i;
      fc[i] = i - I;
      lc[i] = I * (long double)i;
      big[i] = (__int128)i << 100;
      ubig[i] = ((unsigned __int128)1 << 127) / (i + 1);
      half[i] = (_Float16)(i / 4.0);
      v4[i] = (V4){i, i + 1, i + 2, i + 3};
      d4[i] = (D4){i, -i, 2 * i, .5 * i};
      for (int k = 0; k < 16; k++)
        i16[i][k] = i * k;
      *(I16u *)&raw[i * 17 + 1] = (I16u)(i16[i] + 1);
      b3[i] = (B3){(unsigned char)i, 2, 3};
      flags[i] = i % 3 == 0;
      results[i] = sin(i) + exp(i / 100.0) * pow(i, 1.3) + log1p(i) + tgamma(i / 50.0 + 1) +
                   cbrt(i) + fma(i, .1, .3) + atan2(i, 3);
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      d4[i] *= 2;
      v4[i] = __builtin_shufflevector(v4[i], v4[i], 3, 2, 1, 0);
      dc[i] *= dc[i];
      big[i] += i;
      fc[i] = conjf(fc[i]);
      half[i] *= 2;
    }
    __int128 mine = 0;
    long double lm = 0;
    for (int i = 0; i < N; i++) {
      expectInteger("long double", i, 1, ld[i] - i == 0x1p-60L || i > 15);
      expectReal("complex", i, -3.0 * i * i, creal(dc[i]));
      expectReal("complex im", i, 4.0 * i * i, cimag(dc[i]));
      expectReal("conj", i, 1, cimagf(fc[i]));
      expectReal("lc", i, i, (double)cimagl(lc[i]));
      expectInteger("int128", i, i, big[i] >> 100);
      expectInteger("low", i, i, (long)big[i]);
      expectInteger("u128", i, 1, ubig[i] == ((unsigned __int128)1 << 127) / (i + 1));
      expectReal("half", i, i / 2.0, half[i]);
      expectReal("v4", i, i + 3, v4[i][0]);
      expectReal("d4", i, i, d4[i][3]);
      expectInteger("i16", i, i * 15, i16[i][15]);
      expectInteger("raw", i, i * 15 + 1, raw[i * 17 + 16]);
      expectInteger("b3", i, (unsigned char)i, b3[i].x);
      expectInteger("flag", i, i % 3 == 0, flags[i]);
      mine += big[i];
      lm += ld[i];
    }
#pragma omp critical
    {
      total += mine;
      lsum = lm;
    }
#pragma omp master
    for (int i = 0; i < N; i++)
      direct[i] = sin(i) + exp(i / 100.0) * pow(i, 1.3) + log1p(i) + tgamma(i / 50.0 + 1) +
                  cbrt(i) + fma(i, .1, .3) + atan2(i, 3);
  }
  for (int i = 0; i < N; i++)
    expectReal("libm", i, direct[i], results[i]);
  expectInteger("total", 0, 0, total % ((long)N * (N - 1) / 2));
  expectInteger("sum", 0, N * (N - 1) / 2, (long)lsum);
  return finish();
}
