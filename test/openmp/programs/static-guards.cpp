// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// A function-local static is initialised once in the whole job, and everybody sees it initialised.
#include "check.h"
#include <omp.h>
#include <string>
#include <thread>

static int constructed, wrong;

struct Table {
  int values[100];
  Table() {
#pragma omp atomic
    constructed++;
    for (int i = 0; i < 100; i++)
      values[i] = i * i;
  }
};

static const Table &table() {
  static Table instance;
  return instance;
}

static int throwsOnce() {
  static int attempts = 0;
  static int value = [] {
    if (attempts++ == 0)
      throw 1;
    return attempts;
  }();
  return value;
}

int main() {
#pragma omp parallel
  for (int round = 0; round < 10; round++)
    for (int i = 0; i < 100; i++)
      if (table().values[i] != i * i) {
#pragma omp atomic
        wrong++;
      }
  EXPECT_EQUAL(1, constructed);
  EXPECT_EQUAL(0, wrong);
  try {
    throwsOnce();
    EXPECT(!"an exception");
  } catch (int) {
  }
  EXPECT_EQUAL(2, throwsOnce());

  // A region of another thread than the initial one stays in its node, and is right.
  int counted = 0;
  std::thread([&] {
#pragma omp parallel num_threads(3) reduction(+ : counted)
    counted += omp_get_num_threads();
  }).join();
  EXPECT_EQUAL(9, counted);
  return checkResult();
}
