// Trap 6 again: a lock that goes to a thread of the same node leaves no release behind. Who gave it
// and then says so by an atomic operation, which needs no call where this node has the flag, must
// have released before: a thread elsewhere orders itself behind the flag.
#include "report.h"
#include <omp.h>
#include <sched.h>

enum { Rounds = 40, Numbers = 300, Patience = 2000 };

static long numbers[Numbers], handed;
static int inside, wanted, flag, seen;

static int read(const int *place) {
  int now;
#pragma omp atomic read
  now = *place;
  return now;
}
static void write(int *place, int value) {
#pragma omp atomic write
  *place = value;
}
static void await(const int *place, int value) {
  while (read(place) != value)
    sched_yield();
#pragma omp flush
}

/// Gives the lock to who waits for it, if somebody of this node has come to that by then.
static void giver(int round, int hasFollower) {
#pragma omp critical
  {
    write(&inside, round);
    if (hasFollower) {
      await(&wanted, round);
      for (int i = 0; i < Patience; i++)
        sched_yield();
    }
    for (int i = 0; i < Numbers; i++)
      numbers[i] = (long)round * Numbers + i;
  }
  write(&flag, round);
}
/// Keeps the lock until the reader is done, so that no release of its own helps.
static void follower(int round, int hasReader) {
  await(&inside, round);
  write(&wanted, round);
#pragma omp critical
  {
    handed++;
    if (hasReader)
      await(&seen, round);
  }
}
static void reader(int round) {
  await(&flag, round);
  for (int i = 0; i < Numbers; i++)
    expectInteger("number", i, (long)round * Numbers + i, numbers[i]);
  write(&seen, round);
}

int main(void) {
  int threads = 1;
#pragma omp parallel
  {
    const int self = omp_get_thread_num(), count = omp_get_num_threads();
#pragma omp single
    threads = count;
    for (int round = 1; round <= Rounds; round++) {
      if (self == 0)
        giver(round, count > 1);
      if (self == 1)
        follower(round, count > 2);
      if (self == count - 1)
        reader(round);
#pragma omp barrier
    }
  }
  expectInteger("times that the lock was given", 0, threads > 1 ? Rounds : 0, handed);
  return finish();
}
