// What the runtime does for a thread leaves no upper halves of vector registers in use: else each
// instruction of code that knows SSE only, as much of libm, would wait for the one before.
// RUN: %cc -O2 %s -o %t
// RUN: %run -n 2 -t 1 %t | %check %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
#include <cpuid.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { Numbers = 400000, UpperHalves = 1 << 2 };

/// Of the processor's state, if it tells.
static unsigned inUse(void) {
  unsigned a = 0, b, c, d;
  if (!__builtin_cpu_supports("avx") || !__get_cpuid_count(0xd, 1, &a, &b, &c, &d) || !(a & 4))
    return 0;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
  return a & UpperHalves;
}
static void expectClean(const char *where) {
  if (inUse())
    printf("upper halves are in use behind %s\n", where);
}

int main(void) {
  double *numbers = calloc(Numbers, sizeof(double)), *copies = calloc(Numbers, sizeof(double));
  static long counted[64], sum;
#pragma omp parallel
  for (int round = 0; round < 8; round++) {
#pragma omp for schedule(static, 1000)
    for (int i = 0; i < Numbers; i++)
      numbers[i] += i + round;
    expectClean("a loop");
#pragma omp for
    for (int i = 0; i < Numbers; i++)
      copies[i] = numbers[Numbers - 1 - i]; // of other nodes, which store there
    expectClean("a loop that fetches");
#pragma omp for nowait
    for (int i = 0; i < Numbers; i += 7) {
#pragma omp atomic
      counted[i % 64]++;
      numbers[i]++; // while others are served
    }
    expectClean("atomic updates");
#pragma omp critical
    sum += (long)copies[omp_get_thread_num()];
    expectClean("a critical section");
#pragma omp barrier
    expectClean("a barrier");
#pragma omp single
    sum++;
    expectClean("a single");
  }
  expectClean("a region");
  // CHECK-NOT: upper halves
  // CHECK: ends
  puts("ends");
  free(numbers);
  free(copies);
  return 0;
}
