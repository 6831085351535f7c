// Rows that are dealt in turn to threads of several nodes share blocks, which each of them is sent again and again. Pages of
// them get smaller blocks, and nodes that read no others' rows send each other nothing any more; where all rows are
// read it was in vain, and the pages get their blocks back.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.adapted | %check %s
// RUN: %check --check-prefix=ADAPTED --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_ADAPT=0 %run -n 2 -t 1 --stats %t 2>%t.kept | %check %s
// RUN: %check --check-prefix=KEPT --input-file=%t.json %s
// RUN: env OMPDSM_ADAPT=1 %run -n 3 -t 2 --provider tcp %t | %check %s
// RUN: env OMPDSM_ADAPT=1 OMPDSM_MIGRATE=0 OMPDSM_BLOCK_LARGE=4096 %run -n 4 -t 1 %t | %check %s
// ADAPTED: "pages_resized": {{[1-9]}}
// ADAPTED-NEXT: "blocks_migrated": {{[1-9]}}
// KEPT-NOT: "pages_resized": {{[1-9]}}
#include <stdio.h>

enum { Rows = 128, Columns = 64, Steps = 400 };
static unsigned own[Rows][Columns], shared[Rows][Columns], next[Rows][Columns];

int main(void) {
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      own[i][j] = shared[i][j] = (unsigned)(i * 31 + j);
  for (int step = 0; step < Steps; step++) {
#pragma omp parallel for schedule(static, 1)
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Columns; j++)
        own[i][j] = own[i][j] * 3 + (unsigned)j;
    if (step % 4 == 0) {
#pragma omp parallel for schedule(static, 1)
      for (int i = 0; i < Rows; i++)
        for (int j = 0; j < Columns; j++)
          next[i][j] = shared[(i + 1) % Rows][j] + shared[(i + Rows - 1) % Rows][j];
#pragma omp parallel for schedule(static, 1)
      for (int i = 0; i < Rows; i++)
        for (int j = 0; j < Columns; j++)
          shared[i][j] = next[i][j];
    }
  }
  unsigned sum = 0, expected = 0;
  static unsigned a[Rows][Columns], b[Rows][Columns], c[Rows][Columns];
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++)
      a[i][j] = b[i][j] = (unsigned)(i * 31 + j);
  for (int step = 0; step < Steps; step++) {
    for (int i = 0; i < Rows; i++)
      for (int j = 0; j < Columns; j++)
        a[i][j] = a[i][j] * 3 + (unsigned)j;
    for (int i = 0; i < Rows && step % 4 == 0; i++)
      for (int j = 0; j < Columns; j++)
        c[i][j] = b[(i + 1) % Rows][j] + b[(i + Rows - 1) % Rows][j];
    for (int i = 0; i < Rows && step % 4 == 0; i++)
      for (int j = 0; j < Columns; j++)
        b[i][j] = c[i][j];
  }
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < Columns; j++) {
      sum = sum * 31 + own[i][j] + 7 * shared[i][j];
      expected = expected * 31 + a[i][j] + 7 * b[i][j];
    }
  // CHECK: right
  puts(sum == expected ? "right" : "wrong");
  return 0;
}
