// Variables in sections of their own, aligned to pages, weak, common, hidden, static in functions,
// constant after a constructor function; mapped memory.
#include "../report.h"
#include <omp.h>
static int placed[300];
long placedLater = 5;
__attribute__((aligned(8192))) static char page[8192];
__attribute__((weak)) int weakOne = 3;
__attribute__((weak)) long weakArray[50];
__attribute__((visibility("hidden"))) int hidden[10];
int tentative[7];
int tentative[7];
static const int *constant;
static int table[] = {[3] = 5, [40] = 7};
static struct {
  int n;
  struct {
    short x[3];
  } y[5];
} nested = {1, {[2] = {{1, 2, 3}}}};
extern int declared[];
int declared[20];
int overAlias = 9;
extern int alias __attribute__((alias("overAlias")));
__attribute__((constructor(200))) static void first(void) {
  static int v = 44;
  constant = &v;
  placed[299] = 6;
}
__attribute__((destructor)) static void end(void) {
  if (placed[0] != 100) {
    puts("wrong at the end");
    _Exit(9);
  }
}
static int *counter(void) {
  static int c;
  return &c;
}
int main(void) {
#pragma omp parallel
  {
    expectInteger("set before main", 0, 6, placed[299]);
    expectInteger("constant", 0, 44, *constant);
    expectInteger("table", 0, 7, table[40]);
    expectInteger("nested", 0, 3, nested.y[2].x[2]);
#pragma omp barrier
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 300; i++) {
      placed[i] = 100 + i;
      page[i * 27] = (char)i;
      if (i < 50)
        weakArray[i] = i;
      if (i < 10)
        hidden[i] = i;
      if (i < 7)
        tentative[i] = i;
      if (i < 20)
        declared[i] = i;
    }
#pragma omp critical
    {
      placedLater++;
      weakOne++;
      ++*counter();
      alias += 2;
      nested.n++;
    }
#pragma omp barrier
    const int n = omp_get_num_threads();
    for (int i = 0; i < 300; i++) {
      expectInteger("placed", i, 100 + i, placed[i]);
      expectInteger("page", i, (char)i, page[i * 27]);
    }
    expectInteger("later", 0, 5 + n, placedLater);
    expectInteger("weak", 0, 3 + n, weakOne);
    expectInteger("weak array", 0, 49, weakArray[49]);
    expectInteger("hidden", 0, 9, hidden[9]);
    expectInteger("tentative", 0, 6, tentative[6]);
    expectInteger("declared", 0, 19, declared[19]);
    expectInteger("counter", 0, n, *counter());
    expectInteger("alias", 0, 9 + 2 * n, overAlias);
    expectInteger("nested n", 0, 1 + n, nested.n);
  }
  return finish();
}
