// Trap 12: a stack slot is used again, and this time it is the other node that stores. It still has
// a copy of the slot; meanwhile the slot's owner used it for frames and private variables, whose
// stores nobody tracks. What the other node now stores may differ from its own old copy in no byte,
// or in some bytes only, but the owner must find all of it. The arrays of variable length reach
// deeper every time, into what were frames of the OpenMP library before.
#include "report.h"
#include <omp.h>

enum { Rounds = 20, Slots = 96 };

__attribute__((noinline)) static void readBySlots(int value) {
  int slots[Slots];
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i;
#pragma omp parallel
  for (int i = 0; i < Slots; i++)
    expectInteger("variable of the owner", i, value + i, slots[i]);
}

__attribute__((noinline)) static long privateSlots(int value) {
  volatile int slots[Slots];
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i;
  long sum = 0;
  for (int i = 0; i < Slots; i++)
    sum += slots[i];
  return sum;
}

__attribute__((noinline)) static void writtenByTeam(int value) {
  int slots[Slots]; // not initialised: the team does that
#pragma omp parallel for schedule(static, 5)
  for (int i = 0; i < Slots; i++)
    slots[i] = value + i;
  for (int i = 0; i < Slots; i++)
    expectInteger("variable of the team", i, value + i, slots[i]);
}

__attribute__((noinline)) static void deeperArray(int length, int value) {
  int array[length];
#pragma omp parallel for
  for (int i = 0; i < length; i++)
    array[i] = value + i;
  for (int i = 0; i < length; i++)
    expectInteger("array of variable length", i, value + i, array[i]);
}

int main(void) {
  const long steps = (long)Slots * (Slots - 1) / 2;
  for (int round = 0; round < Rounds; round++) {
    const int value = 3 + 1000 * (round % 3);
    readBySlots(value);
    expectInteger("private sum", round, (long)Slots * (value + 77) + steps,
                  privateSlots(value + 77));
    writtenByTeam(value);
    deeperArray(10 + 13 * round, round);
  }
  return finish();
}
