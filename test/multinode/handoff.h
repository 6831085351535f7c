// handoff.h: hands the turn from thread to thread through a flag, as OpenMP programs write it.
// passTurn publishes all that the thread wrote before; waitForTurn sees it. The flag is the only
// shared object that both touch at the same time, and both do it with atomics.
#ifndef HANDOFF_H
#define HANDOFF_H
#include <sched.h>

static inline void passTurn(int *turn, int value) {
#pragma omp atomic write release
  *turn = value;
}

static inline int readTurn(int *turn) {
  int now;
#pragma omp atomic read acquire
  now = *turn;
  return now;
}

/// Waits until the turn is exactly `value`.
static inline void waitForTurn(int *turn, int value) {
  while (readTurn(turn) != value)
    sched_yield();
}

/// Waits until the turn is `value` or later; for turns that only grow.
static inline void waitUntilTurn(int *turn, int value) {
  while (readTurn(turn) < value)
    sched_yield();
}

#endif
