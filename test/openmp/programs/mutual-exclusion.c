// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Named and unnamed critical sections, locks, nested locks and attempts: nobody else is inside, and what
// the one before wrote is there.
#include "check.h"
#include <omp.h>

enum { Rounds = 100, Locks = 5 };
static long plain, named, withLock[Locks], nested, tried, attempts, deep;
static omp_lock_t locks[Locks], tryLock;
static omp_nest_lock_t nestLock;

static void add(int depth) {
  omp_set_nest_lock(&nestLock);
  nested++;
  if (depth > 0)
    add(depth - 1);
  omp_unset_nest_lock(&nestLock);
}

int main(void) {
  int threads = omp_get_max_threads();
  for (int i = 0; i < Locks; i++)
    omp_init_lock(&locks[i]);
  omp_init_lock_with_hint(&tryLock, omp_sync_hint_contended);
  omp_init_nest_lock(&nestLock);
#pragma omp parallel
  {
    for (int i = 0; i < Rounds; i++) {
#pragma omp critical
      plain++;
#pragma omp critical(other) hint(omp_sync_hint_uncontended)
      named += 2;
      omp_lock_t *lock = &locks[(i + omp_get_thread_num()) % Locks];
      omp_set_lock(lock);
      withLock[lock - locks]++;
      omp_unset_lock(lock);
      if (i % 10 == 0) {
        add(2);
        while (!omp_test_lock(&tryLock))
          ;
        tried++;
        omp_unset_lock(&tryLock);
        if (omp_test_nest_lock(&nestLock)) {
          if (omp_test_nest_lock(&nestLock) != 2)
            deep = -1000000;
          deep++;
          omp_unset_nest_lock(&nestLock);
          omp_unset_nest_lock(&nestLock);
#pragma omp atomic
          attempts++;
        }
      }
    }
  }
  long sum = 0;
  for (int i = 0; i < Locks; i++) {
    sum += withLock[i];
    omp_destroy_lock(&locks[i]);
  }
  omp_destroy_lock(&tryLock);
  omp_destroy_nest_lock(&nestLock);
  EXPECT_EQUAL(threads * Rounds, plain);
  EXPECT_EQUAL(2 * threads * Rounds, named);
  EXPECT_EQUAL(threads * Rounds, sum);
  EXPECT_EQUAL(threads * Rounds / 10 * 3, nested);
  EXPECT_EQUAL(threads * Rounds / 10, tried);
  EXPECT_EQUAL(attempts, deep);
  // In the serial part, too.
#pragma omp critical
  plain = 0;
  EXPECT_EQUAL(0, plain);
  return checkResult();
}
