// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// A lock that another thread unsets than has set it, maybe of another node: OpenMP forbids that, but libomp's locks are
// used so, as the lock of readers and writers (Courtois 1971) that the first reader sets and the last one unsets.
#include "check.h"
#include <omp.h>

enum { Rounds = 200 };

static omp_lock_t entry, room, turn;
static int readers, value[2], written;

static void readThem(int *wrong) {
  omp_set_lock(&entry);
  if (++readers == 1)
    omp_set_lock(&room);
  omp_unset_lock(&entry);
  *wrong += value[0] != value[1];
  omp_set_lock(&entry);
  if (--readers == 0)
    omp_unset_lock(&room);
  omp_unset_lock(&entry);
}

static void writeThem(void) {
  omp_set_lock(&room);
  value[0]++;
  value[1]++;
  written++;
  omp_unset_lock(&room);
}

int main(void) {
  omp_init_lock(&entry);
  omp_init_lock(&room);
  omp_init_lock(&turn);
  int wrong = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : wrong)
  for (int i = 0; i < Rounds; i++)
    if (i % 5 == 0)
      writeThem();
    else
      readThem(&wrong);
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(Rounds / 5, written);
  EXPECT_EQUAL(Rounds / 5, value[0]);

  // One thread sets it, all others in turn unset and set it again; it can be taken at once behind that.
  int seen = 0;
  omp_set_lock(&turn);
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < Rounds; i++) {
#pragma omp ordered
    {
      EXPECT(!omp_test_lock(&turn));
      seen++;
      omp_unset_lock(&turn);
      EXPECT(omp_test_lock(&turn));
    }
  }
  omp_unset_lock(&turn);
  EXPECT_EQUAL(Rounds, seen);
  return checkResult();
}
