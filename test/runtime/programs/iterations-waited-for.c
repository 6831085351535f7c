// How often and how long threads wait for iterations of other nodes is in the statistics, where they are ordered and in
// doacross loops; where all that a thread needs is its own node's, nobody is asked.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t across 2>%t.table | %check %s
// RUN: %check --check-prefix=WAITS --input-file=%t.json %s
// RUN: %check --check-prefix=TABLE --input-file=%t.table %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t ordered | %check %s
// RUN: %check --check-prefix=WAITS --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t alone | %check %s
// RUN: %check --check-prefix=NONE --input-file=%t.json %s
// WAITS: "iteration_waits": {{[1-9]}}
// WAITS: "time_in_order_seconds": {{.*[1-9]}}
// TABLE: s.order
// NONE-NOT: "flag_ask"
// NONE: "iteration_waits": 0,
// NONE: "iteration_waits": 0,
#include <stdio.h>
#include <string.h>

enum { Rows = 16, Columns = 300 };
static long field[Rows][Columns], sum;

/// Rows are dealt to threads in turn, so many at a time.
static void across(int rows) {
#pragma omp parallel for ordered(2) schedule(static, rows)
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++) {
#pragma omp ordered depend(sink : i - 1, j)
      field[i][j] = (i < 1 ? j : field[i - 1][j]) + 1;
#pragma omp ordered depend(source)
    }
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "ordered") != 0) {
    across(strcmp(what, "alone") == 0 ? Rows : 1);
    sum = field[Rows - 1][Columns - 1] > field[1][Columns - 1];
  } else {
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < Rows; i++) {
#pragma omp ordered
      sum = i == Rows - 1;
    }
  }
  printf("sum %ld\n", sum); // CHECK: sum 1
  return 0;
}
