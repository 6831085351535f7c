// em3d.mpi.c: waves on a graph, a part of the nodes of each kind in each process. What a process
// needs of another's nodes is agreed upon once; each update then is one message to each process
// that needs something, and none to the others.
#include "em3d.h"
#include "../mpi_program.h"

struct Transfer {
  int rank, count, isSent;
  double *values;
};

struct Nodes {
  double
      *values; ///< Own nodes, then those of other processes that own nodes of the other kind need.
  int *from;   ///< [own node][edge]: places in the other kind's `values`.
  double *weights;
  int sent;       ///< Own values that others need, as often as they do,
  int *sentNodes; ///< which these are,
  double *outbox; ///< and their copies.
  int transfers;  ///< What brings this kind's values to where they are needed.
  struct Transfer *transfer;
  MPI_Request *requests; ///< As many as `transfers`.
};

struct Graph {
  int count, first, own; ///< Of nodes: all, and own ones.
  struct Process me;
  struct Nodes nodes[Kinds];
};

/// The places of all nodes of one kind in `values` (or -1), and how many each process must send.
static int *placeNodes(const struct Graph *g, int kind, int *needed) {
  int *const places = allocate((size_t)g->count, sizeof(int));
  for (int node = 0; node < g->count; node++)
    places[node] = node >= g->first && node < g->first + g->own ? node - g->first : -1;
  for (int i = 0; i < g->own; i++) // marks what is needed of others
    for (int edge = 0; edge < Degree; edge++) {
      int *const place = &places[neighbourOf(g->count, !kind, g->first + i, edge)];
      *place = *place == -1 ? -2 : *place;
    }
  memset(needed, 0, (size_t)g->me.ranks * sizeof *needed);
  for (int node = 0, next = g->own; node < g->count; node++)
    if (places[node] == -2) {
      places[node] = next++;
      needed[partOf(g->count, g->me.ranks, node)]++;
    }
  return places;
}

/// Tells the owners which values of `kind` are needed here, and prepares the transfers.
static void agree(struct Graph *g, int kind, const int *places, const int *needed) {
  struct Nodes *const nodes = &g->nodes[kind];
  const size_t ranks = (size_t)g->me.ranks;
  int *const sent = allocate(ranks, sizeof(int)), *const sentBegins = allocate(ranks, sizeof(int));
  int *const neededBegins = allocate(ranks, sizeof(int));
  MPI_Alltoall(needed, 1, MPI_INT, sent, 1, MPI_INT, MPI_COMM_WORLD);
  int neededCount = 0;
  for (int rank = 0; rank < g->me.ranks; rank++) {
    sentBegins[rank] = nodes->sent;
    neededBegins[rank] = neededCount;
    nodes->sent += sent[rank];
    neededCount += needed[rank];
  }
  int *const neededNodes = allocate((size_t)neededCount + 1, sizeof(int));
  for (int node = 0, next = 0; node < g->count; node++)
    if (places[node] >= g->own)
      neededNodes[next++] =
          node - (int)partBegin(g->count, g->me.ranks, partOf(g->count, g->me.ranks, node));
  nodes->sentNodes = allocate((size_t)nodes->sent + 1, sizeof(int));
  nodes->outbox = allocate((size_t)nodes->sent + 1, sizeof(double));
  nodes->values = allocate((size_t)(g->own + neededCount), sizeof(double));
  nodes->transfer = allocate(2 * ranks, sizeof *nodes->transfer);
  nodes->requests = allocate(2 * ranks, sizeof *nodes->requests);
  MPI_Alltoallv(neededNodes, needed, neededBegins, MPI_INT, nodes->sentNodes, sent, sentBegins,
                MPI_INT, MPI_COMM_WORLD);
  for (int rank = 0; rank < g->me.ranks; rank++) {
    if (needed[rank])
      nodes->transfer[nodes->transfers++] =
          (struct Transfer){rank, needed[rank], 0, nodes->values + g->own + neededBegins[rank]};
    if (sent[rank])
      nodes->transfer[nodes->transfers++] =
          (struct Transfer){rank, sent[rank], 1, nodes->outbox + sentBegins[rank]};
  }
  free(neededNodes);
  free(neededBegins);
  free(sentBegins);
  free(sent);
}

static struct Graph makeGraph(int count) {
  struct Graph g = {.count = count, .me = thisProcess()};
  g.first = (int)partBegin(count, g.me.ranks, g.me.rank);
  g.own = (int)partBegin(count, g.me.ranks, g.me.rank + 1) - g.first;
  int *const needed = allocate((size_t)g.me.ranks, sizeof(int));
  for (int kind = 0; kind < Kinds; kind++) {
    int *const places = placeNodes(&g, kind, needed);
    agree(&g, kind, places, needed);
    struct Nodes *const nodes = &g.nodes[kind], *const others = &g.nodes[!kind];
    others->from = allocate((size_t)g.own * Degree, sizeof(int));
    nodes->weights = allocate((size_t)g.own * Degree, sizeof(double));
    for (int i = 0; i < g.own; i++) {
      nodes->values[i] = startValue(kind, g.first + i);
      for (int edge = 0; edge < Degree; edge++) {
        others->from[i * Degree + edge] = places[neighbourOf(count, !kind, g.first + i, edge)];
        nodes->weights[i * Degree + edge] = weightOf(kind, g.first + i, edge);
      }
    }
    free(places);
  }
  free(needed);
  return g;
}

/// Brings the values of a kind to where they are needed. (Not by persistent requests: Open MPI's
/// monitoring does not count these.)
static void transfer(const struct Nodes *nodes) {
  for (int i = 0; i < nodes->sent; i++)
    nodes->outbox[i] = nodes->values[nodes->sentNodes[i]];
  for (int i = 0; i < nodes->transfers; i++) {
    const struct Transfer *const t = &nodes->transfer[i];
    if (t->isSent)
      MPI_Isend(t->values, t->count, MPI_DOUBLE, t->rank, 0, MPI_COMM_WORLD, &nodes->requests[i]);
    else
      MPI_Irecv(t->values, t->count, MPI_DOUBLE, t->rank, 0, MPI_COMM_WORLD, &nodes->requests[i]);
  }
  MPI_Waitall(nodes->transfers, nodes->requests, MPI_STATUSES_IGNORE);
}

static void iterate(const struct Graph *g, int rounds) {
  for (int round = 0; round < rounds; round++)
    for (int kind = 0; kind < Kinds; kind++) {
      const struct Nodes own = g->nodes[kind];
      const double *const others = g->nodes[!kind].values;
      transfer(&g->nodes[!kind]);
      for (int i = 0; i < g->own; i++)
        own.values[i] =
            updated(own.values[i], own.from + i * Degree, own.weights + i * Degree, others);
    }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const struct Graph g = makeGraph(nodeCounts[arguments.size]);
  iterate(&g, 1);
  const double start = secondsTogether();
  iterate(&g, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double squares[Kinds] = {0};
  for (int kind = 0; kind < Kinds; kind++)
    for (int i = 0; i < g.own; i++)
      squares[kind] += g.nodes[kind].values[i] * g.nodes[kind].values[i];
  reportSums(arguments.rounds, seconds, squares, Kinds);
  MPI_Finalize();
  return 0;
}
