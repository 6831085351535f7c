// Locks that a node takes in the same order again are asked for before they are wanted, several at once; nobody loses
// one by that: who tries a lock that no thread owns gets it, wherever it is on its way to.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=FEW --input-file=%t.json %s
// RUN: env OMPDSM_LOCKS_AHEAD=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=EACH --input-file=%t.json %s
// RUN: %run -n 3 -t 1 %t tries | %check %s
// RUN: %run -n 3 -t 2 --provider tcp %t tries | %check %s
// RUN: %run -n 2 -t 1 --fault delay=0..60us,seed=5 %t tries | %check %s
// Two nodes take 64 locks in turns, 40 times each: one in nine is waited for, but at first.
// FEW: "lock_waits": {{[1-9][0-9]?[0-9]?}},
// FEW: "lock_waits": {{[1-9][0-9]?[0-9]?}},
// EACH: "lock_waits": 2{{[0-9][0-9][0-9]}},
// EACH: "lock_waits": 2{{[0-9][0-9][0-9]}},
#include <omp.h>
#include <stdio.h>

enum { Locks = 64, Rounds = 40 };
static omp_lock_t locks[Locks];
static long values[Locks];

static void takeAll(int from, int to) {
  for (int i = from; i < to; i++) {
    omp_set_lock(&locks[i]);
    values[i]++;
    omp_unset_lock(&locks[i]);
  }
}

int main(int argc, char **argv) {
  const int tries = argc > 1;
  (void)argv;
  for (int i = 0; i < Locks; i++)
    omp_init_lock(&locks[i]);
  long failed = 0, taken = 0;
#pragma omp parallel reduction(+ : failed, taken)
  for (int round = 0; round < Rounds; round++) {
    const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
    // In every fifth round the first thread stops in the middle, and the last one tries the others meanwhile.
    const int isShort = tries && round % 5 == 4;
    if (me == 0) {
      takeAll(0, isShort ? Locks / 2 : Locks);
      taken += isShort ? Locks / 2 : Locks;
    }
    if (isShort && me == last)
      for (int i = Locks / 2; i < Locks; i++) {
        if (!omp_test_lock(&locks[i])) {
          failed++;
          continue;
        }
        values[i]++;
        taken++;
        omp_unset_lock(&locks[i]);
      }
#pragma omp barrier
    if (me == last) {
      takeAll(0, Locks);
      taken += Locks;
    }
#pragma omp barrier
  }
  long sum = 0;
  for (int i = 0; i < Locks; i++)
    sum += values[i];
  printf("failed %ld, %s\n", failed, sum == taken ? "right" : "wrong"); // CHECK: failed 0, right
  return 0;
}
