// What no loop comes to of an object is fetched, once, if nobody has ever written there, and then the loop goes without
// checks; but not if another node writes there, though its rows begin with zeros.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t 0 | %check %s
// RUN: %check --check-prefix=UNUSED --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t 1 | %check %s
// RUN: %check --check-prefix=USED --input-file=%t.json %s
// Of 512 blocks.
// UNUSED: "node": 1,
// UNUSED-NEXT: "read_misses"
// UNUSED-NEXT: "write_misses"
// UNUSED-NEXT: "blocks_fetched": {{[5-9][0-9][0-9]}},
// USED: "node": 1,
// USED-NEXT: "read_misses"
// USED-NEXT: "write_misses"
// USED-NEXT: "blocks_fetched": {{1?[0-9]?[0-9]}},
// CHECK: ok
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Rows = 256, Width = 1024, Rim = 16, Read = 4, Rounds = 12, Steps = 2000 };

int main(int argc, char **argv) {
  const int isUsed = argc > 1 && atoi(argv[1]);
  int (*const rows)[Width] = calloc(Rows, sizeof *rows);
  int *const next = malloc(Read * Width * sizeof *next);
  for (int i = 0; i < Read * Width; i++)
    next[i] = (i * 5 + 3) % (Read * Width);
  long wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (int round = 1; round <= Rounds; round++) {
    if (omp_get_thread_num() == 0)
      for (int row = 0; row < (isUsed ? Rows : Read); row++)
        for (int column = Rim; column < Width - Rim; column++)
          rows[row][column] = round + column;
#pragma omp barrier
    const int *const all = rows[0];
    long sum = 0, expected = 0;
    for (int i = 0; i < Steps; i++) {
      const int at = next[i];
      sum += all[at];
      const int column = at % Width;
      expected += column >= Rim && column < Width - Rim ? round + column : 0;
    }
    wrong += sum != expected;
#pragma omp barrier
  }
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
