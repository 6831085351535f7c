// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// RUN: %build-cpp -DPOINTER
// RUN: %on1 | grep -x ok
// RUN: not %on2 2>&1 | %filecheck %s
// CHECK: the parallel region at {{.*}}threadprivate.cpp:[[#@LINE+49]] copies in a pointer to a thread-local variable
// threadprivate variables: each thread keeps its own over regions; copyin gives the initial thread's
// values to all: numbers, arrays, objects, static members, block-scope statics.
#include "check.h"
#include <omp.h>
#include <string>

static int counter = 5;
#pragma omp threadprivate(counter)
static double array[300];
#pragma omp threadprivate(array)
struct Pair {
  int a = 1;
  long b = 2;
  static int member;
#pragma omp threadprivate(member)
};
int Pair::member = 3;
static thread_local std::string text = "start";

static int next() {
  static int calls;
#pragma omp threadprivate(calls)
  return ++calls;
}
#ifdef POINTER
static int *pointer;
#pragma omp threadprivate(pointer)
#endif

int main() {
  int wrong = 0;
  // Kept from region to region by the same thread.
  for (int round = 0; round < 3; round++) {
#pragma omp parallel reduction(+ : wrong)
    {
      if (counter != 5 + round * (omp_get_thread_num() + 1))
        wrong++;
      counter += omp_get_thread_num() + 1;
      if (next() != round + 1)
        wrong++;
      if (text != (round ? "of thread " + std::to_string(omp_get_thread_num()) : "start"))
        wrong++;
      text = "of thread " + std::to_string(omp_get_thread_num());
    }
  }
  EXPECT_EQUAL(0, wrong);
#ifdef POINTER
  pointer = &counter;
#pragma omp parallel copyin(pointer)
  if (*pointer == -1)
    counter++;
#endif
  // copyin, twice, with other values.
  for (int round = 0; round < 2; round++) {
    counter = 100 + round;
    Pair::member = 50 - round;
    for (int i = 0; i < 300; i++)
      array[i] = i * 0.5 + round;
#pragma omp parallel copyin(counter, array, Pair::member) reduction(+ : wrong)
    {
      if (counter != 100 + round || Pair::member != 50 - round)
        wrong++;
      for (int i = 0; i < 300; i++)
        if (array[i] != i * 0.5 + round)
          wrong++;
      counter = array[7] = -1; // Each thread's own.
      Pair::member = omp_get_thread_num();
    }
    EXPECT_EQUAL(0, Pair::member);
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(-1, counter);
  return checkResult();
}
