// lu.mpi.c: LU decomposition, columns of blocks dealt to the processes in turn. Each panel is
// broadcast as soon as it is made, one step ahead of its use.
#include "lu.h"
#include "../mpi_program.h"

struct Matrix {
  int count;
  struct Process me;
  Block *blocks; ///< [own column][row]; column c is own column c / ranks of process c % ranks
};

static int isOwn(const struct Matrix *a, int column) { return column % a->me.ranks == a->me.rank; }

static Block *columnOf(const struct Matrix *a, int column) {
  return a->blocks + (size_t)(column / a->me.ranks) * (size_t)a->count;
}

static struct Matrix makeMatrix(int number, int count) {
  struct Matrix a = {.count = count, .me = thisProcess()};
  const int most = (count + a.me.ranks - 1) / a.me.ranks;
  a.blocks = allocate((size_t)most * (size_t)count, sizeof(Block));
  for (int column = a.me.rank; column < count; column += a.me.ranks)
    fillColumn(number, count, column, columnOf(&a, column));
  return a;
}

/// Starts the broadcast of panel k, from the owner's column to the others' `buffer`; returns where
/// it is.
static Block *startPanel(const struct Matrix *a, int k, Block *buffer, MPI_Request *request) {
  Block *const panel = isOwn(a, k) ? columnOf(a, k) + k : buffer;
  MPI_Ibcast(panel, (a->count - k) * Edge * Edge, MPI_DOUBLE, k % a->me.ranks, MPI_COMM_WORLD,
             request);
  return panel;
}

static void factor(const struct Matrix *a, Block *buffers[2]) {
  const int count = a->count;
  MPI_Request request;
  if (isOwn(a, 0))
    factorPanel(count, 0, columnOf(a, 0));
  Block *panel = startPanel(a, 0, buffers[0], &request), *next = NULL;
  for (int k = 0; k + 1 < count; k++) {
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request nextRequest = MPI_REQUEST_NULL;
    const int isNeeded = k + 2 < count; // nobody applies the last panel
    if (isNeeded && !isOwn(a, k + 1))
      next = startPanel(a, k + 1, buffers[(k + 1) % 2], &nextRequest);
    for (int column = k + 1; column < count; column++) {
      if (!isOwn(a, column))
        continue;
      applyPanel(count, k, panel, columnOf(a, column));
      if (column == k + 1) {
        factorPanel(count, column, columnOf(a, column) + column);
        if (isNeeded)
          next = startPanel(a, k + 1, NULL, &nextRequest);
      }
      int isDone; // lets the broadcast make progress
      MPI_Test(&nextRequest, &isDone, MPI_STATUS_IGNORE);
    }
    panel = next;
    request = nextRequest;
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const int count = blockCounts[arguments.size], usual = defaultRounds[arguments.size];
  const int rounds = arguments.rounds, matrices = rounds > usual ? rounds : usual;
  struct Matrix *const a = allocate((size_t)matrices + 1, sizeof *a);
  for (int number = 0; number <= matrices; number++)
    a[number] = makeMatrix(number, count);
  Block *buffers[2] = {allocate((size_t)count, sizeof(Block)),
                       allocate((size_t)count, sizeof(Block))};
  factor(&a[0], buffers);
  const double start = secondsTogether();
  for (int round = 1; round <= rounds; round++)
    factor(&a[round], buffers);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0};
  for (int column = a->me.rank; column < count; column += a->me.ranks)
    addColumn(count, column, columnOf(&a[rounds], column), sums);
  reportSums(arguments.rounds, seconds, sums, 2);
  MPI_Finalize();
  return 0;
}
