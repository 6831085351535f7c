// tsp.mpi.c: the shortest round trip; process 0 keeps the queue and works too, looking for requests
// every few thousand steps of its search. The others ask for a piece while they still search the
// one before, and the best length travels with requests and answers.
#include "tsp.h"
#include "../mpi_program.h"

enum Tag { Request, Answer };

struct Work {
  int piece; ///< -1 in an answer: there is no more.
  int best;
};

struct Server {
  struct Search *search;
  int next, pieces, dismissed; ///< dismissed: processes that know that there is no more.
};

static int takePiece(struct Server *server) {
  return server->next < server->pieces ? server->next++ : -1;
}

static void learn(struct Search *search, int best) {
  if (best < search->best)
    search->best = best;
}

static void answer(struct Server *server, const MPI_Status *request) {
  int best;
  MPI_Recv(&best, 1, MPI_INT, request->MPI_SOURCE, Request, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  learn(server->search, best);
  const struct Work work = {takePiece(server), server->search->best};
  MPI_Send(&work, 2, MPI_INT, request->MPI_SOURCE, Answer, MPI_COMM_WORLD);
  server->dismissed += work.piece < 0;
}

static void answerAll(void *context) {
  MPI_Status request;
  for (int isThere = 1; isThere;) {
    MPI_Iprobe(MPI_ANY_SOURCE, Request, MPI_COMM_WORLD, &isThere, &request);
    if (isThere)
      answer(context, &request);
  }
}

static void serve(struct Search *search, int ranks) {
  struct Server server = {search, 0, countPieces(search->cities->count), 0};
  search->poll = answerAll;
  search->context = &server;
  for (int piece = takePiece(&server); piece >= 0; piece = takePiece(&server)) {
    searchPiece(search, piece);
    answerAll(&server);
  }
  while (server.dismissed < ranks - 1) {
    MPI_Status request;
    MPI_Probe(MPI_ANY_SOURCE, Request, MPI_COMM_WORLD, &request);
    answer(&server, &request);
  }
}

static void work(struct Search *search) {
  struct Work work;
  MPI_Request requests[2];
  int told = search->best;
  MPI_Isend(&told, 1, MPI_INT, 0, Request, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&work, 2, MPI_INT, 0, Answer, MPI_COMM_WORLD, &requests[1]);
  for (;;) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    learn(search, work.best);
    const int piece = work.piece;
    if (piece < 0)
      return;
    told = search->best;
    MPI_Isend(&told, 1, MPI_INT, 0, Request, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&work, 2, MPI_INT, 0, Answer, MPI_COMM_WORLD, &requests[1]);
    searchPiece(search, piece);
  }
}

static int solve(int count, int round) {
  const struct Process me = thisProcess();
  struct Cities cities;
  makeCities(count, round, &cities);
  struct Search search = {.cities = &cities, .best = goodTour(&cities)};
  if (me.rank == 0)
    serve(&search, me.ranks);
  else
    work(&search);
  MPI_Allreduce(MPI_IN_PLACE, &search.best, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return search.best;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const int count = cityCounts[arguments.size];
  double answer = solve(cityCounts[Smoke], 0);
  const double start = secondsTogether();
  for (int round = 1; round <= arguments.rounds; round++)
    answer += solve(count, round);
  const double seconds = secondsTogether() - start;
  if (thisProcess().rank == 0)
    report(arguments.rounds, seconds, &answer, 1);
  MPI_Finalize();
  return 0;
}
