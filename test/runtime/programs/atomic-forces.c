// Forces that edges add to the ends of a mesh, atomically: the pages of the forces move to the nodes that add most of them
// and use them up, so that adding is a matter of one node but at the borders.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t 30 | %check %s
// RUN: %check --check-prefix=MOVED --input-file=%t.json %s
// RUN: env OMPDSM_MIGRATE=0 %run -n 3 -t 2 %t 3 | %check %s
// RUN: %run -n 3 -t 1 --provider tcp %t 4 | %check %s
// 9 of the 18 pages are node 1's; each step of 30 makes 9,000 additions there, and those before the move are not at home.
// MOVED: "pages_migrated": {{[1-9]}}
// MOVED: "node": 1
// MOVED: "atomics_remote": {{[0-9][0-9]?[0-9]?[0-9]?[0-9]?}},
#include <stdio.h>
#include <stdlib.h>

enum { Points = 9000 };

int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 1;
  long *place = malloc(Points * sizeof *place), *force = malloc(Points * sizeof *force);
  long *expected = malloc(Points * sizeof *expected), *pull = malloc(Points * sizeof *pull);
  for (int i = 0; i < Points; i++) {
    place[i] = expected[i] = i * 7 % 101;
    force[i] = pull[i] = 0;
  }
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for
    for (int i = 0; i < Points - 1; i++) {
      const long f = (place[i + 1] - place[i]) % 13;
#pragma omp atomic
      force[i] += f;
#pragma omp atomic
      force[i + 1] -= f;
    }
#pragma omp parallel for
    for (int i = 0; i < Points; i++) {
      place[i] += force[i];
      force[i] = 0;
    }
    for (int i = 0; i < Points - 1; i++) {
      const long f = (expected[i + 1] - expected[i]) % 13;
      pull[i] += f;
      pull[i + 1] -= f;
    }
    for (int i = 0; i < Points; i++) {
      expected[i] += pull[i];
      pull[i] = 0;
    }
  }
  int wrong = 0;
  for (int i = 0; i < Points; i++)
    wrong += place[i] != expected[i];
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  return 0;
}
