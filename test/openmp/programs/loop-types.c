// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Every schedule clause with every integer type of the loop variable, rising and falling, with steps
// that do not divide the range, empty loops and loops of one iteration.
#include "check.h"
#include <limits.h>
#include <omp.h>
#include <stdint.h>

enum { Max = 4096 };
static int hits[Max];
static long total;

static void expect(int line, int n) {
  int bad = 0;
  for (int i = 0; i < n; i++)
    if (hits[i] != 1)
      bad++;
  for (int i = n; i < Max; i++)
    if (hits[i] != 0)
      bad++;
  if (bad || total != n)
    fprintf(stderr, "line %d: %d bad of %d, total %ld\n", line, bad, n, total);
  EXPECT_EQUAL(0, bad);
  EXPECT_EQUAL(n, total);
  for (int i = 0; i < Max; i++)
    hits[i] = 0;
  total = 0;
}

#define PRAGMA_(x) _Pragma(#x)
#define PRAGMA(x) PRAGMA_(x)
#define ONE(SCHEDULE, TYPE, FROM, COMPARE, TO, STEP)                                               \
  do {                                                                                             \
    TYPE from = (FROM), to = (TO);                                                                 \
    int n = 0;                                                                                     \
    for (TYPE i = from; i COMPARE to; i += (STEP)) {                                               \
      n++;                                                                                         \
      if ((STEP) > 0 ? (TYPE)(to - i) <= (TYPE)(STEP) : (TYPE)(i - to) <= (TYPE)(-(STEP)))         \
        break;                                                                                     \
    }                                                                                              \
    PRAGMA(omp parallel for schedule(SCHEDULE) reduction(+ : total))                               \
    for (TYPE i = from; i COMPARE to; i += (STEP)) {                                               \
      long index = ((STEP) > 0 ? (long)(TYPE)(i - from) : (long)(TYPE)(from - i)) / ((STEP) > 0 ? (STEP) : -(STEP)); \
      if (index >= 0 && index < Max)                                                               \
        hits[index]++;                                                                             \
      total++;                                                                                     \
    }                                                                                              \
    expect(__LINE__, n);                                                                           \
  } while (0)

#define SCHEDULES(TYPE, FROM, COMPARE, TO, STEP)                                                   \
  ONE(static, TYPE, FROM, COMPARE, TO, STEP);                                                      \
  ONE(static COMMA 3, TYPE, FROM, COMPARE, TO, STEP);                                              \
  ONE(dynamic, TYPE, FROM, COMPARE, TO, STEP);                                                     \
  ONE(dynamic COMMA 5, TYPE, FROM, COMPARE, TO, STEP);                                             \
  ONE(guided, TYPE, FROM, COMPARE, TO, STEP);                                                      \
  ONE(guided COMMA 4, TYPE, FROM, COMPARE, TO, STEP);                                              \
  ONE(auto, TYPE, FROM, COMPARE, TO, STEP);                                                        \
  ONE(runtime, TYPE, FROM, COMPARE, TO, STEP)
#define COMMA ,

#define SIGNED(TYPE)                                                                               \
  SCHEDULES(TYPE, -50, <, 50, 7);                                                                  \
  SCHEDULES(TYPE, 50, >, -50, -7);                                                                 \
  SCHEDULES(TYPE, 5, <, 5, 1)
#define UNSIGNED(TYPE)                                                                             \
  SCHEDULES(TYPE, 10, <, 113, 7);                                                                  \
  SCHEDULES(TYPE, 100, <, 101, 100)

int main(void) {
  omp_set_schedule(omp_sched_guided, 2);
  SIGNED(int);
  SIGNED(long);
  SIGNED(signed char);
  SIGNED(short);
  SIGNED(int64_t);
  UNSIGNED(unsigned);
  UNSIGNED(unsigned long);
  UNSIGNED(unsigned char);
  UNSIGNED(unsigned short);
  // Near the limits of the type.
  omp_set_schedule(omp_sched_static, 0);
  SCHEDULES(int, INT_MIN, <, INT_MIN + 101, 10);
  SCHEDULES(int, INT_MAX, >, INT_MAX - 101, -10);
  SCHEDULES(int, INT_MAX - 101, <, INT_MAX - 10, 10);
  SCHEDULES(long, LONG_MAX - 99, <, LONG_MAX - 1, 1);
  SCHEDULES(long, LONG_MIN + 99, >, LONG_MIN + 1, -1);
  SCHEDULES(unsigned, UINT_MAX - 200, <, UINT_MAX - 1, 1);
  SCHEDULES(unsigned long, ULONG_MAX - 200, <, ULONG_MAX - 1, 1);
  SCHEDULES(unsigned long, ULONG_MAX - 2000, <, ULONG_MAX - 500, 500);
  return checkResult();
}
