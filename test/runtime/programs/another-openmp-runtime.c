// A program that names GNU's OpenMP runtime, too, has LLVM's threads, also in libraries.
// RUN: %cc -O2 -DLIBRARY -fPIC -shared %s -o %t.library.so
// RUN: %cc -O2 %s %t.library.so -Wl,--no-as-needed -l:libgomp.so.1 -o %t
// RUN: env OMP_NUM_THREADS=2 %t | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// RUN: env OMP_NUM_THREADS=2 %run -n 2 %t | %check %s
// CHECK: 1 1 4
#include <omp.h>
#include <stdio.h>
#ifdef LIBRARY
int regions(int *seen) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp critical
  {
    seen[omp_get_thread_num()]++;
    sum += omp_get_num_threads();
  }
  return sum;
}
#else
int regions(int *seen);
int main(void) {
  int seen[2] = {0};
  const int sum = regions(seen);
  printf("%d %d %d\n", seen[0], seen[1], sum);
}
#endif
