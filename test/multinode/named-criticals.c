// Critical sections with and without names: each protects its own counters, they nest in one order,
// and a thread that holds one does not keep others out of another.
#include "report.h"
#include <omp.h>

enum { Steps = 40 };

static long unnamed, first, second, both;
static char neighbours[4]; // next to each other, under different locks

static void count(int step) {
#pragma omp critical
  {
    unnamed++;
    neighbours[0]++;
  }
#pragma omp critical(first)
  {
    first += step;
    neighbours[1]++;
    if (step % 4 == 0) {
#pragma omp critical(second)
      {
        both++;
        second += 10;
        neighbours[2]++;
      }
    }
  }
#pragma omp critical(second)
  {
    second++;
    neighbours[2]++;
  }
}

int main(void) {
  long team = 1;
#pragma omp parallel
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int step = 0; step < Steps; step++)
      count(step);
#pragma omp critical
    neighbours[3]++;
  }
  expectInteger("unnamed", 0, Steps * team, unnamed);
  expectInteger("first", 0, Steps * (Steps - 1) / 2 * team, first);
  expectInteger("nested", 0, Steps / 4 * team, both);
  expectInteger("second", 0, (Steps + 10 * (Steps / 4)) * team, second);
  expectInteger("byte under the unnamed", 0, (char)(Steps * team), neighbours[0]);
  expectInteger("byte under first", 0, (char)(Steps * team), neighbours[1]);
  expectInteger("byte under second", 0, (char)((Steps + Steps / 4) * team), neighbours[2]);
  expectInteger("byte once", 0, team, neighbours[3]);
  return finish();
}
