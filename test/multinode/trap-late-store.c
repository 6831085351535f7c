// Trap 2: one thread stores in a long loop without synchronisation, under a permission that it got
// before the loop, while other threads of its node release, and other nodes write neighbouring
// bytes of the same blocks. The release of another thread may not end the collection of the stores
// that are still to come.
#include "report.h"
#include <omp.h>

enum { Rounds = 12, Width = 16, Rows = 96, Releases = 12, Repeats = 40 };

static unsigned char cells[Rows * Width]; // column t % Width of each row belongs to thread t
static long shared;

int main(void) {
  int team = 1;
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num();
#pragma omp single
      team = omp_get_num_threads();
      if (me < Width) {
        if ((me + round) % 2 == 0) { // the long interval
          for (int repeat = 1; repeat <= Repeats; repeat++)
            for (int row = 0; row < Rows; row++)
              cells[row * Width + me] = (unsigned char)(row + repeat + round + me);
        } else { // short intervals
          for (int k = 0; k < Releases; k++) {
            for (int row = k; row < Rows; row += Releases)
              cells[row * Width + me] = (unsigned char)(row + Repeats + round + me);
#pragma omp critical
            shared++;
          }
        }
      }
#pragma omp barrier
      const int columns = omp_get_num_threads() < Width ? omp_get_num_threads() : Width;
      for (int row = 0; row < Rows; row++)
        for (int column = 0; column < columns; column++)
          expectInteger("cell", row * Width + column,
                        (unsigned char)(row + Repeats + round + column),
                        cells[row * Width + column]);
    }
  }
  long expected = 0;
  const int columns = team < Width ? team : Width;
  for (int round = 0; round < Rounds; round++)
    for (int t = 0; t < columns; t++)
      expected += (t + round) % 2 ? Releases : 0;
  expectInteger("criticals", 0, expected, shared);
  return finish();
}
