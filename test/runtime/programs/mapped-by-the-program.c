// What node 0 maps by itself is not on the other nodes, and the message says so.
// RUN: %cc -O1 %s -o %t && %run -n 1 -t 2 %t
// RUN: { ! %run -n 2 -t 1 %t; } 2>&1 | %check %s
// CHECK: ompdsm: node 1 has no memory at 0x{{[0-9a-f]+}}, where thread 1 of a parallel region looks: what node 0 maps by itself (mmap, shmat) other nodes do not have
// CHECK: node 1 {{.*}} was killed by signal 11
#include <sys/mman.h>
int main(void) {
  const long n = 1 << 16;
  double *a = mmap(0, n * sizeof *a, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    a[i] = i;
    sum += a[i];
  }
  return sum != n * (n - 1.0) / 2;
}
