// late-store.c: one thread of node 1 stores in a long loop without synchronisation while the other releases.
#include <omp.h>
#include <stdio.h>

_Alignas(256) static volatile unsigned char cells[256];

int main(void) {
#pragma omp parallel num_threads(4)
  {
    const int me = omp_get_thread_num();
    if (me == 2) {
      for (int i = 0; i < 20000; ++i)
        cells[i % 100] = (unsigned char)i;
    } else if (me == 3) {
      for (int i = 0; i < 3; ++i) {
        cells[128 + i] = (unsigned char)i;
#pragma omp flush
      }
    } else if (me == 0) {
      cells[200] = 1;
    }
#pragma omp barrier
    if (me == 1 && cells[99] != (unsigned char)19999)
      printf("wrong\n");
  }
}
