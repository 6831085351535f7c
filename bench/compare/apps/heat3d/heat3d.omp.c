// heat3d.omp.c: heat conduction, one persistent parallel region, planes dealt statically.
#include "heat3d.h"

struct States {
  int inside;
  double *now, *next;
};

static struct States makeStates(int inside) {
  const size_t plane = planePoints(inside), all = plane * (size_t)(inside + 2);
  struct States s = {inside, allocate(all, sizeof(double)), allocate(all, sizeof(double))};
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int k = 1; k <= inside; k++) {
      fillPlane(inside, k, s.now + (size_t)k * plane);
      fillPlane(inside, k, s.next + (size_t)k * plane);
    }
#pragma omp single
    for (int k = 0; k <= inside + 1; k += inside + 1) {
      fillPlane(inside, k, s.now + (size_t)k * plane);
      fillPlane(inside, k, s.next + (size_t)k * plane);
    }
  }
  return s;
}

static void iterate(struct States *s, int rounds) {
  const int inside = s->inside;
  const size_t plane = planePoints(inside);
#pragma omp parallel
  {
    double *now = s->now, *next = s->next;
    for (int round = 0; round < rounds; round++) {
#pragma omp for schedule(static)
      for (int k = 1; k <= inside; k++) {
        const double *const same = now + (size_t)k * plane;
        stepPlane(inside, next + (size_t)k * plane, same - plane, same, same + plane);
      }
      double *const kept = now;
      now = next;
      next = kept;
    }
  }
  if (rounds % 2) {
    double *const kept = s->now;
    s->now = s->next;
    s->next = kept;
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct States s = makeStates(insides[arguments.size]);
  iterate(&s, 1);
  const double start = wallSeconds();
  iterate(&s, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0};
#pragma omp parallel for schedule(static) reduction(+ : sums)
  for (int k = 1; k <= s.inside; k++)
    addPlane(s.inside, k, s.now + (size_t)k * planePoints(s.inside), sums);
  report(arguments.rounds, seconds, sums, 2);
  free(s.now);
  free(s.next);
  return 0;
}
