// What is written in several phases and gathered behind the last one, here and there, is sent there, or (without
// OMPDSM_PUSH_SITES) asked for with the arrival at the barrier before it: after some rounds no thread waits for a round
// trip but to notice that it is read.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.supplied | %check %s
// RUN: %check --check-prefix=EXPECTED --input-file=%t.supplied %s
// RUN: %check --check-prefix=SUPPLIED --input-file=%t.json %s
// RUN: env OMPDSM_PUSH_SITES=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.expected | %check %s
// RUN: %check --check-prefix=EXPECTED --input-file=%t.expected %s
// RUN: %check --check-prefix=JSON --input-file=%t.json %s
// RUN: env OMPDSM_PUSH_SITES=0 OMPDSM_PREDICT=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 --stats %t 2>%t.missed | %check %s
// RUN: %check --check-prefix=MISSED --input-file=%t.missed %s
// RUN: %check --check-prefix=NONE --input-file=%t.json %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
// Read misses of node 1, of some 6 in each of 400 rounds; what is expected is watched now and then.
// EXPECTED: {{^ompdsm: +1 +[0-9]{1,3} }}
// MISSED: {{^ompdsm: +1 +[1-9][0-9]{3} }}
// SUPPLIED: "site_reads":
// SUPPLIED: "changes_withheld": {{[1-9][0-9]+}}
// SUPPLIED: "blocks_supplied": {{[1-9][0-9]+}}
// JSON: "get_behind":
// JSON: "changes_withheld": 0,
// JSON: "blocks_expected": {{[1-9][0-9]+}}
// NONE-NOT: "get_behind":
// NONE: "blocks_expected": 0
#include <stdio.h>
#include <stdlib.h>

enum { Blocks = 64, Longs = 256, Phases = 3 }; // blocks of 2 KiB
static long field[Blocks][Longs];
static int chosen[Blocks];

static long valueOf(int block, int round) { return block * 100003L + round * 17L; }

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 400;
  for (int i = 0; i < Blocks; i++)
    chosen[i] = i * 37 % Blocks;
  long wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  for (int round = 0; round < rounds; round++) {
    for (int phase = 0; phase < Phases; phase++) {
#pragma omp for schedule(static)
      for (int block = 0; block < Blocks; block++)
        for (int i = 0; i < Longs; i++)
          field[block][i] = valueOf(block, round) + phase;
#pragma omp barrier
    }
#pragma omp barrier
#pragma omp for schedule(static)
    for (int i = 0; i < Blocks; i += 2) {
      const int block = chosen[i];
      wrong += field[block][block] != valueOf(block, round) + Phases - 1;
    }
  }
  printf("wrong %ld\n", wrong); // CHECK: wrong 0
  return 0;
}
