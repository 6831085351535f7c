// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// User-declared reductions: structs with init clauses, two for one type, arrays inside, with
// omp_orig, on parallel, for and sections; in a function of another scope.
#include "check.h"
#include <limits.h>
#include <omp.h>

struct Statistics {
  long n;
  double sum;
  int min, max;
};
static void add(struct Statistics *a, const struct Statistics *b) {
  a->n += b->n;
  a->sum += b->sum;
  a->min = a->min < b->min ? a->min : b->min;
  a->max = a->max > b->max ? a->max : b->max;
}
static void start(struct Statistics *s) { *s = (struct Statistics){0, 0, INT_MAX, INT_MIN}; }
#pragma omp declare reduction(merge : struct Statistics : add(&omp_out, &omp_in)) initializer(start(&omp_priv))

struct Histogram {
  unsigned bins[300];
};
static void addBins(struct Histogram *a, const struct Histogram *b) {
  for (int i = 0; i < 300; i++)
    a->bins[i] += b->bins[i];
}
#pragma omp declare reduction(+ : struct Histogram : addBins(&omp_out, &omp_in)) initializer(omp_priv = {{0}})

typedef struct {
  double value;
  int index;
} Located;
#pragma omp declare reduction(minloc : Located : omp_out = omp_in.value < omp_out.value || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) ? omp_in : omp_out) initializer(omp_priv = omp_orig)
#pragma omp declare reduction(maxloc : Located : omp_out = omp_in.value > omp_out.value || (omp_in.value == omp_out.value && omp_in.index < omp_out.index) ? omp_in : omp_out) initializer(omp_priv = {-1e300, -1})
#pragma omp declare reduction(maxabs : int, long, double : omp_out = (omp_in < 0 ? -omp_in : omp_in) > (omp_out < 0 ? -omp_out : omp_out) ? omp_in : omp_out) initializer(omp_priv = 0)
#pragma omp declare reduction(gcdless : unsigned : omp_out |= omp_in)

static double value(int i) { return (i * 7919 % 10007) * .25; }
static long orphaned(int n) {
  static struct Statistics s;
#pragma omp single
  start(&s);
#pragma omp for reduction(merge : s) schedule(dynamic, 9)
  for (int i = 0; i < n; i++) {
    struct Statistics one = {1, i, i, i};
    add(&s, &one);
  }
  long result = s.n + s.max * 10000l + s.min;
#pragma omp barrier
  return result;
}

int main(void) {
  struct Statistics s;
  start(&s);
  s.n = 1000;
  struct Histogram h = {{0}};
  h.bins[0] = 5;
  Located low = {1e300, -1}, high = {-1e300, -1};
#pragma omp parallel for reduction(merge : s) reduction(+ : h) reduction(minloc : low) reduction(maxloc : high)
  for (int i = 0; i < 5000; i++) {
    struct Statistics one = {1, value(i), i - 3, i - 3};
    add(&s, &one);
    h.bins[i % 300]++;
    if (value(i) < low.value)
      low = (Located){value(i), i};
    if (value(i) > high.value)
      high = (Located){value(i), i};
  }
  double sum = 0;
  Located wantedLow = {1e300, -1}, wantedHigh = {-1e300, -1};
  for (int i = 0; i < 5000; i++) {
    sum += value(i);
    if (value(i) < wantedLow.value)
      wantedLow = (Located){value(i), i};
    if (value(i) > wantedHigh.value)
      wantedHigh = (Located){value(i), i};
  }
  EXPECT_EQUAL(6000, s.n);
  EXPECT(s.sum == sum);
  EXPECT_EQUAL(-3, s.min);
  EXPECT_EQUAL(4996, s.max);
  for (int i = 0; i < 300; i++)
    EXPECT_EQUAL((i < 200 ? 17 : 16) + (i == 0 ? 5 : 0), h.bins[i]);
  EXPECT_EQUAL(wantedLow.index, low.index);
  EXPECT_EQUAL(wantedHigh.index, high.index);

  int wrong = 0, mi = 0;
  long ml = 0;
  double md = 0;
#pragma omp parallel reduction(+ : wrong) reduction(maxabs : mi, ml, md)
  {
    int me = omp_get_thread_num();
    for (int round = 0; round < 10; round++)
      wrong += orphaned(100 + round) != 100 + round + (99 + round) * 10000l;
    mi = -1 - me, ml = 1 + me, md = -.5 * (me + 1);
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(-ml, mi);
  EXPECT(md == mi * .5);

  struct Statistics fromSections;
  start(&fromSections);
#pragma omp parallel sections reduction(merge : fromSections)
  {
#pragma omp section
    fromSections.n++, fromSections.min = 3;
#pragma omp section
    fromSections.n++, fromSections.max = 30;
#pragma omp section
    fromSections.n++, fromSections.sum = 8;
  }
  EXPECT_EQUAL(3, fromSections.n);
  EXPECT_EQUAL(3, fromSections.min);
  EXPECT_EQUAL(30, fromSections.max);
  EXPECT(fromSections.sum == 8);
  return checkResult();
}
