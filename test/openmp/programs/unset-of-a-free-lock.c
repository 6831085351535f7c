// RUN: %build-c
// RUN: not %on2 2>&1 | %filecheck %s
// A lock that nobody has set: libomp does not notice it, but on several nodes nothing could be done about it later.
// CHECK: a thread releases the lock at address 0x{{[0-9a-f]+}}, which no thread owns
#include <omp.h>

static omp_lock_t lock;

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    omp_unset_lock(&lock);
}
