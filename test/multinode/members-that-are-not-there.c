// Loops whose iterations would access members of an object if a mask let them: of one that is null,
// or lies in front of memory that is not mapped, or that may not be accessed, none does.
#include "report.h"
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>

enum { Cells = 5000 };

struct Grid {
  long cells;
  const double *from;
  double *to;
};

static char mask[Cells];
static double from[Cells], to[Cells];

static double sumOf(const struct Grid *grid) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < Cells; i++)
    if (mask[i])
      sum += grid->from[i] + grid->from[Cells - 1 - i];
  return sum;
}
static void copy(struct Grid *grid) {
#pragma omp parallel for
  for (int i = 0; i < Cells; i++)
    if (mask[i])
      grid->to[i] = grid->from[i];
}

int main(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *closed = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || closed == MAP_FAILED || munmap(pages + page, page) != 0)
    return 2;
  struct Grid *absent[] = {NULL, (struct Grid *)(pages + page - sizeof(long)),
                           (struct Grid *)closed};
  for (int i = 0; i < 3; i++) {
    expectReal("sum of nothing", i, 0, sumOf(absent[i]));
    copy(absent[i]);
  }
  for (int i = 0; i < Cells; i++)
    from[i] = i, mask[i] = i % 3 == 0;
  struct Grid grid = {Cells, from, to};
  double expected = 0;
  for (int i = 0; i < Cells; i += 3)
    expected += i + Cells - 1 - i;
  expectReal("sum", 0, expected, sumOf(&grid));
  copy(&grid);
  for (int i = 0; i < Cells; i++)
    expectReal("copy", i, mask[i] ? i : 0, to[i]);
  return finish();
}
