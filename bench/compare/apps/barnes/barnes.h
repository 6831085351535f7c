// barnes.h: gravitation by the method of Barnes and Hut (A hierarchical O(N log N)
// force-calculation algorithm, Nature 324, 1986): the problem, the tree, and the force on one body.
//
// bench/compare: irregular, tolerance 1e-9
#ifndef OMPDSM_BENCH_COMPARE_BARNES_H
#define OMPDSM_BENCH_COMPARE_BARNES_H

#include "../program.h"

enum { LeafBodies = 8, DeepestLevel = 40, Octants = 8 };
#define TimeStep 1e-3
#define Softening2 1e-4
#define Opening2 0.36 ///< Square of the opening angle: smaller cells are taken as one body.

static const int bodyCounts[SizeClasses] = {500, 3000, 12000};
static const int defaultRounds[SizeClasses] = {3, 10, 12};

struct Body {
  double x, y, z, mass;
};
struct Velocity {
  double x, y, z;
};

/// A cell of the tree. Cells lie in the order of a walk: the first child follows its parent.
struct Cell {
  double x, y, z, mass; ///< Its centre of mass.
  double edge2;         ///< Square of its edge.
  int next;             ///< The cell that follows if its children are not visited.
  int begin, end;       ///< A leaf: its bodies in the tree's order. Otherwise both are 0.
};

struct Tree {
  int bodies, cells;
  struct Body *order, *scratch; ///< All bodies, so that those of a cell are neighbours.
  struct Cell *cell;
};

/// Cells that a tree of so many bodies cannot exceed, unless bodies coincide nearly.
static inline size_t mostCells(int bodies) { return 4 * (size_t)bodies + 64; }

/// Body i: denser near the centre, in no spatial order, so that equal numbers of bodies are equal
/// work.
static inline void makeBody(int count, int i, struct Body *body, struct Velocity *velocity) {
  const uint64_t index = 8 * (uint64_t)i;
  const double radius = 0.05 + pow(randomUnit(index), 1.5),
               angle = 2 * acos(-1) * randomUnit(index + 1);
  const double height = 2 * randomUnit(index + 2) - 1, side = sqrt(1 - height * height);
  *body = (struct Body){radius * side * cos(angle), radius * side * sin(angle), radius * height,
                        (0.5 + randomUnit(index + 3)) / count};
  *velocity = (struct Velocity){-0.5 * body->y, 0.5 * body->x, 0.1 * (randomUnit(index + 4) - 0.5)};
}

static inline struct Tree makeTree(int bodies) {
  struct Tree tree = {.bodies = bodies};
  tree.order = allocate((size_t)bodies, sizeof *tree.order);
  tree.scratch = allocate((size_t)bodies, sizeof *tree.scratch);
  tree.cell = allocate(mostCells(bodies), sizeof *tree.cell);
  return tree;
}

static inline int octantOf(const struct Body *body, double x, double y, double z) {
  return (body->x >= x) + 2 * (body->y >= y) + 4 * (body->z >= z);
}

/// Adds the cell with this middle and half an edge, of bodies begin to end - 1, and all below it.
static inline void addCell(struct Tree *tree, int begin, int end, double x, double y, double z,
                           double half, int level) {
  if ((size_t)tree->cells >= mostCells(tree->bodies)) {
    fprintf(stderr, "the tree has too many cells\n");
    exit(1);
  }
  struct Cell *const cell = &tree->cell[tree->cells++];
  struct Body *const order = tree->order;
  struct Cell sum = {.edge2 = 4 * half * half};
  for (int i = begin; i < end; i++) {
    sum.x += order[i].mass * order[i].x;
    sum.y += order[i].mass * order[i].y;
    sum.z += order[i].mass * order[i].z;
    sum.mass += order[i].mass;
  }
  sum.x /= sum.mass;
  sum.y /= sum.mass;
  sum.z /= sum.mass;
  if (end - begin <= LeafBodies || level == DeepestLevel) {
    sum.begin = begin;
    sum.end = end;
  } else {
    int places[Octants + 1] = {0}, begins[Octants + 1];
    for (int i = begin; i < end; i++)
      places[octantOf(&order[i], x, y, z) + 1]++;
    for (int octant = 0; octant < Octants; octant++)
      places[octant + 1] += places[octant];
    memcpy(begins, places, sizeof begins);
    for (int i = begin; i < end; i++)
      tree->scratch[begin + places[octantOf(&order[i], x, y, z)]++] = order[i];
    memcpy(order + begin, tree->scratch + begin, (size_t)(end - begin) * sizeof *order);
    for (int octant = 0; octant < Octants; octant++)
      if (begins[octant] < begins[octant + 1])
        addCell(tree, begin + begins[octant], begin + begins[octant + 1],
                x + (octant & 1 ? half : -half) / 2, y + (octant & 2 ? half : -half) / 2,
                z + (octant & 4 ? half : -half) / 2, half / 2, level + 1);
  }
  sum.next = tree->cells;
  *cell = sum;
}

static inline void buildTree(struct Tree *tree, const struct Body *bodies) {
  double half = 0;
  for (int i = 0; i < tree->bodies; i++)
    half = fmax(half, fmax(fabs(bodies[i].x), fmax(fabs(bodies[i].y), fabs(bodies[i].z))));
  memcpy(tree->order, bodies, (size_t)tree->bodies * sizeof *bodies);
  tree->cells = 0;
  addCell(tree, 0, tree->bodies, 0, 0, 0, half * (1 + 1e-12), 0);
}

/// Adds what a mass does to a body in one time step. A body does nothing to itself: the distance is
/// 0.
static inline void attract(struct Velocity *velocity, const struct Body *body, double x, double y,
                           double z, double mass) {
  const double dx = x - body->x, dy = y - body->y, dz = z - body->z;
  const double square = dx * dx + dy * dy + dz * dz + Softening2;
  const double scale = TimeStep * mass / (square * sqrt(square));
  velocity->x += scale * dx;
  velocity->y += scale * dy;
  velocity->z += scale * dz;
}

static inline void accelerate(const struct Tree *tree, const struct Body *body,
                              struct Velocity *velocity) {
  const struct Cell *const cells = tree->cell;
  struct Velocity v = *velocity;
  for (int i = 0, count = tree->cells; i < count;) {
    const struct Cell *const cell = &cells[i];
    const double dx = cell->x - body->x, dy = cell->y - body->y, dz = cell->z - body->z;
    if (cell->edge2 < Opening2 * (dx * dx + dy * dy + dz * dz)) {
      attract(&v, body, cell->x, cell->y, cell->z, cell->mass);
      i = cell->next;
    } else if (cell->end) {
      for (int k = cell->begin; k < cell->end; k++)
        attract(&v, body, tree->order[k].x, tree->order[k].y, tree->order[k].z,
                tree->order[k].mass);
      i = cell->next;
    } else {
      i++;
    }
  }
  *velocity = v;
}

static inline void move(struct Body *body, const struct Velocity *velocity) {
  body->x += TimeStep * velocity->x;
  body->y += TimeStep * velocity->y;
  body->z += TimeStep * velocity->z;
}

/// Adds to the answer (squares of positions; kinetic energy) what one body has.
static inline void addBody(const struct Body *body, const struct Velocity *velocity,
                           double sums[2]) {
  sums[0] += body->x * body->x + body->y * body->y + body->z * body->z;
  sums[1] += body->mass *
             (velocity->x * velocity->x + velocity->y * velocity->y + velocity->z * velocity->z);
}

#endif
