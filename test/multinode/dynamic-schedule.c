// Dynamic schedules: each iteration is executed exactly once with every chunk size, loop type and
// direction, with uneven work, also when loops follow each other without a barrier.
#include "report.h"
#include <omp.h>

enum { Length = 230 };

static int executed[Length], byThread[Length];
static double results[Length];

static double work(int i) {
  double sum = 0;
  for (int k = 0; k < i % 23 * 40; k++)
    sum += k % 5;
  return sum + i;
}

int main(void) {
  long rounds = 0;
  for (int chunk = 1; chunk <= 70; chunk += 23) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk)
      for (int i = 0; i < Length; i++) {
        executed[i]++;
        results[i] = work(i);
        byThread[i] = omp_get_thread_num();
      }
#pragma omp for schedule(dynamic, chunk) nowait
      for (unsigned long i = Length; i > 0; i--) {
#pragma omp atomic
        executed[i - 1]++;
      }
#pragma omp for schedule(dynamic) nowait
      for (long i = -Length; i < 0; i += 2) {
#pragma omp atomic
        executed[-i - 1] += 10;
      }
#pragma omp for schedule(dynamic, chunk)
      for (unsigned i = 0; i < Length; i++) {
#pragma omp atomic
        executed[i]++;
      }
#pragma omp for schedule(dynamic)
      for (int i = 5; i < 5; i++) // no iteration
        executed[0] = -1000;
    }
    rounds++;
    for (int i = 0; i < Length; i++) {
      expectInteger("times executed", i, rounds * (i % 2 ? 13 : 3), executed[i]);
      expectReal("result", i, work(i), results[i]);
      expectInteger("a thread", i, 1, byThread[i] >= 0 && byThread[i] < omp_get_max_threads());
    }
  }
  return finish();
}
