// mpi_program.h: what the MPI programs of bench/compare share beside program.h: who a process is,
// how work is dealt, rows or planes between neighbours, the clock, and the answer.
//
// Each function makes the calls that a program of its own would make in its place, and no other.
#ifndef OMPDSM_BENCH_COMPARE_MPI_PROGRAM_H
#define OMPDSM_BENCH_COMPARE_MPI_PROGRAM_H

#include "program.h"
#include <mpi.h>

struct Process {
  int rank, ranks;
  int previous, next; ///< Neighbours, MPI_PROC_NULL where there is none.
};

static inline struct Process thisProcess(void) {
  struct Process p;
  MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p.ranks);
  p.previous = p.rank > 0 ? p.rank - 1 : MPI_PROC_NULL;
  p.next = p.rank + 1 < p.ranks ? p.rank + 1 : MPI_PROC_NULL;
  return p;
}

/// The part of each process, as MPI_Allgatherv and its like want it.
struct Parts {
  int *begins, *counts; ///< [rank], in elements.
};

/// Of `count` objects dealt by partBegin(), each of so many elements.
static inline struct Parts makeParts(long count, int ranks, int elements) {
  struct Parts parts = {allocate((size_t)ranks, sizeof(int)), allocate((size_t)ranks, sizeof(int))};
  for (int rank = 0; rank < ranks; rank++) {
    parts.begins[rank] = elements * (int)partBegin(count, ranks, rank);
    parts.counts[rank] = elements * (int)partBegin(count, ranks, rank + 1) - parts.begins[rank];
  }
  return parts;
}

/// Of objects of so many bytes the first `count` doubles: what of them is sent.
static inline MPI_Datatype makeLeadingType(int count, size_t bytes) {
  MPI_Datatype doubles, leading;
  MPI_Type_contiguous(count, MPI_DOUBLE, &doubles);
  MPI_Type_create_resized(doubles, 0, (MPI_Aint)bytes, &leading);
  MPI_Type_commit(&leading);
  return leading;
}

/// Gets the parts of all others into `whole`, where the own one is already.
static inline void gatherParts(void *whole, struct Parts parts, MPI_Datatype type) {
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, whole, parts.counts, parts.begins, type,
                 MPI_COMM_WORLD);
}

/// Sums of all processes, in place, known to all.
static inline void sumUp(double *sums, int count) {
  MPI_Allreduce(MPI_IN_PLACE, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/// Two neighbours get each other's edges (rows, planes): a process sends each of its own as soon as
/// it is computed, and computes the rest meanwhile.
struct Exchange {
  struct Process process;
  int points; ///< Of an edge.
  MPI_Request requests[4];
};
enum ExchangeTag { ToPrevious, ToNext };

/// `before` and `after`: where the edges of the neighbours go.
static inline struct Exchange beginExchange(struct Process process, int points, double *before,
                                            double *after) {
  struct Exchange e = {.process = process, .points = points};
  MPI_Irecv(before, points, MPI_DOUBLE, process.previous, ToNext, MPI_COMM_WORLD, &e.requests[0]);
  MPI_Irecv(after, points, MPI_DOUBLE, process.next, ToPrevious, MPI_COMM_WORLD, &e.requests[1]);
  return e;
}
static inline void sendFirst(struct Exchange *e, const double *edge) {
  MPI_Isend(edge, e->points, MPI_DOUBLE, e->process.previous, ToPrevious, MPI_COMM_WORLD,
            &e->requests[2]);
}
static inline void sendLast(struct Exchange *e, const double *edge) {
  MPI_Isend(edge, e->points, MPI_DOUBLE, e->process.next, ToNext, MPI_COMM_WORLD, &e->requests[3]);
}
static inline void endExchange(struct Exchange *e) {
  MPI_Waitall(4, e->requests, MPI_STATUSES_IGNORE);
}

/// Start and end of the timed rounds: all processes are there. Seconds since some moment.
static inline double secondsTogether(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return wallSeconds();
}

/// Adds up what each process has of the answer, in place in process 0, which reports it.
static inline void reportSums(int rounds, double seconds, double *sums, int count) {
  const int isFirst = thisProcess().rank == 0;
  MPI_Reduce(isFirst ? MPI_IN_PLACE : sums, sums, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (isFirst)
    report(rounds, seconds, sums, count);
}

#endif
