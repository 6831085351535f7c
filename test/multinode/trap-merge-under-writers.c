// Trap 5: a block is fetched again while threads of the node write to it. The merge may copy only
// the bytes that changed elsewhere. Half of the threads write their own bytes all the time; the
// others pass a token that lies, with a payload, between those bytes, so that every pass makes
// their node fetch the block again.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Width = 64, Rows = 8, Passes = 40, Repeats = 120 };

static unsigned char cells[Rows]
                          [2 * Width]; // thread t owns column 2t; the odd columns are the payload
static int token;

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int passers = threads / 2; // odd threads
    if (me % 2 == 0 || passers == 0) {
      for (int repeat = 1; repeat <= Repeats; repeat++) {
        for (int row = 0; row < Rows; row++)
          cells[row][2 * me] = (unsigned char)(repeat + row);
        for (int row = 0; row < Rows; row++)
          expectInteger("own byte in the interval", row, (unsigned char)(repeat + row),
                        cells[row][2 * me]);
      }
    } else {
      for (int pass = me / 2; pass < Passes; pass += passers) {
        waitUntilTurn(&token, pass);
        for (int row = 0; row < Rows; row++)
          for (int column = 1; column < 2 * Width; column += 16) {
            expectInteger("payload", pass, pass, cells[row][column]);
            cells[row][column] = (unsigned char)(pass + 1);
          }
        for (int row = 0; row < Rows; row++)
          cells[row][2 * me] = (unsigned char)(Repeats + row);
        passTurn(&token, pass + 1);
      }
    }
#pragma omp barrier
    for (int t = 0; t < threads; t++)
      if (t % 2 == 0 || t / 2 < Passes)
        for (int row = 0; row < Rows; row++)
          expectInteger("byte after the barrier", t, (unsigned char)(Repeats + row),
                        cells[row][2 * t]);
  }
  return finish();
}
