// RUN: %build-cpp
// RUN: %on1 > %t.1 && %on2 > %t.2 && cmp %t.1 %t.2
// RUN: %on3 > %t.3 && cmp %t.1 %t.3
// RUN: grep -x "wrong 0" %t.1 && grep -x 'third \*\*0.333' %t.1
// What a region's threads have from the thread that starts it: rounding, numbers that are too small,
// precision of the x87, and how standard streams print.
#include <cfenv>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <xmmintrin.h>

static double quotients[64], small[64];
static long double roots[64];
static volatile double one = 1, three = 3;
static volatile float tiny = 1e-38f, factor = 1e-3f;

static int differing(const double *values) {
  int count = 0;
  for (int i = 0; i < 64; i++)
    count += values[i] != values[0];
  return count;
}

int main() {
  int wrong = 0;
  std::fesetround(FE_UPWARD);
#pragma omp parallel for schedule(static, 1) reduction(+ : wrong)
  for (int i = 0; i < 64; i++) {
    quotients[i] = one / three;
    roots[i] = (long double)one / three;
    wrong += std::fegetround() != FE_UPWARD;
  }
  wrong += differing(quotients) + (roots[63] != roots[0]);
  std::fesetround(FE_TONEAREST);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++)
    small[i] = tiny * factor;
  wrong += differing(small) + (small[0] != 0);
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; i++)
    small[i] = tiny * factor;
  wrong += differing(small) + (small[0] == 0);

  std::cout << std::fixed << std::setprecision(3) << std::setfill('*');
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered
    std::cout << "third " << std::setw(7) << (i + 1) / 3.0 << '\n';
  }
  std::cout << std::scientific << std::showpos;
#pragma omp parallel for ordered schedule(static, 2)
  for (int i = 0; i < 8; i++) {
#pragma omp ordered
    std::cout << i / 3.0 << ' ' << i << std::endl;
  }
  std::cout << "wrong " << std::noshowpos << wrong << std::endl;
}
