// RUN: %build-cpp
// RUN: env OMP_CANCELLATION=true %on1 | grep -x ok
// RUN: env OMP_CANCELLATION=true %on2 2>&1 | %filecheck %s
// RUN: env OMP_CANCELLATION=true %on3 | grep -x ok
// RUN: %full env OMP_CANCELLATION=true %on4 | grep -x ok
// CHECK-DAG: ompdsm: warning: OMP_CANCELLATION is set, so parallel regions run on node 0 alone
// CHECK-DAG: ok
// cancel of loops, sections, regions and task groups, with cancellation points: what comes behind is
// not executed, what was done before is seen.
#include "check.h"
#include <atomic>
#include <omp.h>
#include <vector>

int main() {
  const int threads = omp_get_max_threads();
  EXPECT_EQUAL(1, omp_get_cancellation());
  std::atomic<int> executed{0}, found{-1};
  std::vector<int> values(100000);
  values[777] = 1;
  int teamSize = 0;
#pragma omp parallel
  {
#pragma omp single
    teamSize = omp_get_num_threads();
#pragma omp for schedule(dynamic, 10)
    for (int i = 0; i < 100000; i++) {
#pragma omp cancellation point for
      ++executed;
      if (values[i]) {
        found = i;
#pragma omp cancel for
      }
    }
  }
  EXPECT_EQUAL(threads, teamSize);
  EXPECT_EQUAL(777, found);
  EXPECT(executed < 100000);

  std::atomic<int> behind{0}, cancelled{0};
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      ++cancelled;
#pragma omp cancel parallel
    }
    for (;;) {
#pragma omp cancellation point parallel
    }
    ++behind;
  }
  EXPECT_EQUAL(0, behind);
  EXPECT_EQUAL(1, cancelled);

  std::atomic<int> sections{0};
#pragma omp parallel sections
  {
#pragma omp section
    {
      ++sections;
#pragma omp cancel sections
      sections += 100;
    }
#pragma omp section
    {
      ++sections;
    }
  }
  EXPECT(sections == 1 || sections == 2);

  std::atomic<int> tasks{0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 1000; i++) {
#pragma omp task
    {
      if (++tasks == 10) {
#pragma omp cancel taskgroup
      }
    }
  }
  EXPECT(tasks >= 10 && tasks <= 1000);

  // A region that is cancelled must not lose the next ones.
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  EXPECT_EQUAL(499500, sum);
  return checkResult();
}
