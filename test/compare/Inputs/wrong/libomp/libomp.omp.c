// libomp.omp.c: answers otherwise with more threads, which libomp and two nodes have.
#include <stdio.h>

int main(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  printf("rounds 2\nseconds 1\nanswer %d\n", threads);
  return 0;
}
