// tsp.omp.c: the shortest round trip; threads take pieces of work from a queue, and learn and tell
// the best length there.
#include "tsp.h"

struct Queue {
  int next, pieces; ///< Work that nobody has taken: next to pieces - 1.
  int best;
};

static int solve(int count, int round) {
  static struct Cities cities;
  static struct Queue queue;
  makeCities(count, round, &cities);
  const int good = goodTour(&cities);
  queue = (struct Queue){0, countPieces(count), good};
#pragma omp parallel
  {
    const struct Cities own = cities;
    struct Search search = {.cities = &own, .best = good};
    for (int piece = 0; piece >= 0;) {
#pragma omp critical(queue)
      {
        if (search.best < queue.best)
          queue.best = search.best;
        search.best = queue.best;
        piece = queue.next < queue.pieces ? queue.next++ : -1;
      }
      if (piece >= 0)
        searchPiece(&search, piece);
    }
  }
  return queue.best;
}

int main(int argc, char **argv) {
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  const int count = cityCounts[arguments.size];
  double answer = solve(cityCounts[Smoke], 0);
  const double start = wallSeconds();
  for (int round = 1; round <= arguments.rounds; round++)
    answer += solve(count, round);
  report(arguments.rounds, wallSeconds() - start, &answer, 1);
  return 0;
}
