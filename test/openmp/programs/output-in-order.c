// RUN: %build-c
// RUN: %on1 > %t.1 && %on2 > %t.2 && cmp %t.1 %t.2
// RUN: %on3 > %t.3 && cmp %t.1 %t.3
// RUN: %on4 > %t.4 && cmp %t.1 %t.4
// RUN: %on3 lines > %t.3 && cmp %t.1 %t.3 && %on2 unbuffered > %t.2 && cmp %t.1 %t.2
// RUN: grep -c line %t.1 | grep -x 260
// What threads of several nodes print one after the other comes out in that order, whatever puts
// them in order: ordered regions, critical sections, locks, flags, tasks, barriers.
#include <omp.h>
#include <stdio.h>

enum { Lines = 40, Turns = 12 };
static int printed;
static int turn;

static void line(const char *what) { printf("%s, line %d\n", what, printed++); }

int main(int argc, char **argv) {
  static char room[BUFSIZ];
  if (argc > 1)
    setvbuf(stdout, argv[1][0] == 'l' ? room : NULL, argv[1][0] == 'l' ? _IOLBF : _IONBF, BUFSIZ);
  omp_lock_t lock;
  omp_init_lock(&lock);
  line("serial");
#pragma omp parallel for ordered schedule(static, 1)
  for (int i = 0; i < Lines; i++) {
#pragma omp ordered
    line("ordered");
  }
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < Lines; i++) {
#pragma omp critical
    line("critical");
  }
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < Lines; i++) {
    omp_set_lock(&lock);
    line("lock");
    omp_unset_lock(&lock);
  }
  line("serial");
#pragma omp parallel num_threads(4)
  for (int i = 0; i < Turns; i++) {
    const int mine = i * omp_get_num_threads() + omp_get_thread_num();
    int seen;
    do {
#pragma omp atomic read acquire
      seen = turn;
    } while (seen != mine);
    line("flag");
#pragma omp atomic write release
    turn = mine + 1;
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < Lines; i++)
#pragma omp task depend(inout : printed)
    line("task");
#pragma omp parallel for ordered(1)
  for (int i = 0; i < Lines; i++) {
#pragma omp ordered depend(sink : i - 1)
    line("doacross");
#pragma omp ordered depend(source)
  }
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 10; i++) {
    if (omp_get_thread_num() == i % 2)
      line("barrier");
#pragma omp barrier
  }
  omp_destroy_lock(&lock);
  return 0;
}
