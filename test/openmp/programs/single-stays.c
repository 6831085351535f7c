// RUN: %build-c
// RUN: %on1 1 | grep -x ok
// RUN: %on2 2 | grep -x ok
// RUN: %on3 3 | grep -x ok
// RUN: env OMPDSM_SINGLE=0 %on3 | grep -x ok
// single: where a barrier follows, the first node executes it; without, who comes first
// does; and that holds as well where both are the same call.
#define _GNU_SOURCE
#include "check.h"
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

struct Location {
  int reserved1, flags, reserved2, reserved3;
  const char *source;
};
extern int __kmpc_global_thread_num(struct Location *);
extern int __kmpc_single(struct Location *, int thread);
extern void __kmpc_end_single(struct Location *, int thread);
extern void __kmpc_barrier(struct Location *, int thread);

enum { Rounds = 50, ImplicitBarrierOfSingle = 0x140 };
static struct Location plain = {0, 2, 0, 0, ";single-stays.c;enter;1;1;;"},
                       atBarrier = {0, 2 | ImplicitBarrierOfSingle, 0, 0, ";single-stays.c;enter;1;1;;"};

static int passed[Rounds], executed[Rounds];
static int who[Rounds];

/// A single construct that counts in `count`, without a barrier.
static void __attribute__((noinline)) enter(int *count) {
  const int thread = __kmpc_global_thread_num(&plain);
  if (__kmpc_single(&plain, thread)) {
#pragma omp atomic
    (*count)++;
    __kmpc_end_single(&plain, thread);
  }
}

static void waitFor(int *flag) {
  for (int seen = 0; !seen;) {
#pragma omp atomic read
    seen = *flag;
  }
}

/// `nodes`: if the first of so many keeps the constructs.
int main(int argc, char **argv) {
  const int nodes = argc > 1 ? atoi(argv[1]) : 1;
  int twice[2] = {0, 0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int first = (threads + nodes - 1) / nodes; // not threads of the first node, from here on
    for (int round = 0; round < Rounds; round++) {
      if (me < first && nodes > 1)
        usleep(500); // so that it would hardly ever be the first to come
#pragma omp single
      who[round] = me;
      if (nodes > 1 && who[round] >= first)
        abort();
      // The first thread comes last, or for ever.
      if (me == 0 && threads > 1)
        waitFor(&passed[round]);
#pragma omp single nowait
      {
#pragma omp atomic
        executed[round]++;
#pragma omp atomic write
        passed[round] = 1;
      }
#pragma omp barrier
    }
    for (int round = 0; round < Rounds; round++)
      if (executed[round] != 1)
        abort();
#pragma omp barrier
    // Seen with a barrier, and left to the first node without one, behind which others claim the next.
    enter(&twice[0]);
    __kmpc_barrier(&atBarrier, __kmpc_global_thread_num(&atBarrier));
    if (twice[0] != 1)
      abort();
#pragma omp barrier
#pragma omp masked
    passed[0] = 0;
#pragma omp barrier
    if (me == 0 && threads > 1)
      waitFor(&passed[0]);
    enter(&twice[1]);
#pragma omp single nowait
    {
#pragma omp atomic write
      passed[0] = 1;
    }
#pragma omp barrier
    if (twice[1] != 1)
      abort();
  }
  puts("ok");
  return 0;
}
