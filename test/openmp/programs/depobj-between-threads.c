// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// A depobj that one thread makes, all use and another updates and destroys.
#include <omp.h>
#include <stdio.h>
int main(void) {
  int a = 0, done[64] = {0}, bad = 0, n = 0;
  omp_depend_t object;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp depobj(object) depend(inout : a)
      n = omp_get_num_threads();
    }
    int me = omp_get_thread_num();
    for (int i = 0; i < 3; i++) {
#pragma omp task depend(depobj : object) shared(done) firstprivate(me)
      done[me]++;
    }
#pragma omp barrier
    if (me == omp_get_num_threads() - 1) {
#pragma omp depobj(object) update(in)
#pragma omp depobj(object) destroy
    }
  }
  for (int i = 0; i < n; i++)
    bad += done[i] != 3;
  printf(bad ? "%d bad\n" : "ok\n", bad);
  return bad != 0;
}
