// barnes.omp.c: gravitation by a tree, one persistent parallel region. One thread builds the tree,
// all walk through it for the bodies that are dealt to them.
#include "barnes.h"

struct System {
  int count;
  struct Body *bodies;
  struct Velocity *velocities;
};

static struct Tree tree;

static struct System makeSystem(int count) {
  struct System s = {count, allocate((size_t)count, sizeof(struct Body)),
                     allocate((size_t)count, sizeof(struct Velocity))};
  tree = makeTree(count);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < count; i++)
    makeBody(count, i, &s.bodies[i], &s.velocities[i]);
  return s;
}

static void iterate(const struct System *s, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
#pragma omp single
    buildTree(&tree, s->bodies);
#pragma omp for schedule(static)
    for (int i = 0; i < s->count; i++) {
      accelerate(&tree, &s->bodies[i], &s->velocities[i]);
      move(&s->bodies[i], &s->velocities[i]); // the tree has copies
    }
  }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct System s = makeSystem(bodyCounts[arguments.size]);
  iterate(&s, 1);
  const double start = wallSeconds();
  iterate(&s, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double sums[2] = {0, 0};
#pragma omp parallel for schedule(static) reduction(+ : sums)
  for (int i = 0; i < s.count; i++)
    addBody(&s.bodies[i], &s.velocities[i], sums);
  report(arguments.rounds, seconds, sums, 2);
  return 0;
}
