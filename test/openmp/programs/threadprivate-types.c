// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// threadprivate and copyin in C: scalars, arrays, structs, pointers, static ones in functions; the
// values last from region to region, thread 0's are the serial ones.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

struct Pair {
  int a;
  double b[4];
};
static int scalar = 3, array[70] = {1, 2, 3};
static struct Pair pair = {4, {1, 2, 3, 4}};
static long *pointer;
int external = 11;
#pragma omp threadprivate(scalar, array, pair, pointer, external)
static _Thread_local int threadLocal = 21;
static int seen[64];

static int calls(void) {
  static int number = 100;
#pragma omp threadprivate(number)
  return ++number;
}
static int sumOfArray(void) {
  int sum = 0;
  for (int i = 0; i < 70; i++)
    sum += array[i];
  return sum;
}

int main(void) {
  int wrong = 0, threads = 0;
  omp_set_dynamic(0);
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp single
    threads = omp_get_num_threads();
    int me = omp_get_thread_num();
    wrong += scalar != 3 || sumOfArray() != 6 || pair.a != 4 || pair.b[3] != 4 || pointer || external != 11;
    wrong += threadLocal != 21;
    scalar = 10 * me;
    array[69] = me;
    pair.b[1] = me * .5;
    external = -me;
    threadLocal += me;
    pointer = malloc(sizeof *pointer);
    *pointer = 5 + me;
    for (int i = 0; i <= me; i++)
      calls();
  }
  EXPECT_EQUAL(0, scalar);
  // They last.
#pragma omp parallel reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    wrong += scalar != 10 * me || sumOfArray() != 6 + me || pair.b[1] != me * .5 || external != -me || *pointer != 5 + me;
    wrong += threadLocal != 21 + me || calls() != 102 + me;
    free(pointer);
    pointer = NULL;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(103, calls());

  for (int round = 1; round <= 8; round++) {
    scalar = round;
    for (int i = 0; i < 70; i++)
      array[i] = i * round;
    pair.a = -round, pair.b[0] = round * .25;
    external = round * round;
    long value = round;
    pointer = &value;
#pragma omp parallel copyin(scalar, array, pair, pointer, external) reduction(+ : wrong)
    {
      wrong += scalar != round || sumOfArray() != 35 * 69 * round || pair.a != -round || pair.b[0] != round * .25;
      wrong += external != round * round || *pointer != round;
#pragma omp barrier
      scalar += omp_get_thread_num();
      array[0] = pair.a = 99;
      seen[omp_get_thread_num()] += scalar;
    }
    EXPECT_EQUAL(round, scalar);
    EXPECT_EQUAL(99, pair.a);
  }
  EXPECT_EQUAL(0, wrong);
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(36 + 8 * i, seen[i]);
#pragma omp parallel for copyin(external) reduction(+ : wrong) schedule(static, 1)
  for (int i = 0; i < 40; i++)
    wrong += external != 64;
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
