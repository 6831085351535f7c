// A lock stays at the node that had it last: threads that take their own locks again and again send no
// messages for it. Another node gets it when it asks, by an attempt, too.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 3 -t 1 --stats %t 2>%t.stats | %check %s
// RUN: %check --check-prefix=FEW --input-file=%t.stats %s
// RUN: %run -n 2 -t 2 --provider tcp %t | %check %s
// The number of messages: 30,000 acquisitions on each node, below 10,000 messages.
// FEW-DAG: {{^ompdsm: +1( +[0-9.]+){3} +[0-9]{1,4} }}
// FEW-DAG: {{^ompdsm: +2( +[0-9.]+){3} +[0-9]{1,4} }}
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MaxThreads = 16, Rounds = 30000, MoreLocks = 20000 };
static omp_lock_t own[MaxThreads], shared, many[MoreLocks];

int main(void) {
  const int threads = omp_get_max_threads();
  long sum = 0, tries = 0, counted = 0;
  for (int i = 0; i < MaxThreads; i++)
    omp_init_lock(&own[i]);
  omp_init_lock(&shared);
#pragma omp parallel reduction(+ : sum, tries)
  {
    const int me = omp_get_thread_num();
    long *const count = malloc(8192); // Its own memory.
    *count = 0;
    for (int i = 0; i < Rounds; i++) {
      omp_set_lock(&own[me]);
      ++*count;
      omp_unset_lock(&own[me]);
    }
    sum += *count;
    free(count);
    // A lock that another node keeps is free: the first attempt of all gets it.
#pragma omp barrier
    for (int turn = 0; turn < omp_get_num_threads(); turn++) {
      if (turn == me && omp_test_lock(&own[(me + 1) % omp_get_num_threads()])) {
        tries++;
        omp_unset_lock(&own[(me + 1) % omp_get_num_threads()]);
      }
#pragma omp barrier
    }
    for (int i = 0; i < 100; i++) {
      omp_set_lock(&shared);
      counted++;
      omp_unset_lock(&shared);
    }
  }
  // More than a node keeps: the oldest go back.
  for (int i = 0; i < MoreLocks; i++) {
    omp_init_lock(&many[i]);
    omp_set_lock(&many[i]);
    omp_unset_lock(&many[i]);
  }
#pragma omp parallel for reduction(+ : tries)
  for (int i = 0; i < MoreLocks; i += 500) {
    tries += omp_test_lock(&many[i]) != 0;
    omp_unset_lock(&many[i]);
  }
  printf("own %d tries %d shared %d\n", sum == (long)Rounds * threads,
         tries == threads + MoreLocks / 500, counted == 100L * threads);
  // CHECK: own 1 tries 1 shared 1
  return 0;
}
