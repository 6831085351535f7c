// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// A task waits for its children while it holds a lock that other tasks want: a thread executes nothing meanwhile
// that does not descend from what it waits for, on whatever nodes these are.
#include "check.h"
#include <omp.h>

enum { Tasks = 24, Children = 4 };
static omp_lock_t lock;
static int sum, inside, most;

static void spend(void) {
  for (volatile int k = 0; k < 60000;)
    k = k + 1;
}

static void holder(int number) {
  spend();
  omp_set_lock(&lock);
  inside++;
  if (inside > most)
    most = inside;
  int parts[Children];
  for (int child = 0; child < Children; child++) {
#pragma omp task shared(parts)
    {
      spend();
      parts[child] = number * child;
    }
  }
#pragma omp taskwait
  for (int child = 0; child < Children; child++)
    sum += parts[child];
  inside--;
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < Tasks; i++) {
#pragma omp task
    holder(i);
  }
  EXPECT_EQUAL(Tasks * (Tasks - 1) / 2 * (Children * (Children - 1) / 2), sum);
  EXPECT_EQUAL(1, most);
  omp_destroy_lock(&lock);
  return checkResult();
}
