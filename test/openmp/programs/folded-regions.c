// RUN: %build-c
// RUN: env OMPDSM_FOLD=0 OMP_NUM_THREADS=6 %run -n 3 %t > %t.spread
// RUN: env OMPDSM_FOLD=1 OMP_NUM_THREADS=6 OMPDSM_STATS_FILE=%t.chosen.json %run -n 3 %t > %t.chosen
// RUN: env OMPDSM_FOLD=2 OMP_NUM_THREADS=6 OMPDSM_STATS_FILE=%t.folded.json %run -n 3 %t > %t.folded
// RUN: env OMPDSM_FOLD=2 OMP_NUM_THREADS=3 %run -n 3 %t > %t.folded-3
// RUN: env OMPDSM_FOLD=0 OMP_NUM_THREADS=3 %run -n 3 %t > %t.spread-3
// RUN: grep -x ok %t.spread && cmp %t.spread %t.chosen && cmp %t.spread %t.folded && cmp %t.spread-3 %t.folded-3
// RUN: %python -c "import json; s = json.load(open('%t.chosen.json')); f = s['folded_regions']; assert sum(x['folded'] for x in f) > 1500 and all(x['folded'] < x['visits'] for x in f), f"
// RUN: %python -c "import json; s = json.load(open('%t.folded.json')); f = s['folded_regions']; assert len(f) >= 15 and all(x['folded'] == x['visits'] for x in f), f; assert all(n['barriers'] < 40 for n in s['nodes'])"
// Regions that node 0 executes alone, thread by thread: the program sees the team of all nodes, loops
// are split and reductions combined as on all nodes, to the last bit. Regions whose threads wait for
// one another, or have variables of their own, are spread in any case.
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500, Most = 64, Rounds = 1000 };
static int hits[N], owner[N], seen[Most], most, masters;
static double value[N], sums[8];
static int mine;
#pragma omp threadprivate(mine)

static void clear(void) {
  memset(hits, 0, sizeof hits);
  memset(owner, -1, sizeof owner);
  memset(seen, 0, sizeof seen);
}
static void expectEachOnce(void) {
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(1, hits[i]);
  clear();
}
/// What the thread that gets an iteration is called.
static void printOwners(const char *name) {
  unsigned long hash = 5381;
  for (int i = 0; i < N; i++)
    hash = hash * 33 + (unsigned)owner[i];
  printf("%s %lx\n", name, hash);
}
static void note(int i) {
  hits[i]++;
  owner[i] = omp_get_thread_num();
}

static void teams(void) {
  const int threads = omp_get_max_threads();
#pragma omp parallel
  {
    seen[omp_get_thread_num()] = omp_get_num_threads();
    if (omp_in_parallel())
#pragma omp atomic
      most++;
#pragma omp master
    masters++;
#pragma omp critical
    sums[0] += 0.5;
  }
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(threads, seen[i]);
  EXPECT_EQUAL(threads, most);
  EXPECT_EQUAL(1, masters);
  EXPECT(sums[0] == 0.5 * threads);
  clear();
#pragma omp parallel num_threads(5)
  seen[omp_get_thread_num()] = omp_get_num_threads();
  for (int i = 0; i < 5; i++)
    EXPECT_EQUAL(5, seen[i]);
  clear();
}

static void loops(void) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    note(i);
  printOwners("static");
  expectEachOnce();
#pragma omp parallel for schedule(static, 3)
  for (int i = N - 1; i >= 0; i--)
    note(i);
  printOwners("chunks");
  expectEachOnce();
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < N; i++)
    note(i);
  expectEachOnce();
#pragma omp parallel for schedule(guided)
  for (long i = 0; i < N; i++)
    note((int)i);
  expectEachOnce();
  omp_set_schedule(omp_sched_static, 2);
#pragma omp parallel for schedule(runtime) collapse(2)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < N / 10; j++)
      note(i * (N / 10) + j);
  printOwners("runtime");
  expectEachOnce();
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < N / 2; i++)
      note(i);
#pragma omp for schedule(dynamic)
    for (int i = N / 2; i < N; i++)
      note(i);
  }
  expectEachOnce();
  int last = -1;
#pragma omp parallel for lastprivate(last)
  for (int i = 0; i < N; i++)
    last = i;
  EXPECT_EQUAL(N - 1, last);
#pragma omp parallel sections
  {
#pragma omp section
    hits[0]++;
#pragma omp section
    hits[1] += 2;
  }
  EXPECT_EQUAL(1, hits[0]);
  EXPECT_EQUAL(2, hits[1]);
  clear();
}

typedef struct {
  double low, high;
} Range;
#pragma omp declare reduction(range : Range : omp_out = (Range){                                   \
        omp_in.low < omp_out.low ? omp_in.low : omp_out.low,                                       \
        omp_in.high > omp_out.high ? omp_in.high : omp_out.high})                                  \
    initializer(omp_priv = (Range){1e300, -1e300})

static void reductions(void) {
  for (int i = 0; i < N; i++)
    value[i] = 1.0 / (3 * i + 1);
  double sum = 0.1, product = 1, least = 1e9;
  float narrow = 0;
  long count = 0;
#pragma omp parallel for reduction(+ : sum, narrow, count) reduction(* : product)                  \
    reduction(min : least)
  for (int i = 0; i < N; i++) {
    sum += value[i];
    narrow += (float)value[i];
    count += i;
    product *= 1 + value[i] / 100;
    least = value[i] < least ? value[i] : least;
  }
  printf("%a %a %ld %a %a\n", sum, (double)narrow, count, product, least);
  double bins[7] = {0};
#pragma omp parallel for reduction(+ : bins) schedule(static, 5)
  for (int i = 0; i < N; i++)
    bins[i % 7] += value[i];
  for (int i = 0; i < 7; i++)
    printf("%a ", bins[i]);
  Range range = {1e300, -1e300};
#pragma omp parallel for reduction(range : range)
  for (int i = 0; i < N; i++) {
    range.low = value[i] < range.low ? value[i] : range.low;
    range.high = value[i] > range.high ? value[i] : range.high;
  }
  printf("%a %a\n", range.low, range.high);
}

/// Regions that cannot be folded.
static void waiting(void) {
  const int threads = omp_get_max_threads();
  int flag = 0, singles = 0;
#pragma omp parallel
  {
    mine = omp_get_thread_num();
#pragma omp single
    singles++;
    seen[omp_get_thread_num()] = 1;
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      for (int i = 0; i < omp_get_num_threads(); i++)
        EXPECT_EQUAL(1, seen[i]);
  }
  clear();
#pragma omp parallel
  seen[omp_get_thread_num()] = mine == omp_get_thread_num();
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(1, seen[i]);
  EXPECT_EQUAL(1, singles);
#pragma omp parallel
  {
    int raised = 0;
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
#pragma omp atomic write
      flag = 1;
    }
    while (!raised) {
#pragma omp atomic read
      raised = flag;
    }
  }
  clear();
}

int main(void) {
  clear();
  teams();
  loops();
  reductions();
  waiting();
  double total = 0;
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel for
    for (int i = 0; i < 20; i++)
      value[i] += 1.0 / (round + i + 1);
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 20; i++)
      sum += value[i];
    total += sum;
  }
  printf("%a\n", total);
  return checkResult();
}
