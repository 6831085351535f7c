// Several variables of different sizes in one reduction clause; reductions in a row without waiting
// between them; reductions of a region, of a loop and of sections; the result is read by all
// threads after the barrier.
#include "report.h"
#include <omp.h>

enum { Length = 300, Rounds = 30 };

static double global;

int main(void) {
  const long sum = (long)Length * (Length - 1) / 2;
  for (int round = 0; round < Rounds; round++) {
    char flags = 0;
    short least = 9999;
    int most = -1;
    long total = round;
    float halves = 0;
    double quarters = 1;
#pragma omp parallel for reduction(| : flags) reduction(min : least) reduction(max : most)         \
    reduction(+ : total, halves, quarters)
    for (int i = 0; i < Length; i++) {
      flags = (char)(flags | 1 << i % 5);
      least = (short)(i + round < least ? i + round : least);
      most = i * 2 > most ? i * 2 : most;
      total += i;
      halves += 0.5f * (float)i;
      quarters += 0.25 * i;
    }
    expectInteger("flags", round, 31, flags);
    expectInteger("least", round, round, least);
    expectInteger("most", round, 2 * (Length - 1), most);
    expectInteger("total", round, round + sum, total);
    expectReal("halves", round, 0.5 * (double)sum, halves);
    expectReal("quarters", round, 1 + 0.25 * (double)sum, quarters);
  }

  long first = 0, second = 5, third = 0, threadsSeen = 0;
  int team = 0;
#pragma omp parallel reduction(+ : threadsSeen)
  {
    threadsSeen += 1;
#pragma omp for reduction(+ : first) nowait
    for (int i = 0; i < Length; i++)
      first += i;
#pragma omp for reduction(+ : second) nowait
    for (int i = 0; i < Length; i++)
      second += 2 * i;
#pragma omp sections reduction(+ : third)
    {
#pragma omp section
      third += 10;
#pragma omp section
      third += 200;
#pragma omp section
      third += 3000;
    }
    // The barrier at the end of the sections ends all three.
    expectInteger("first in the region", 0, sum, first);
    expectInteger("second in the region", 0, 5 + 2 * sum, second);
    expectInteger("sections in the region", 0, 3210, third);
    for (int round = 0; round < Rounds; round++) {
#pragma omp single
      global = 0;
#pragma omp for reduction(+ : global)
      for (int i = 0; i < Length; i++)
        global += i * round;
      expectReal("global in the region", round, (double)sum * round, global);
#pragma omp barrier
    }
#pragma omp single
    team = omp_get_num_threads();
  }
  expectInteger("threads", 0, team, threadsSeen);
  expectReal("global after the region", 0, (double)sum * (Rounds - 1), global);
  return finish();
}
