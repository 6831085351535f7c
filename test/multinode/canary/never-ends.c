// Wrong on purpose: one thread waits for a flag that nobody sets. The runner must report it.

// CANARY: time limit
#include "../report.h"
#include <omp.h>
#include <unistd.h>

int main(void) {
  int flag = 0;
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    for (int now = 0; !now;) {
#pragma omp atomic read acquire
      now = flag;
      sleep(1);
    }
  return finish();
}
