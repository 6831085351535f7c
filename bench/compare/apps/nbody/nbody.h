// nbody.h: the problem of nbody: gravitation of all pairs, softened, with the leapfrog method.
// Bodies lie in tiles, so that a tile's coordinates are contiguous and loops over them use vectors.
//
// bench/compare: irregular, tolerance 1e-10
#ifndef OMPDSM_BENCH_COMPARE_NBODY_H
#define OMPDSM_BENCH_COMPARE_NBODY_H

#include "../program.h"

enum { TileBodies = 64 };
#define TimeStep 1e-3
#define Softening2 1e-2 ///< Square of the softening length.

struct Tile {
  double x[TileBodies], y[TileBodies], z[TileBodies], mass[TileBodies];
};
struct Motion {
  double x[TileBodies], y[TileBodies], z[TileBodies];
};

static const int tileCounts[SizeClasses] = {6, 24, 72};
static const int defaultRounds[SizeClasses] = {3, 10, 24};

/// Positions in the unit cube, small velocities, masses that add up to about 1.
static inline void makeTile(int tiles, int tile, struct Tile *bodies, struct Motion *motion) {
  for (int i = 0; i < TileBodies; i++) {
    const uint64_t index = 8 * ((uint64_t)tile * TileBodies + (uint64_t)i);
    bodies->x[i] = randomUnit(index);
    bodies->y[i] = randomUnit(index + 1);
    bodies->z[i] = randomUnit(index + 2);
    bodies->mass[i] = (0.5 + randomUnit(index + 3)) / (tiles * TileBodies);
    motion->x[i] = 0.1 * (randomUnit(index + 4) - 0.5);
    motion->y[i] = 0.1 * (randomUnit(index + 5) - 0.5);
    motion->z[i] = 0.1 * (randomUnit(index + 6) - 0.5);
  }
}

/// Adds to the velocities of tile `mine` what all bodies do to it in one time step.
static inline void accelerate(int tiles, const struct Tile *restrict all, int mine,
                              struct Motion *restrict motion) {
  const struct Tile *const own = &all[mine];
  double ax[TileBodies] = {0}, ay[TileBodies] = {0}, az[TileBodies] = {0};
  for (int tile = 0; tile < tiles; tile++) {
    const struct Tile *const other = &all[tile];
    for (int j = 0; j < TileBodies; j++) {
      const double x = other->x[j], y = other->y[j], z = other->z[j], mass = other->mass[j];
      for (int i = 0; i < TileBodies; i++) {
        const double dx = x - own->x[i], dy = y - own->y[i], dz = z - own->z[i];
        const double square = dx * dx + dy * dy + dz * dz + Softening2;
        const double force = mass / (square * sqrt(square));
        ax[i] += force * dx;
        ay[i] += force * dy;
        az[i] += force * dz;
      }
    }
  }
  for (int i = 0; i < TileBodies; i++) {
    motion->x[i] += TimeStep * ax[i];
    motion->y[i] += TimeStep * ay[i];
    motion->z[i] += TimeStep * az[i];
  }
}

static inline void move(struct Tile *restrict bodies, const struct Motion *restrict motion) {
  for (int i = 0; i < TileBodies; i++) {
    bodies->x[i] += TimeStep * motion->x[i];
    bodies->y[i] += TimeStep * motion->y[i];
    bodies->z[i] += TimeStep * motion->z[i];
  }
}

/// Adds to the answer (squares of positions; kinetic energy) what one tile has.
static inline void addTile(const struct Tile *bodies, const struct Motion *motion, double sums[2]) {
  for (int i = 0; i < TileBodies; i++) {
    sums[0] +=
        bodies->x[i] * bodies->x[i] + bodies->y[i] * bodies->y[i] + bodies->z[i] * bodies->z[i];
    sums[1] += bodies->mass[i] * (motion->x[i] * motion->x[i] + motion->y[i] * motion->y[i] +
                                  motion->z[i] * motion->z[i]);
  }
}

#endif
