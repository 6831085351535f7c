// water.h: molecular dynamics of all pairs within a cut-off, each pair computed once, in a periodic
// box (the structure of Water-Nsquared of SPLASH-2, Woo et al., ISCA 1995, with one Lennard-Jones
// site for each molecule, in reduced units).
//
// bench/compare: irregular, tolerance 1e-9
#ifndef OMPDSM_BENCH_COMPARE_WATER_H
#define OMPDSM_BENCH_COMPARE_WATER_H

#include "../program.h"

enum { GroupMolecules = 16 }; ///< That one lock guards; divides the number of molecules.
#define TimeStep 0.002
#define Spacing 1.2 ///< Of the lattice that they start from.

static const int lattices[SizeClasses] = {4, 8, 12}; ///< Molecules along an edge: even.
static const int defaultRounds[SizeClasses] = {4, 20, 60};

typedef double Vector[3];

static inline int countMolecules(int lattice) { return lattice * lattice * lattice; }

/// On the lattice, a little displaced, with small velocities.
static inline void placeMolecule(int lattice, int molecule, Vector position, Vector velocity) {
  const int cell[3] = {molecule / (lattice * lattice), molecule / lattice % lattice,
                       molecule % lattice};
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t index = 8 * (uint64_t)molecule + (uint64_t)axis;
    position[axis] = Spacing * (cell[axis] + 0.1 * (randomUnit(index) - 0.5));
    velocity[axis] = randomUnit(index + 4) - 0.5;
  }
}

/// All pairs of which molecule i is the first: the half of the others that follows it, cyclically.
/// Adds to their forces and to its own; returns their potential energy.
static inline double pairForces(int lattice, int i, const Vector *restrict positions,
                                Vector *restrict forces) {
  const int n = countMolecules(lattice), partners = i < n / 2 ? n / 2 : n / 2 - 1;
  const double box = lattice * Spacing, half = box / 2, cutoff2 = fmin(half * half, 9);
  const double x = positions[i][0], y = positions[i][1], z = positions[i][2];
  double energy = 0, fx = 0, fy = 0, fz = 0;
  for (int k = 1; k <= partners; k++) {
    const int j = i + k < n ? i + k : i + k - n;
    double dx = x - positions[j][0], dy = y - positions[j][1], dz = z - positions[j][2];
    dx -= dx > half ? box : dx < -half ? -box : 0;
    dy -= dy > half ? box : dy < -half ? -box : 0;
    dz -= dz > half ? box : dz < -half ? -box : 0;
    const double square = dx * dx + dy * dy + dz * dz;
    if (square >= cutoff2)
      continue;
    const double inverse2 = 1 / square, inverse6 = inverse2 * inverse2 * inverse2;
    const double scale = inverse2 * inverse6 * (48 * inverse6 - 24);
    energy += 4 * inverse6 * (inverse6 - 1);
    fx += scale * dx;
    fy += scale * dy;
    fz += scale * dz;
    forces[j][0] -= scale * dx;
    forces[j][1] -= scale * dy;
    forces[j][2] -= scale * dz;
  }
  forces[i][0] += fx;
  forces[i][1] += fy;
  forces[i][2] += fz;
  return energy;
}

/// One step of the leapfrog method; positions stay in the box.
static inline void moveMolecule(int lattice, const Vector force, Vector position, Vector velocity) {
  const double box = lattice * Spacing;
  for (int axis = 0; axis < 3; axis++) {
    velocity[axis] += TimeStep * force[axis];
    position[axis] += TimeStep * velocity[axis];
    position[axis] -= position[axis] >= box ? box : position[axis] < 0 ? -box : 0;
  }
}

static inline double kineticEnergy(const Vector velocity) {
  return 0.5 * (velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]);
}

#endif
