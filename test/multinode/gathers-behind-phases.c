// Arrays that are written in several phases and gathered behind some of them, here and there: behind barriers of one
// region and behind the beginning of others. Who reads what stays the same for some rounds, and then changes.
#include "report.h"
#include <omp.h>

enum { Blocks = 24, Longs = 256, Rounds = 40, Period = 12 }; // of 2 KiB

static long field[Blocks][Longs], sums[Blocks];

static long valueOf(int block, int i, int round) { return block * 1000003L + i * 101L + round; }

/// What index k reads in a round.
static int blockOf(int k, int round) { return (k * 7 + round / Period * 5 + 3) % Blocks; }
static int placeOf(int k, int round) { return (k * 31 + round / Period) % Longs; }

static void write(int round, long phase) {
#pragma omp for schedule(static)
  for (int block = 0; block < Blocks; block++)
    for (int i = 0; i < Longs; i++)
      field[block][i] = valueOf(block, i, round) + phase;
}

static void gather(int round, long phase) {
#pragma omp for schedule(static)
  for (int k = 0; k < Blocks; k++) {
    const int block = blockOf(k, round), i = placeOf(k, round);
    sums[k] += field[block][i];
    expectInteger("gathered", block, valueOf(block, i, round) + phase, field[block][i]);
  }
}

int main(void) {
  long expected[Blocks] = {0};
#pragma omp parallel
  for (int round = 0; round < Rounds; round++) {
    write(round, 1);
    write(round, 2);
#pragma omp barrier
    gather(round, 2);
    write(round, 3);
  }
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    write(round, 4);
#pragma omp parallel
    write(round, 5);
#pragma omp parallel
    gather(round, 5);
  }
  for (int round = 0; round < Rounds; round++)
    for (int k = 0; k < Blocks; k++)
      expected[k] += 2 * valueOf(blockOf(k, round), placeOf(k, round), round) + 2 + 5;
  for (int k = 0; k < Blocks; k++)
    expectInteger("sum", k, expected[k], sums[k]);
  return finish();
}
