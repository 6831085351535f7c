// em3d.h: waves on an irregular bipartite graph: each node of one kind takes a weighted sum of its
// neighbours of the other kind (Culler et al.: Parallel programming in Split-C, Supercomputing
// 1993). Most neighbours are near, one in ten is farther away.
//
// bench/compare: irregular, tolerance 1e-10
#ifndef OMPDSM_BENCH_COMPARE_EM3D_H
#define OMPDSM_BENCH_COMPARE_EM3D_H

#include "../program.h"

enum Kind { Electric, Magnetic, Kinds };
enum { Degree = 8, Near = 64 };

static const int nodeCounts[SizeClasses] = {1 << 10, 1 << 13, 1 << 17}; ///< Of each kind.
static const int defaultRounds[SizeClasses] = {4, 40, 120};

static inline uint64_t edgeNumber(int kind, int node, int edge) {
  return ((uint64_t)kind << 40) + (uint64_t)node * Degree + (uint64_t)edge;
}

/// Neighbour `edge` of a node: of the other kind.
static inline int neighbourOf(int nodes, int kind, int node, int edge) {
  const uint64_t random = mix(edgeNumber(kind, node, edge));
  const int reach = random % 10 == 0 ? nodes / 16 : Near;
  const int distance = (int)((random >> 8) % (uint64_t)(2 * reach + 1)) - reach;
  return (node + distance + nodes) % nodes;
}

static inline double weightOf(int kind, int node, int edge) {
  return (randomUnit(edgeNumber(kind, node, edge) + (1ull << 50)) - 0.5) / (double)Degree;
}

static inline double startValue(int kind, int node) {
  return randomUnit(((uint64_t)kind << 60) + (uint64_t)node) + 0.5;
}

/// The new value of a node, whose neighbours' values are values[from[...]].
static inline double updated(double old, const int *from, const double *weights,
                             const double *values) {
  double sum = 0;
  for (int edge = 0; edge < Degree; edge++)
    sum += weights[edge] * values[from[edge]];
  return old - sum;
}

#endif
