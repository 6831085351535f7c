// 2000 short regions in a row, with serial writes between them that all threads must see.
#include "report.h"
#include <omp.h>

enum { Regions = 2000, Threads = 64 };

static int slots[Threads];
static int command;

int main(void) {
  int team = 1;
  for (int region = 1; region <= Regions; region++) {
    command = region;
    const long local = 3L * region;
    long answer = 0;
#pragma omp parallel
    {
      const int me = omp_get_thread_num();
      expectInteger("command", region, region, command);
      expectInteger("local of main", region, 3L * region, local);
      slots[me] += command % 7;
      if (me == omp_get_num_threads() - 1)
        answer = local + 1;
      if (me == 0)
        team = omp_get_num_threads();
    }
    expectInteger("written by the last thread", region, 3L * region + 1, answer);
  }
  long expected = 0;
  for (int region = 1; region <= Regions; region++)
    expected += region % 7;
  for (int t = 0; t < team; t++)
    expectInteger("slot", t, expected, slots[t]);
  return finish();
}
