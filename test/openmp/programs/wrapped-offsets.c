// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// Elements before a pointer by offsets of type size_t, which wrap: C does not allow it, programs do it, and compilers
// mean what was meant. Alone, in loops, and where only some are accessed.
#include "check.h"
#include <stdlib.h>

struct State {
  unsigned salt;
  char rest[1020];
};

enum { Before = 40, Behind = 24 };

static char *all;
#define STATE(t) (*(struct State *)&all[(t) * sizeof(struct State)])

__attribute__((noinline)) static void set(unsigned salt) { STATE(-1).salt = salt; }

__attribute__((noinline)) static unsigned sum(int from, int to) {
  unsigned total = 0;
  for (int t = from; t < to; t++)
    total += STATE(t).salt;
  return total;
}

__attribute__((noinline)) static void setSome(const char *wanted, int n) {
  for (int t = 0; t < n; t++)
    if (wanted[t])
      STATE(-1 - t).salt = 1000;
}

__attribute__((noinline)) static void setNumbers(long *numbers, size_t n) {
  for (size_t i = 0; i < n; i++)
    numbers[i - n] = (long)i;
}

int main(void) {
  char *memory = malloc((Before + Behind) * sizeof(struct State));
  all = memory + Before * sizeof(struct State);
  set(5);
  EXPECT_EQUAL(5, STATE(-1).salt);
#pragma omp parallel for
  for (int t = -Before; t < Behind; t++)
    STATE(t).salt = (unsigned)(t + Before);
  EXPECT_EQUAL((Before + Behind) * (Before + Behind - 1) / 2, sum(-Before, Behind));
  unsigned sums[4];
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    sums[i] = sum(-Before, -Before + 10 * (i + 1));
  for (int i = 0; i < 4; i++)
    EXPECT_EQUAL(10 * (i + 1) * (10 * (i + 1) - 1) / 2, sums[i]);

  char *wanted = calloc(Before, 1);
  for (int t = 0; t < Before; t += 4)
    wanted[t] = 1;
#pragma omp parallel
#pragma omp single
  setSome(wanted, Before);
  for (int t = 0; t < Before; t++)
    EXPECT_EQUAL(t % 4 ? Before - 1 - t : 1000, STATE(-1 - t).salt);

  long *numbers = (long *)memory;
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < 8; part++)
    setNumbers(numbers + (part + 1) * 100, 100);
  for (int i = 0; i < 800; i++)
    EXPECT_EQUAL(i % 100, numbers[i]);
  free(wanted);
  free(memory);
  return checkResult();
}
