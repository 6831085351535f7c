// RUN: %build-c
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// With more than one node the order of combination is fixed, so a sum that rounds is the same in
// every run. (Inside one node libomp combines in the order in which threads arrive.)
#include "check.h"
#include <omp.h>

static double sumOfInverses(void) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i <= 1000; i++)
    sum += 1.0 / i;
  return sum;
}

int main(void) {
  double first = sumOfInverses();
  for (int i = 0; i < 50; i++)
    EXPECT(sumOfInverses() == first);
  return checkResult();
}
