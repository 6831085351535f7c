// Hints change what nodes ask for, not what they compute: with them the other nodes find their parts
// of the arrays at home, and the table in place; without them they send what they wrote to node 0.
// RUN: %cc -O2 -DHINTS %s -o %t.hints
// RUN: %cc -O2 %s -o %t.plain
// RUN: %run -n 3 -t 1 --stats %t.hints 2>%t.stats | %check %s
// RUN: %check --check-prefix=FEW --input-file=%t.stats %s
// RUN: %run -n 3 -t 1 --stats %t.plain 2>%t.stats | %check %s
// RUN: %check --check-prefix=MANY --input-file=%t.stats %s
// RUN: %run -n 2 -t 2 --provider tcp %t.hints | %check %s
// RUN: %run -n 1 -t 2 %t.hints | %check %s
// RUN: OMP_NUM_THREADS=2 %t.hints | %check %s
// What cannot be distributed is said, once; hints in regions do nothing.
// FEW: ompdsm: warning: the hint at {{.*}}hints.c:[[#SMALL:]] has no effect: the object is too small; for what a pointer points to, write p[0:n]
// Megabytes sent (the sixth number): with hints the parts are at home where they are written.
// FEW-DAG: {{^ompdsm: +1( +[0-9.]+){5} +0\.[0-9] }}
// FEW-DAG: {{^ompdsm: +2( +[0-9.]+){5} +0\.[0-9] }}
// MANY-DAG: {{^ompdsm: +1( +[0-9.]+){5} +[1-9]\.[0-9] }}
// MANY-DAG: {{^ompdsm: +2( +[0-9.]+){5} +[1-9]\.[0-9] }}
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N (1L << 20)
static double global[N];
static double table[4096];

int main(void) {
  double *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
  for (long i = 0; i < N; ++i)
    a[i] = i % 7;
  for (int i = 0; i < 4096; ++i)
    table[i] = i;
#ifdef HINTS
#pragma ompdsm distribute(block: a[0:N], b[:N], global)
#pragma ompd broadcast(table)
#endif
  for (int step = 0; step < 3; ++step) {
    table[step] += 1;
#ifdef HINTS
#pragma ompdsm broadcast(table)
#pragma ompdsm distribute(block: b)
#endif
#pragma omp parallel
    {
#ifdef HINTS
#pragma ompd broadcast(table)
#pragma ompdsm distribute(block: a[0:N])
#endif
#pragma omp for
      for (long i = 0; i < N; ++i) {
        b[i] = a[i] + table[i % 4096] * step;
        global[i] += b[i];
      }
    }
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < N; ++i)
    sum += global[i];
  printf("sum %.0f\n", sum);
  // CHECK: sum 6450317294
  return 0;
}
