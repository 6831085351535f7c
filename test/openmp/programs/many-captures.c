// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// A region that captures more variables than registers hold, by value and by reference.
#include "check.h"
#include <omp.h>

int main(void) {
  int threads = omp_get_max_threads();
  int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13,
      n = 14, o = 15, p = 16, q = 17, r = 18, s = 19, t = 20;
  double x = 0.5;
  long sum = 0;
#pragma omp parallel firstprivate(a, b, c, d, e, x)
  {
#pragma omp critical
    {
      sum += a + b + c + d + e + (long)(2 * x);
      f++, g++, h++, i++, j++, k++, l++, m++, n++, o++, p++, q++, r++, s++, t++;
    }
  }
  EXPECT_EQUAL(threads * 16, sum);
  EXPECT_EQUAL(6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 15 * threads,
               f + g + h + i + j + k + l + m + n + o + p + q + r + s + t);
  return checkResult();
}
