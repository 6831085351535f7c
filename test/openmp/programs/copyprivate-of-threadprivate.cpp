// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// copyprivate of threadprivate variables, whatever thread executes the single: scalars, arrays, a
// structure, a short and a long string, beside an ordinary private variable.
#include "check.h"
#include <omp.h>
#include <string>

struct Pair {
  int a;
  double b[3];
};
static int scalar;
static long array[100];
static Pair pair;
static std::string brief, lengthy;
#pragma omp threadprivate(scalar, array, pair, brief, lengthy)

int main() {
  const int threads = omp_get_max_threads();
  int wrong = 0;
  for (int turn = 0; turn < 2 * threads; ++turn) {
    int own = -1;
#pragma omp parallel firstprivate(own) reduction(+ : wrong)
    {
      // Any thread may be the one; usually the one that comes first.
      if (omp_get_thread_num() != turn % threads)
        for (volatile int wait = 0; wait < 20000; wait = wait + 1) {
        }
#pragma omp single copyprivate(scalar, array, pair, brief, lengthy, own)
      {
        scalar = turn;
        for (int i = 0; i < 100; ++i)
          array[i] = i + turn;
        pair = {turn, {1.5 * turn, 2, 3}};
        brief = "b" + std::to_string(turn);
        lengthy = std::string(100, 'x') + std::to_string(turn);
        own = omp_get_thread_num();
      }
      wrong += scalar != turn || array[99] != 99 + turn || array[0] != turn || pair.a != turn ||
               pair.b[0] != 1.5 * turn || brief != "b" + std::to_string(turn) ||
               lengthy != std::string(100, 'x') + std::to_string(turn) || own < 0;
      scalar = -1;
      brief += "y";
      lengthy += "z";
    }
    EXPECT_EQUAL(0, wrong);
  }
  return checkResult();
}
