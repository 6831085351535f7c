// Every thread lends arrays on its own stack to the others, through several calls: they are filled,
// added up and passed on as pointers to pointers, while the owners wait in barriers.
#include "report.h"
#include <omp.h>

enum { Threads = 64, Length = 90, Rounds = 6 };

struct View {
  int *begin;
  int length;
  const struct View *neighbour;
};

static struct View *views[Threads];

static long add(const struct View *view) {
  long sum = 0;
  for (int i = 0; i < view->length; i++)
    sum += view->begin[i];
  return sum;
}

static void fill(struct View *view, int value) {
  for (int i = 0; i < view->length; i++)
    view->begin[i] = value + i;
}

__attribute__((noinline)) static void oneRound(int me, int threads, int round, long *result) {
  int local[Length + 3];
  struct View view = {local + 1, Length, NULL};
  local[0] = local[Length + 1] = local[Length + 2] = -1;
  views[me] = &view;
#pragma omp barrier
  const int right = (me + 1) % threads;
  view.neighbour = views[right];
  fill(views[right], 100 * me + round);
#pragma omp barrier
  const int left = (me + threads - 1) % threads;
  expectInteger("filled by the left thread", me, 100 * left + round, local[1]);
  expectInteger("last one", me, 100 * left + round + Length - 1, local[Length]);
  expectInteger("guard before", me, -1, local[0]);
  expectInteger("guard after", me, -1, local[Length + 1]);
  // The view's neighbour's neighbour: three stacks away.
  *result += add(view.neighbour->neighbour);
#pragma omp barrier
}

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    long result = 0, expected = 0;
    for (int round = 0; round < Rounds; round++) {
      oneRound(me, threads, round, &result);
      const int filler = (me + 1) % threads; // of the stack two to the right
      expected += (long)Length * (100 * filler + round) + Length * (Length - 1) / 2;
    }
    expectInteger("sum over the stacks", me, expected, result);
  }
  return finish();
}
