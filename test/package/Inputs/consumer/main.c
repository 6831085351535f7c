#include <omp.h>
#include <stdio.h>
long sumOf(const int *values, int count);
static int values[1000];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    values[i] = i + 1000 * (omp_get_num_threads() != 6);
  printf("sum %ld\n", sumOf(values, 1000));
}
