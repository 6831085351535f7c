// Who reads a field and updates it by atomic operations without answers goes on reading its copy:
// labels of a graph's parts, found by minima; and distances, read by atomic operations.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=FEW --input-file=%t.json %s
// RUN: env OMPDSM_KEEP_UPDATED=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=MANY --input-file=%t.json %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
// RUN: %run -n 4 -t 2 %t | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// On node 1, behind what node 0 has fetched.
// FEW: "blocks_fetched":
// FEW: "blocks_fetched": {{[0-9]?[0-9]?[0-9]?[0-9]}},
// MANY: "blocks_fetched":
// MANY: "blocks_fetched": {{[1-9][0-9][0-9][0-9][0-9]}}
#include "expect.h"

enum { Vertices = 20000, Edges = 40000 };

static int from[Edges], to[Edges], label[Vertices], expected[Vertices];

static unsigned next(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return *state >> 8;
}

/// As one thread finds it.
static int root(int v) {
  while (expected[v] != v)
    v = expected[v] = expected[expected[v]];
  return v;
}

int main(void) {
  unsigned state = 7;
  for (int e = 0; e < Edges; e++) {
    from[e] = (int)(next(&state) % Vertices);
    to[e] = (int)(next(&state) % Vertices);
  }
  for (int v = 0; v < Vertices; v++)
    label[v] = expected[v] = v;
  for (int e = 0; e < Edges; e++) {
    const int a = root(from[e]), b = root(to[e]);
    expected[a > b ? a : b] = a < b ? a : b;
  }
  int rounds = 0;
  for (int isChanged = 1; isChanged; rounds++) {
    isChanged = 0;
#pragma omp parallel for reduction(|| : isChanged)
    for (int e = 0; e < Edges; e++) {
      int a, b;
      // Half of them as a program should, the others as many do: what is read may be old.
      if (e % 2) {
#pragma omp atomic read
        a = label[from[e]];
#pragma omp atomic read
        b = label[to[e]];
      } else {
        a = label[from[e]];
        b = label[to[e]];
      }
      EXPECT(a >= 0 && a <= from[e] && b >= 0 && b <= to[e]);
      int *const higher = label + (a > b ? from[e] : to[e]);
      const int least = a < b ? a : b;
      if (a != b) {
#pragma omp atomic compare
        if (*higher > least)
          *higher = least;
        isChanged = 1;
      }
    }
    EXPECT(rounds < 10000);
  }
  for (int v = 0; v < Vertices; v++)
    EXPECT(label[v] == root(v));
  // CHECK: all labels are least
  printf("all labels are least\n");
  return 0;
}
