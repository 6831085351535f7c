// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Regions before main and after it: in constructors and destructors of static objects, in functions
// of atexit, in tasks, constructs and target regions of the serial part.
#include "check.h"
#include <cstdlib>
#include <omp.h>
#include <vector>

static int countThreads() {
  int n = 0;
#pragma omp parallel reduction(+ : n)
  n++;
  return n;
}

struct Early {
  std::vector<int> values;
  int threads;
  Early() : values(100), threads(0) {
    threads = countThreads();
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
      values[i] = i;
  }
  ~Early() {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
      sum += values[i];
    if (sum != 5050 || countThreads() != threads) {
      fprintf(stderr, "after main: %d\n", sum);
      _Exit(1);
    }
  }
};
static Early early;
static int initialised = countThreads();

static void atEnd() {
  if (countThreads() != initialised)
    _Exit(2);
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    early.values[i]++;
}

int main() {
  std::atexit(atEnd);
  int threads = countThreads();
  EXPECT_EQUAL(threads, early.threads);
  EXPECT_EQUAL(threads, initialised);
  for (int i = 0; i < 100; i++)
    EXPECT_EQUAL(i, early.values[i]);
  int inTask = 0, inGroup = 0, inTarget = 0, inLoop = 0;
#pragma omp task shared(inTask)
  inTask = countThreads();
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task shared(inGroup)
    {
#pragma omp task shared(inGroup)
      inGroup += countThreads();
    }
  }
#pragma omp target map(tofrom : inTarget)
  inTarget = countThreads();
#pragma omp taskloop shared(inLoop)
  for (int i = 0; i < 3; i++)
    inLoop += countThreads();
  EXPECT_EQUAL(threads, inTask);
  EXPECT_EQUAL(threads, inGroup);
  EXPECT_EQUAL(threads, inTarget);
  EXPECT_EQUAL(3 * threads, inLoop);
  // Worksharing without a region.
  int alone = 0;
#pragma omp single
  alone += countThreads();
#pragma omp for
  for (int i = 0; i < 2; i++)
    alone += countThreads();
#pragma omp sections
  {
#pragma omp section
    alone += countThreads();
  }
#pragma omp critical
  alone += countThreads();
  EXPECT_EQUAL(5 * threads, alone);
  return checkResult();
}
