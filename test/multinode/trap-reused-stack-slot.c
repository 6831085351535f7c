// Trap 11: a stack slot is used again. Other threads have read a shared variable x = 3 there; then
// the slot holds a private variable with the value 5, whose stores nobody tracks; then a new shared
// variable that is assigned 5, a store that changes nothing. The others must read 5.
#include "report.h"
#include <omp.h>

enum { Rounds = 20, Slots = 96 };

__attribute__((noinline)) static void sharedSlots(int value, const char *what) {
  int slots[Slots];
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i % 4;
#pragma omp parallel
  for (int i = 0; i < Slots; i++)
    expectInteger(what, i, value + i % 4, slots[i]);
}

__attribute__((noinline)) static long privateSlots(int value) {
  volatile int slots[Slots];
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i % 4;
  long sum = 0;
  for (int i = 0; i < Slots; i++)
    sum += slots[i];
  return sum;
}

static int *published[64];

// In a team: every thread publishes its slots and reads those of the next thread.
__attribute__((noinline)) static void publishedSlots(int value, int me, int threads) {
  int slots[Slots];
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i % 4;
  published[me] = slots;
#pragma omp barrier
  const int *other = published[(me + 1) % threads];
  for (int i = 0; i < Slots; i++)
    expectInteger("published variable", i, value + i % 4, other[i]);
#pragma omp barrier
}

int main(void) {
  const long steps = Slots / 4 * 6; // what the i % 4 add up to
  for (int round = 0; round < Rounds; round++) {
    const int before = 3 + 4 * round, after = 5 + 8 * round;
    sharedSlots(before, "first variable");
    expectInteger("private variable", round, (long)Slots * after + steps, privateSlots(after));
    sharedSlots(after, "variable in the slot used again");
  }
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    for (int round = 0; round < Rounds; round++) {
      publishedSlots(3 * round, me, threads);
      expectInteger("private sum", me, (long)Slots * (3 * round + 5) + steps,
                    privateSlots(3 * round + 5));
      publishedSlots(3 * round + 5, me, threads);
    }
  }
  return finish();
}
