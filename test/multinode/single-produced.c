// What one thread makes in a single is read by all after it: scalars, an array, memory it
// allocated; with nowait each single is executed once, and the data is there after the next
// barrier.
#include "report.h"
#include <omp.h>

enum { Rounds = 30, Length = 200 };

int main(void) {
  int *made = NULL;
  long scalar = 0, executed = 0, executedNowait = 0;
  int maker = -1;
  double array[Length];
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int round = 0; round < Rounds; round++) {
#pragma omp single
      {
        executed++;
        maker = me;
        scalar = 7L * round;
        made = malloc(Length * sizeof *made);
        for (int i = 0; i < Length; i++) {
          made[i] = i + round;
          array[i] = 0.5 * i + round;
        }
      }
      expectInteger("scalar", round, 7L * round, scalar);
      expectInteger("a thread of the team", round, 1, maker >= 0 && maker < omp_get_num_threads());
      for (int i = 0; i < Length; i++) {
        expectInteger("allocated in the single", i, i + round, made[i]);
        expectReal("array", i, 0.5 * i + round, array[i]);
      }
#pragma omp barrier
#pragma omp single nowait
      {
        free(made);
        scalar = -round;
      }
#pragma omp single nowait
      {
#pragma omp atomic
        executedNowait++;
      }
#pragma omp barrier
      expectInteger("scalar of the single nowait", round, -round, scalar);
#pragma omp barrier
    }
  }
  expectInteger("singles", 0, Rounds, executed);
  expectInteger("singles without waiting", 0, Rounds, executedNowait);
  return finish();
}
