// One thread makes lists in a table that is allocated for many more cells, all follow them; the lists use more of the table
// from time to time, and what was used is changed each time.
#include "report.h"
#include <omp.h>

enum { Room = 60000, Lists = 64, Rounds = 40 };

struct Cell {
  long value;
  int next; // 0: the last one
};

static struct Cell *cells;
static int used;
static long sums[Lists];

static int lengthOf(int round, int list) { return 10 + list % 7 + round / 8 * 20; }

/// Cells of all lists lie in turns.
static void makeLists(int round) {
  int last[Lists], longest = 0;
  used = Lists + 1;
  for (int list = 0; list < Lists; list++) {
    cells[list + 1] = (struct Cell){round + list, 0};
    last[list] = list + 1;
    if (lengthOf(round, list) > longest)
      longest = lengthOf(round, list);
  }
  for (int step = 1; step < longest; step++)
    for (int list = 0; list < Lists; list++)
      if (step < lengthOf(round, list)) {
        cells[used] = (struct Cell){round + (long)step * list, 0};
        cells[last[list]].next = used;
        last[list] = used++;
      }
}

static long expectedSum(int round, int list) {
  long sum = round + list;
  for (int step = 1; step < lengthOf(round, list); step++)
    sum += round + (long)step * list;
  return sum;
}

int main(void) {
  cells = calloc(Room, sizeof *cells);
#pragma omp parallel
  for (int round = 0; round < Rounds; round++) {
#pragma omp single
    makeLists(round);
    const struct Cell *const table = cells;
#pragma omp for schedule(static)
    for (int list = 0; list < Lists; list++) {
      long sum = 0;
      for (int cell = list + 1; cell; cell = table[cell].next)
        sum += table[cell].value;
      sums[list] = sum;
    }
#pragma omp for schedule(static, 3)
    for (int list = 0; list < Lists; list++)
      expectInteger("sum of list", list, expectedSum(round, list), sums[list]);
  }
  for (int cell = used; cell < Room; cell++)
    expectInteger("unused cell", cell, 0, cells[cell].value);
  free(cells);
  return finish();
}
