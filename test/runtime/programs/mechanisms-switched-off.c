// Mechanisms that make programs faster can be switched off: the result is the same, and what each one saves is seen.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_PUSH=0 OMPDSM_PREDICT=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.all | %check %s
// RUN: ! %check --check-prefix=APART --input-file=%t.all %s
// RUN: ! %check --check-prefix=ALONE --input-file=%t.all %s
// RUN: ! %check --check-prefix=DONE --input-file=%t.json %s
// RUN: env OMPDSM_PUSH=0 OMPDSM_PREDICT=0 OMPDSM_PREFETCH=0 OMPDSM_RANGES=1 %run -n 2 -t 1 --stats %t 2>%t.apart | %check %s
// RUN: %check --check-prefix=APART --input-file=%t.apart %s
// RUN: env OMPDSM_PUSH=0 OMPDSM_PREDICT=0 OMPDSM_JOIN=0 %run -n 2 -t 1 --stats %t 2>%t.alone | %check %s
// RUN: %check --check-prefix=ALONE --input-file=%t.alone %s
// RUN: env OMPDSM_PUSH=0 OMPDSM_PREDICT=0 OMPDSM_SHORT_BARRIER=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=DONE --input-file=%t.json %s
// RUN: env OMPDSM_PREDICT=0 OMPDSM_PUSH_FIRST=0 OMPDSM_PUSH_SITES=0 OMPDSM_OBJECTS=0 OMPDSM_OVERWRITE=0 OMPDSM_AWAY=0 OMPDSM_CLOSE=0 OMPDSM_BARE=0 OMPDSM_DIGESTS=0 OMPDSM_SUMS=0 OMPDSM_KEEP_UPDATED=0 OMPDSM_ADAPT=0 OMPDSM_SINGLE=0 OMPDSM_LOCKS_AHEAD=0 OMPDSM_TASKS=0 OMPDSM_FOLD=0 OMPDSM_RANGES=1 OMPDSM_JOIN=0 OMPDSM_SHORT_BARRIER=0 OMPDSM_SOLE=0 OMPDSM_MULTICAST=0 %run -n 3 -t 2 --provider tcp %t | %check %s
// RUN: { ! env OMPDSM_RANGES=0 %run -n 2 -t 1 %t; } 2>&1 | %check --check-prefix=NONE %s
// Messages that node 1 has sent (the fourth number): a request for each row in each step, or one for all rows.
// APART: {{^ompdsm: +1( +[0-9.]+){3} +[0-9]{4} }}
// As many packets as messages of node 0, which answers and tells that all have arrived.
// ALONE: {{^ompdsm: +0( +[0-9.]+){3} +}}[[MESSAGES:[0-9]+]]{{ +}}[[MESSAGES]]{{ }}
// Nodes that read only send no Put, so no barrier needs its second half.
// DONE: "barrier_done":
// NONE: OMPDSM_RANGES
#include <stdio.h>

enum { Rows = 64, Columns = 1024, Used = 8, Steps = 30 };
static unsigned table[Rows][Columns];

int main(void) {
  unsigned sum = 0, expected = 0;
#pragma omp parallel reduction(+ : sum)
  for (int step = 0; step < Steps; step++) {
#pragma omp masked
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Used; j++)
        table[i][j] = (unsigned)(step + i * j);
#pragma omp barrier
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Used; j++)
        sum += table[i][j];
#pragma omp barrier
  }
  unsigned one = 0;
  for (int step = 0; step < Steps; step++)
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Used; j++)
        one += (unsigned)(step + i * j);
#pragma omp parallel reduction(+ : expected)
  expected += one;
  printf("%s\n", sum == expected ? "right" : "wrong"); // CHECK: right
  return 0;
}
