// A recursive search gets its state by a pointer to the caller's stack, and the state points to
// other objects there, which only their thread can reach; to an array of the first node's stack,
// which all read and change; and, in every other search, to one that the thread has shown to
// others.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Depth = 9, Places = 24, Rounds = 8, Most = 64 };

struct Costs {
  int step[Places], turn[Places];
};

struct State {
  const struct Costs *costs; ///< Of the thread's own stack.
  const long *limits;        ///< Shared, on the first node's stack.
  long *found;               ///< Own, or shown to others.
  long best;
  void (*visit)(void *context, int place); ///< Or null.
  void *context;
};

static long *shown[Most]; // Objects of the threads' stacks.

__attribute__((noinline)) static void search(struct State *s, int depth, int place, long cost) {
  if (cost >= s->best || cost > s->limits[place])
    return;
  if (s->visit)
    s->visit(s->context, place);
  if (depth == Depth) {
    s->best = cost;
    s->found[place % 4] += cost;
    return;
  }
  search(s, depth + 1, (place * 5 + 1) % Places, cost + s->costs->step[place]);
  search(s, depth + 1, (place * 7 + 3) % Places, cost + s->costs->turn[place]);
}

static void count(void *context, int place) {
  long *const visits = context;
#pragma omp atomic
  visits[place]++;
}

int main(void) {
  long limits[Places], visits[Places] = {0}; // On the first node's stack.
  for (int k = 0; k < Places; k++)
    limits[k] = 1000;
  long answer = 0;
  for (int round = 1; round <= Rounds; round++) {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      const int me = omp_get_thread_num(), threads = omp_get_num_threads();
      struct Costs costs;
      for (int k = 0; k < Places; k++) {
        costs.step[k] = 1 + k * round % 7;
        costs.turn[k] = 2 + k * round % 5;
      }
      long own[4] = {0}, others[4] = {0};
      struct State s = {&costs, limits, own, 100000, NULL, NULL};
      search(&s, 0, round, 0);
      struct State t = {&costs, limits, others, 100000, count, visits};
      shown[me % Most] = others;
#pragma omp barrier
      if (me == 0)
        search(&t, 0, round + 1, 0);
#pragma omp barrier
      // What the first thread has found, by what it has shown.
      const long *const first = shown[0];
      for (int k = 0; k < 4; k++)
        sum += own[k] + (me == threads - 1 ? first[k] : 0);
      sum -= me == 0 ? 0 : own[0] + own[1] + own[2] + own[3];
#pragma omp barrier
      for (int k = me; k < Places; k += threads) // Written by all, and read in the next round.
        limits[k] = 1000 - (k * 13 + round * 29) % 40 * 24;
    }
    answer = (answer * 31 + sum) % 1000003;
  }
  for (int k = 0; k < Places; k++)
    answer = (answer * 17 + visits[k]) % 1000003;
  expectInteger("answer", 0, 995979, answer);
  return finish();
}
