// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Named criticals with every hint, in functions and in each other; locks and nest locks with hints, in
// arrays, on the heap and in structs, tested and tried; a lock set by one construct and unset later.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { Rounds = 25, Locks = 16 };
static long counts[12], table[Locks], nested, tried, failed;
static omp_lock_t locks[Locks];
static omp_nest_lock_t nests[3];
struct Holder {
  char before;
  omp_lock_t lock;
  long value;
  omp_nest_lock_t nest;
};

static void inAnother(void) {
#pragma omp critical(inner)
  counts[5]++;
}
static int deep(omp_nest_lock_t *lock, int depth) {
  omp_set_nest_lock(lock);
  nested++;
  int level = omp_test_nest_lock(lock), result = level == depth + 2;
  omp_unset_nest_lock(lock);
  if (depth < 6)
    result += deep(lock, depth + 1);
  omp_unset_nest_lock(lock);
  return result;
}

int main(void) {
  omp_lock_hint_t hints[] = {omp_lock_hint_none, omp_lock_hint_uncontended, omp_lock_hint_contended,
                             omp_lock_hint_nonspeculative, omp_lock_hint_speculative};
  for (int i = 0; i < Locks; i++)
    omp_init_lock_with_hint(&locks[i], hints[i % 5]);
  omp_init_nest_lock(&nests[0]);
  omp_init_nest_lock_with_hint(&nests[1], omp_sync_hint_contended);
  omp_init_nest_lock_with_hint(&nests[2], omp_sync_hint_uncontended | omp_sync_hint_nonspeculative);
  struct Holder *holders = malloc(7 * sizeof *holders), onStack = {.value = 0};
  omp_init_lock(&onStack.lock);
  for (int i = 0; i < 7; i++) {
    holders[i].value = 0;
    omp_init_lock(&holders[i].lock);
    omp_init_nest_lock(&holders[i].nest);
  }
  int threads = 0, wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
#pragma omp critical(none) hint(omp_sync_hint_none)
      counts[0]++;
#pragma omp critical(contended) hint(omp_sync_hint_contended)
      counts[1]++;
#pragma omp critical(uncontended) hint(omp_sync_hint_uncontended)
      counts[2]++;
#pragma omp critical(speculative) hint(omp_sync_hint_speculative)
      counts[3]++;
#pragma omp critical(outer) hint(omp_sync_hint_nonspeculative)
      {
        counts[4]++;
        inAnother();
#pragma omp critical
        counts[6]++;
      }
      int which = (omp_get_thread_num() * 3 + round) % Locks;
      omp_set_lock(&locks[which]);
      table[which]++;
      omp_unset_lock(&locks[which]);
      while (!omp_test_lock(&locks[0]))
        ;
      tried++;
      omp_unset_lock(&locks[0]);
      omp_set_lock(&onStack.lock);
      onStack.value++;
      omp_unset_lock(&onStack.lock);
      struct Holder *holder = &holders[round % 7];
      omp_set_lock(&holder->lock);
      omp_set_nest_lock(&holder->nest);
      omp_set_nest_lock(&holder->nest);
      holder->value++;
      omp_unset_nest_lock(&holder->nest);
      omp_unset_nest_lock(&holder->nest);
      omp_unset_lock(&holder->lock);
    }
    for (int i = 0; i < 3; i++)
      wrong += deep(&nests[0], 0) != 7;
    omp_set_nest_lock(&nests[1]);
    omp_set_nest_lock(&nests[2]);
    counts[7]++;
    omp_unset_nest_lock(&nests[2]);
    omp_unset_nest_lock(&nests[1]);
#pragma omp barrier
    // One thread holds it over a barrier: nobody else gets it.
#pragma omp masked
    omp_set_lock(&locks[3]);
#pragma omp barrier
    if (omp_get_thread_num() != 0 && !omp_test_lock(&locks[3]))
#pragma omp atomic
      failed++;
#pragma omp barrier
#pragma omp masked
    omp_unset_lock(&locks[3]);
  }
  for (int i = 0; i < 7; i++)
    EXPECT_EQUAL(threads * Rounds, counts[i]);
  EXPECT_EQUAL(threads, counts[7]);
  long sum = 0;
  for (int i = 0; i < Locks; i++)
    sum += table[i];
  EXPECT_EQUAL(threads * Rounds, sum);
  EXPECT_EQUAL(threads * Rounds, tried);
  EXPECT_EQUAL(threads * Rounds, onStack.value);
  EXPECT_EQUAL(threads * 3 * 7, nested);
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(threads - 1, failed);
  sum = 0;
  for (int i = 0; i < 7; i++)
    sum += holders[i].value;
  EXPECT_EQUAL(threads * Rounds, sum);
  // In serial code, after the region.
  EXPECT_EQUAL(1, omp_test_lock(&locks[3]));
  EXPECT_EQUAL(0, omp_test_lock(&locks[3]));
  omp_unset_lock(&locks[3]);
  EXPECT_EQUAL(1, omp_test_nest_lock(&nests[0]));
  EXPECT_EQUAL(2, omp_test_nest_lock(&nests[0]));
  omp_unset_nest_lock(&nests[0]);
  omp_unset_nest_lock(&nests[0]);
  for (int i = 0; i < Locks; i++)
    omp_destroy_lock(&locks[i]);
  for (int i = 0; i < 3; i++)
    omp_destroy_nest_lock(&nests[i]);
  for (int i = 0; i < 7; i++) {
    omp_destroy_lock(&holders[i].lock);
    omp_destroy_nest_lock(&holders[i].nest);
  }
  free(holders);
  return checkResult();
}
