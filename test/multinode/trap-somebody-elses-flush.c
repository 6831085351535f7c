// Trap 6: thread u's release sends the bytes that thread t of the same node wrote, so t's own
// release finds nothing left to send, and must not end before those bytes have arrived. Thread t
// writes and raises a flag, its neighbours release all the time, and a reader that sees the flag
// must see the bytes.
#include "handoff.h"
#include "report.h"
#include <omp.h>

enum { Rounds = 30, Bytes = 700 };

static unsigned char data[Bytes + 64];
static int flag, done;
static long noise[64];

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
      const int writer = round % threads, reader = (writer + threads / 2) % threads;
      if (me == writer) {
        for (int i = 0; i < Bytes; i++)
          data[i] = (unsigned char)(i + round);
        passTurn(&flag, round + 1);
      }
      if (me == reader) {
        waitUntilTurn(&flag, round + 1);
        for (int i = 0; i < Bytes; i++)
          expectInteger("byte behind the flag", i, (unsigned char)(i + round), data[i]);
        passTurn(&done, round + 1);
      }
      if (me != writer && me != reader) {
        do {
          noise[me]++;
#pragma omp flush
          sched_yield();
        } while (readTurn(&done) < round + 1);
      }
#pragma omp barrier
    }
  }
  return finish();
}
