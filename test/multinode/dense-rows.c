// Each thread changes nearly all of its rows in every round, so that what it sends is whole blocks; the last elements of the
// rows belong to the next thread, which changes them in some rounds, in the same interval.
#include "report.h"
#include <omp.h>

enum { Width = 700, RowsEach = 6, Rounds = 60, MostThreads = 64, Guests = 2 };

static unsigned long long rows[MostThreads * RowsEach][Width]; // 5,600 bytes each: blocks lie across rows

/// All bytes differ from round to round.
static unsigned long long valueOf(int round, int row, int column) {
  return (round * 1000003ULL + (unsigned)(row * Width + column)) * 0x9e3779b97f4a7c15ULL;
}

/// The last round up to `round` in which the guest has written.
static int guestRound(int round) { return round - round % 5; }

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int mine = me * RowsEach, next = (me + 1) % threads * RowsEach;
    for (int round = 0; round < Rounds; round++) {
      for (int row = mine; row < mine + RowsEach; row++)
        for (int column = 0; column < Width - Guests; column++)
          rows[row][column] = valueOf(round, row, column);
      if (round % 5 == 0)
        for (int row = next; row < next + RowsEach; row++)
          for (int column = Width - Guests; column < Width; column++)
            rows[row][column] = valueOf(round, row, column);
#pragma omp barrier
      for (int row = 0; row < threads * RowsEach; row++)
        for (int column = 0; column < Width; column += column < Width - 4 ? 3 : 1) {
          const int last = column < Width - Guests ? round : guestRound(round);
          expectInteger("element", row * Width + column, (long long)valueOf(last, row, column),
                        (long long)rows[row][column]);
        }
#pragma omp barrier
    }
  }
  return finish();
}
