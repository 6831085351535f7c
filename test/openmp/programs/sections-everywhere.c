// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Sections: more than threads and fewer, one only, in functions called from the region and orphaned,
// in loops, with private, lastprivate, reduction and nowait.
#include "check.h"
#include <omp.h>

static int ran[20], orphaned[6], orders[3];

static void work(int number) {
#pragma omp atomic
  ran[number]++;
}
static int inFunction(int base) {
  static int last;
  static long sum;
#pragma omp single
  last = -1, sum = 0;
#pragma omp sections lastprivate(last) reduction(+ : sum)
  {
    last = base;
#pragma omp section
    {
      last = base + 1;
      sum += 10;
    }
#pragma omp section
    {
      last = base + 2;
      sum += 20;
      for (int i = 0; i < 6; i++)
        orphaned[i]++;
    }
  }
  int result = last * 100 + (int)sum;
#pragma omp barrier
  return result;
}

int main(void) {
  int wrong = 0, last = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#pragma omp sections
    {
#pragma omp section
      work(0);
#pragma omp section
      work(1);
#pragma omp section
      work(2);
#pragma omp section
      work(3);
#pragma omp section
      work(4);
#pragma omp section
      work(5);
#pragma omp section
      work(6);
#pragma omp section
      work(7);
#pragma omp section
      work(8);
#pragma omp section
      work(9);
    }
    wrong += ran[0] + ran[9] != 2;
#pragma omp sections nowait
    {
#pragma omp section
      work(10);
    }
#pragma omp sections nowait
    {
      work(11);
#pragma omp section
      work(12);
    }
    for (int round = 0; round < 8; round++)
      wrong += inFunction(round) != (round + 2) * 100 + 30;
  }
  EXPECT_EQUAL(0, wrong);
  for (int i = 0; i < 13; i++)
    EXPECT_EQUAL(1, ran[i]);
  for (int i = 0; i < 6; i++)
    EXPECT_EQUAL(8, orphaned[i]);

  // Outside every region: one thread does all, in order.
  EXPECT_EQUAL(730, inFunction(5));

  int product = 1, bits = 0, value = 3, firsts = 0;
  double smallest = 1e9;
#pragma omp parallel sections num_threads(3) reduction(* : product) reduction(| : bits) reduction(min : smallest) firstprivate(value) reduction(+ : firsts) lastprivate(last)
  {
#pragma omp section
    {
      product *= 2, bits |= 1, smallest = smallest < 4 ? smallest : 4;
      firsts += value;
      last = 1;
    }
#pragma omp section
    {
      product *= 3, bits |= 2, smallest = smallest < -4 ? smallest : -4;
      firsts += value;
      last = 2;
    }
#pragma omp section
    {
      product *= 5, bits |= 8, smallest = smallest < 9 ? smallest : 9;
      firsts += value;
      last = 3;
    }
#pragma omp section
    {
      product *= 7, bits |= 16;
      firsts += value;
      last = 4;
    }
  }
  EXPECT_EQUAL(210, product);
  EXPECT_EQUAL(27, bits);
  EXPECT(smallest == -4);
  EXPECT_EQUAL(12, firsts);
  EXPECT_EQUAL(4, last);

  // Each section is a region of its own inside.
  omp_set_max_active_levels(2);
#pragma omp parallel sections
  {
#pragma omp section
#pragma omp parallel num_threads(2)
#pragma omp atomic
    orders[0]++;
#pragma omp section
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 9; i++)
#pragma omp atomic
      orders[1]++;
#pragma omp section
    for (int i = 0; i < 5; i++) {
#pragma omp parallel if (0)
      orders[2]++;
    }
  }
  EXPECT_EQUAL(2, orders[0]);
  EXPECT_EQUAL(9, orders[1]);
  EXPECT_EQUAL(5, orders[2]);
  return checkResult();
}
