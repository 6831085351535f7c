// tsp.h: the shortest round trip by branch and bound: the problem, the pieces of work (all
// beginnings of a tour with Fixed cities after the first), and the search below one of them.
//
// bench/compare: irregular, tolerance 0
#ifndef OMPDSM_BENCH_COMPARE_TSP_H
#define OMPDSM_BENCH_COMPARE_TSP_H

#include "../program.h"

enum { MostCities = 20, Fixed = 3, NodesBetweenPolls = 1 << 12 };

static const int cityCounts[SizeClasses] = {10, 14, 17};
static const int defaultRounds[SizeClasses] = {2, 3, 4}; // a round is a problem of its own

struct Cities {
  int count;
  int distance[MostCities][MostCities];
  int nearest[MostCities][MostCities]; ///< The others, from near to far.
  int exit[MostCities];                ///< The shortest way out of a city.
};

/// Round `round`: points at random in a square.
static inline void makeCities(int count, int round, struct Cities *cities) {
  cities->count = count;
  double x[MostCities], y[MostCities];
  for (int i = 0; i < count; i++) {
    x[i] = 1e4 * randomUnit((uint64_t)(round * 100 + 2 * i));
    y[i] = 1e4 * randomUnit((uint64_t)(round * 100 + 2 * i + 1));
  }
  for (int i = 0; i < count; i++) {
    int *const nearest = cities->nearest[i], *const distance = cities->distance[i];
    for (int j = 0, known = 0; j < count; j++) {
      distance[j] = (int)hypot(x[i] - x[j], y[i] - y[j]);
      if (j == i)
        continue;
      int place = known++;
      for (; place > 0 && distance[nearest[place - 1]] > distance[j]; place--)
        nearest[place] = nearest[place - 1];
      nearest[place] = j;
    }
    cities->exit[i] = distance[nearest[0]];
  }
}

/// The length of a good tour: the next city is the nearest one, then pairs of ways are exchanged.
static inline int goodTour(const struct Cities *cities) {
  const int n = cities->count;
  int tour[MostCities + 1] = {0};
  unsigned visited = 1;
  for (int i = 1; i < n; i++) {
    const int *next = cities->nearest[tour[i - 1]];
    while (visited >> *next & 1)
      next++;
    visited |= 1u << (tour[i] = *next);
  }
  tour[n] = 0;
  for (int isBetter = 1; isBetter;) {
    isBetter = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = i + 1; j < n; j++) {
        const int *const from = cities->distance[tour[i - 1]], *const to =
                                                                   cities->distance[tour[j + 1]];
        if (from[tour[j]] + to[tour[i]] >= from[tour[i]] + to[tour[j]])
          continue;
        isBetter = 1;
        for (int low = i, high = j; low < high; low++, high--) {
          const int kept = tour[low];
          tour[low] = tour[high];
          tour[high] = kept;
        }
      }
  }
  int length = 0;
  for (int i = 0; i < n; i++)
    length += cities->distance[tour[i]][tour[i + 1]];
  return length;
}

static inline int countPieces(int cities) {
  int pieces = 1;
  for (int i = 1; i <= Fixed; i++)
    pieces *= cities - i;
  return pieces;
}

struct Search {
  const struct Cities *cities;
  int best;                    ///< Length of the best tour that is known.
  void (*poll)(void *context); ///< Called now and then, or null.
  void *context;
  int nodes;
};

/// All tours that begin with the `depth` visited cities, the last of which is `last`; `exits`: the
/// sum of the shortest ways out of those that are not visited.
static inline void searchFrom(struct Search *s, int depth, int last, unsigned visited, int length,
                              int exits) {
  const struct Cities *const cities = s->cities;
  if (s->poll && ++s->nodes % NodesBetweenPolls == 0)
    s->poll(s->context);
  if (depth == cities->count) {
    const int whole = length + cities->distance[last][0];
    s->best = whole < s->best ? whole : s->best;
    return;
  }
  for (int k = 0; k < cities->count - 1; k++) {
    const int next = cities->nearest[last][k], reached = length + cities->distance[last][next];
    if (reached + exits >= s->best)
      return; // the others are farther
    if (!(visited >> next & 1))
      searchFrom(s, depth + 1, next, visited | 1u << next, reached, exits - cities->exit[next]);
  }
}

/// The search below piece `piece`.
static inline void searchPiece(struct Search *s, int piece) {
  const struct Cities *const cities = s->cities;
  int last = 0, length = 0, exits = 0;
  unsigned visited = 1;
  for (int city = 1; city < cities->count; city++)
    exits += cities->exit[city];
  for (int depth = 1, choices = countPieces(cities->count); depth <= Fixed; depth++) {
    choices /= cities->count - depth;
    int skip = piece / choices;
    piece %= choices;
    const int *next = cities->nearest[last];
    while (visited >> *next & 1 || skip-- > 0)
      next++;
    length += cities->distance[last][*next];
    exits -= cities->exit[*next];
    visited |= 1u << *next;
    last = *next;
  }
  if (length + exits < s->best)
    searchFrom(s, Fixed + 1, last, visited, length, exits);
}

#endif
