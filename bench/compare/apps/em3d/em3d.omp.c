// em3d.omp.c: waves on a graph, one persistent parallel region, nodes dealt statically.
#include "em3d.h"

struct Nodes {
  double *values;
  int *from; ///< [node][edge]: nodes of the other kind.
  double *weights;
};

struct Graph {
  int count;
  struct Nodes nodes[Kinds];
};

static struct Graph makeGraph(int count) {
  const size_t n = (size_t)count;
  struct Graph g = {.count = count};
  for (int kind = 0; kind < Kinds; kind++) {
    struct Nodes nodes = {allocate(n, sizeof(double)), allocate(n * Degree, sizeof(int)),
                          allocate(n * Degree, sizeof(double))};
#pragma omp parallel for schedule(static)
    for (int i = 0; i < count; i++) {
      nodes.values[i] = startValue(kind, i);
      for (int edge = 0; edge < Degree; edge++) {
        nodes.from[(size_t)i * Degree + (size_t)edge] = neighbourOf(count, kind, i, edge);
        nodes.weights[(size_t)i * Degree + (size_t)edge] = weightOf(kind, i, edge);
      }
    }
    g.nodes[kind] = nodes;
  }
  return g;
}

static void iterate(const struct Graph *g, int rounds) {
#pragma omp parallel
  for (int round = 0; round < rounds; round++)
    for (int kind = 0; kind < Kinds; kind++) {
      const struct Nodes own = g->nodes[kind];
      const double *const others = g->nodes[!kind].values;
#pragma omp for schedule(static)
      for (int i = 0; i < g->count; i++)
        own.values[i] = updated(own.values[i], own.from + (size_t)i * Degree,
                                own.weights + (size_t)i * Degree, others);
    }
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Graph g = makeGraph(nodeCounts[arguments.size]);
  iterate(&g, 1);
  const double start = wallSeconds();
  iterate(&g, arguments.rounds);
  const double seconds = wallSeconds() - start;

  double squares[Kinds] = {0};
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (int i = 0; i < g.count; i++)
    for (int kind = 0; kind < Kinds; kind++)
      squares[kind] += g.nodes[kind].values[i] * g.nodes[kind].values[i];
  report(arguments.rounds, seconds, squares, Kinds);
  return 0;
}
