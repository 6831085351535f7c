// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Every thread number of the team exists once, and all threads agree on the size of the team.
#include "check.h"
#include <omp.h>

enum { Most = 64 };
static int seen[Most], sizes[Most], insideParallel[Most], level[Most], ancestor[Most], teamSize[Most];

int main(void) {
  EXPECT_EQUAL(0, omp_get_thread_num());
  EXPECT_EQUAL(1, omp_get_num_threads());
  EXPECT(!omp_in_parallel());
  int expected = omp_get_max_threads();
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < Most; i++)
      seen[i] = 0;
#pragma omp parallel
    {
      int me = omp_get_thread_num();
      seen[me]++;
      sizes[me] = omp_get_num_threads();
      insideParallel[me] = omp_in_parallel();
      level[me] = omp_get_level() * 10 + omp_get_active_level();
      ancestor[me] = omp_get_ancestor_thread_num(1) * 1000 + omp_get_ancestor_thread_num(0);
      teamSize[me] = omp_get_team_size(1) * 1000 + omp_get_team_size(0);
    }
    for (int i = 0; i < Most; i++)
      EXPECT_EQUAL(i < expected, seen[i]);
    for (int i = 0; i < expected; i++) {
      EXPECT_EQUAL(expected, sizes[i]);
      EXPECT_EQUAL(expected > 1, insideParallel[i]);
      EXPECT_EQUAL(expected > 1 ? 11 : 10, level[i]);
      EXPECT_EQUAL(i * 1000, ancestor[i]);
      EXPECT_EQUAL(expected * 1000 + 1, teamSize[i]);
    }
  }
  return checkResult();
}
