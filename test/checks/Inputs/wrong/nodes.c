// nodes.c: answers otherwise with more threads, which two nodes have.
#include <omp.h>
#include <stdio.h>

int main(void) {
  printf("%d\n", omp_get_max_threads());
  return 0;
}
