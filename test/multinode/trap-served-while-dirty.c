// Trap 10: the writer changes b from 0 to 1 in an interval; another node fetches the same block
// because of a neighbouring byte, and gets the 1; the writer changes b back to 0 before it
// releases. The other must read 0 after the synchronisation, although b has not changed between the
// writer's two releases. The reader touches the neighbour while the writer is between its two
// stores; relaxed flags say when.
#include "report.h"
#include <omp.h>
#include <sched.h>

enum { Stride = 8192 };

static void raise(int *flag, int value) {
#pragma omp atomic write
  *flag = value;
}

static void await(int *flag, int value) {
  for (int now = 0;;) {
#pragma omp atomic read
    now = *flag;
    if (now >= value)
      return;
    sched_yield();
  }
}

int main(void) {
  const int team = omp_get_max_threads(), rounds = 3 * team;
  static int written, fetched;
  volatile char *bytes[64] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    char *mine = calloc(1, Stride);
    bytes[me % 64] = mine;
#pragma omp barrier
    for (int round = 1; round <= rounds; round++) {
      const int writer = round % threads, reader = (round + 1 + round / threads) % threads;
      volatile char *b = bytes[writer % 64] + 16 * (round % 100); // home: the writer's node
      if (me == writer) {
        b[0] = 1;
        if (reader != writer) {
          raise(&written, round);
          await(&fetched, round);
        }
        b[0] = 0;
      } else if (me == reader) {
        await(&written, round);
        const char neighbour = b[1];
        expectInteger("neighbour", round, 0, neighbour);
        raise(&fetched, round);
      }
#pragma omp barrier
      expectInteger("byte written back", round, 0, b[0]);
#pragma omp barrier
    }
#pragma omp barrier
    free(mine);
  }
  return finish();
}
