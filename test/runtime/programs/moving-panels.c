// Elimination by rows that are dealt in turn: each step reads another row, which its owner has just made, and each
// matrix begins again elsewhere. After some steps rows are ordered a visit ahead, and come with their owner's
// arrival: few are asked for. With REGIONS each step is a region of its own, and its row comes with the end of the one
// before.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=ORDERED --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json OMPDSM_PUSH=0 %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=ASKED --input-file=%t.json %s
// RUN: %run -n 3 -t 2 %t | %check %s
// RUN: %cc -O2 -DREGIONS %s -o %t.regions
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t.regions | %check %s
// RUN: %check --check-prefix=ORDERED --input-file=%t.json %s
// RUN: %run -n 3 -t 2 --fault delay=0..200us,seed=6 %t.regions 1 | %check %s
// RUN: %run -n 4 -t 1 --provider tcp %t | %check %s
// RUN: %run -n 3 -t 1 --fault delay=0..200us,seed=5 %t 1 | %check %s
// ORDERED: "order": {{[1-9][0-9][0-9]}}
// ORDERED: "blocks_supplied": {{[5-9][0-9][0-9]|[1-9][0-9][0-9][0-9]}}
// ASKED-NOT: "order":
// ASKED: "get_behind": {{[1-9][0-9][0-9]}}
// ASKED: "blocks_supplied": 0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { Size = 160, Longs = Size * 8, Prime = 10007 }; // rows of 10 KiB
typedef int64_t Row[Longs];

static int64_t inverseOf(int64_t value) { // by Fermat
  int64_t result = 1;
  for (int power = Prime - 2; power != 0; power /= 2, value = value * value % Prime)
    if (power % 2)
      result = result * value % Prime;
  return result;
}

static void fill(Row *rows, int number) {
  for (int i = 0; i < Size; i++)
    for (int k = 0; k < Longs; k++)
      rows[i][k] = (i == k ? 4001 : 1 + (i * 31 + k * 17 + i * k % 13 + number) % 97);
}

static void subtract(const int64_t *pivot, int64_t *row, int k) {
  const int64_t factor = row[k] * inverseOf(pivot[k]) % Prime;
  for (int i = k; i < Longs; i++)
    row[i] = (row[i] + (Prime - factor) * pivot[i]) % Prime;
}

static void eliminate(Row *rows) {
#ifndef REGIONS
#pragma omp parallel
#endif
  for (int k = 0; k + 1 < Size; k++) {
#ifdef REGIONS
#pragma omp parallel for schedule(static, 1)
#else
#pragma omp for schedule(static, 1)
#endif
    for (int i = 0; i < Size; i++)
      if (i > k)
        subtract(rows[k], rows[i], k);
  }
}

static void eliminateAlone(Row *rows) {
  for (int k = 0; k + 1 < Size; k++)
    for (int i = k + 1; i < Size; i++)
      subtract(rows[k], rows[i], k);
}

int main(int argc, char **argv) {
  const int matrices = argc > 1 ? atoi(argv[1]) : 3;
  Row *const expected = malloc(sizeof(Row[Size])), *const rows = malloc((size_t)matrices * sizeof(Row[Size]));
  long wrong = 0;
  for (int number = 0; number < matrices; number++) {
    fill(expected, number);
    eliminateAlone(expected);
    Row *const mine = rows + number * Size;
    fill(mine, number);
    eliminate(mine);
    for (int i = 0; i < Size; i++)
      for (int k = 0; k < Longs; k++)
        wrong += mine[i][k] != expected[i][k];
  }
  printf("wrong %ld\n", wrong); // CHECK: wrong 0
  return 0;
}
