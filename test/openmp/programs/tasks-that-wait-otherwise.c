// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// Undeferred tasks wait for children of their own; a task is waited for by yielding; a task that others complete;
// and many regions with few tasks, of which each node sees the end.
#include "check.h"
#include <omp.h>

static void spend(void) {
  for (volatile int k = 0; k < 50000;)
    k = k + 1;
}

/// A task that was made before wants the lock that an undeferred one holds while it waits for its child.
static int undeferred(omp_lock_t *lock) {
  int before = 0, child = 0, seen = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_set_lock(lock);
    int held = 1;
    for (int i = 0; i < 4; i++) {
#pragma omp task shared(before)
      {
        spend();
        omp_set_lock(lock);
        before++;
        omp_unset_lock(lock);
      }
    }
#pragma omp task if (0) shared(child, held, seen)
    {
#pragma omp task shared(child)
      {
        spend();
        child = 5;
      }
#pragma omp taskwait
      seen = child;
      omp_unset_lock(lock);
      held = 0;
    }
    if (held)
      omp_unset_lock(lock);
  }
  return seen + before;
}

/// The thread gives up its turn until its task has been executed, by whomever.
static int yielding(void) {
  int rounds = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 20; round++) {
    int done = 0, seen;
#pragma omp task shared(done)
    {
      spend();
#pragma omp atomic write
      done = 1;
    }
    do {
#pragma omp taskyield
#pragma omp atomic read
      seen = done;
    } while (!seen);
    rounds++;
  }
  return rounds;
}

/// A task ends when another one says so.
static int completed(void) {
  int order = 0, behind = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 8; round++) {
    omp_event_handle_t event;
    int first = 0;
#pragma omp task detach(event) depend(out : first) shared(first)
    first = 1;
#pragma omp task firstprivate(event)
    {
      spend();
      omp_fulfill_event(event);
    }
#pragma omp task depend(in : first) shared(behind, first)
    {
#pragma omp atomic
      behind += first;
    }
#pragma omp taskwait
    order++;
  }
  return order + behind;
}

static int inRegions(void) {
  int total = 0;
  for (int region = 0; region < 100; region++) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task shared(total)
      {
        spend();
#pragma omp atomic
        total++;
      }
    }
  }
  return total;
}

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  EXPECT_EQUAL(5 + 4, undeferred(&lock));
  omp_destroy_lock(&lock);
  EXPECT_EQUAL(20, yielding());
  EXPECT_EQUAL(16, completed());
  EXPECT_EQUAL(600, inRegions());
  return checkResult();
}
