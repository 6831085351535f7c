// cells.c: forces between particles with a cut-off, by cells that hold linked lists of particles,
// and leapfrog steps.
//
// (Hockney, Eastwood: Computer simulation using particles, 1981, chapter 8.) Particles are
// structures; head[cell] and next[particle] are indices. Cells are as wide as the cut-off, the box
// is periodic.
#include <math.h>

#include "kernel.h"

struct Particle {
  double position[3], velocity[3], force[3];
};

struct System {
  int count, side; // cells in each direction, of width 1
  struct Particle *particles;
  int *head, *next;
};

static int cellOf(const struct System *s, const double position[3]) {
  int cell = 0;
  for (int d = 0; d < 3; d++) {
    const int c = (int)position[d];
    cell = cell * s->side + (c < s->side ? c : s->side - 1);
  }
  return cell;
}

static void start(struct System *s) {
  s->particles = allocate((size_t)s->count, sizeof *s->particles);
  s->head = allocate((size_t)s->side * (size_t)s->side * (size_t)s->side, sizeof *s->head);
  s->next = allocate((size_t)s->count, sizeof *s->next);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->count; i++)
    for (int d = 0; d < 3; d++) {
      s->particles[i].position[d] = s->side * randomUnit(6 * (uint64_t)i + (uint64_t)d);
      s->particles[i].velocity[d] = randomUnit(6 * (uint64_t)i + 3 + (uint64_t)d) - 0.5;
    }
}

static void sortIntoCells(struct System *s) {
  for (int c = 0; c < s->side * s->side * s->side; c++)
    s->head[c] = -1;
  for (int i = s->count - 1; i >= 0; i--) {
    const int c = cellOf(s, s->particles[i].position);
    s->next[i] = s->head[c];
    s->head[c] = i;
  }
}

// A soft repulsion, (1 - r)^2 / r along the distance, 0 from r = 1 on.
static void addForce(const struct System *s, const struct Particle *a, const struct Particle *b,
                     double force[3]) {
  double d[3], square = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = a->position[k] - b->position[k];
    if (d[k] > 0.5 * s->side)
      d[k] -= s->side;
    else if (d[k] < -0.5 * s->side)
      d[k] += s->side;
    square += d[k] * d[k];
  }
  if (square >= 1 || square == 0)
    return;
  const double r = sqrt(square), factor = (1 - r) * (1 - r) / r;
  for (int k = 0; k < 3; k++)
    force[k] += factor * d[k];
}

static void computeForces(struct System *s) {
  const int side = s->side;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->count; i++) {
    struct Particle *p = &s->particles[i];
    const int cell = cellOf(s, p->position), x = cell / (side * side), y = cell / side % side,
              z = cell % side;
    p->force[0] = p->force[1] = p->force[2] = 0;
    for (int dx = -1; dx <= 1; dx++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dz = -1; dz <= 1; dz++) {
          const int other = ((x + dx + side) % side * side + (y + dy + side) % side) * side +
                            (z + dz + side) % side;
          for (int j = s->head[other]; j >= 0; j = s->next[j])
            addForce(s, p, &s->particles[j], p->force);
        }
  }
}

static void move(struct System *s, double dt) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->count; i++) {
    struct Particle *p = &s->particles[i];
    for (int d = 0; d < 3; d++) {
      p->velocity[d] += dt * p->force[d];
      p->position[d] += dt * p->velocity[d];
      if (p->position[d] < 0)
        p->position[d] += s->side;
      if (p->position[d] >= s->side)
        p->position[d] -= s->side;
    }
  }
}

/// The largest difference of some forces from those that all pairs give.
static double errorOfSome(const struct System *s) {
  double worst = 0;
  for (int i = 0; i < s->count; i += s->count / 16) {
    double force[3] = {0, 0, 0};
    for (int j = 0; j < s->count; j++)
      addForce(s, &s->particles[i], &s->particles[j], force);
    for (int d = 0; d < 3; d++)
      worst = fmax(worst, fabs(force[d] - s->particles[i].force[d]));
  }
  return worst;
}

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), side = small ? 5 : 14, steps = small ? 3 : 30;
  struct System s = {4 * side * side * side, side, NULL, NULL, NULL};
  start(&s);
  for (int t = 0; t < steps; t++) {
    sortIntoCells(&s);
    computeForces(&s);
    if (t + 1 < steps)
      move(&s, 0.01);
  }
  return conclude(hashDoubles((double *)s.particles, (size_t)s.count * 9), errorOfSome(&s) < 1e-11);
}
