// released-before-confirmed.c: node 1 writes and releases what node 2 has read.
#include <omp.h>
#include <stdio.h>

_Alignas(256) static int numbers[64];

int main(void) {
#pragma omp parallel num_threads(3)
  for (int round = 0; round < 2; ++round) {
    const int me = omp_get_thread_num();
    (void)*(volatile int *)&numbers[4];
#pragma omp barrier
    if (me == 1) {
      numbers[0]++;
#pragma omp flush
      numbers[1]++;
    }
#pragma omp barrier
  }
  printf("%d\n", numbers[0]);
}
