// Variables of an executable at low addresses are shared as others are; where they are so large that they
// would meet the bytes that say who may access them, the program is told what to do.
// RUN: %cc -O2 -fno-PIE -no-pie %s -o %t -DELEMENTS=1000000
// RUN: %run -n 2 %t | %check %s
// RUN: %cc -O2 -fno-PIE -no-pie %s -o %t.large -DELEMENTS=16000000
// RUN: { ! %run -n 2 %t.large; } 2>&1 | %check --check-prefix=LARGE %s
// RUN: %cc -O2 -fPIE -pie %s -o %t.pie -DELEMENTS=16000000
// RUN: %run -n 2 %t.pie | %check %s
// LARGE: the variables of an executable that is not position-independent, at 0x{{[0-9a-f]+}}-0x{{[0-9a-f]+}}, are too large: compile it with -fPIE and link it with -pie
// CHECK: sum {{500000500000|128000008000000}}
#include <stdio.h>
static long values[ELEMENTS];
int main(void) {
  long sum = 0;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < ELEMENTS; i++)
    values[i] = i + 1;
#pragma omp parallel for schedule(static, 1000) reduction(+ : sum)
  for (long i = 0; i < ELEMENTS; i++)
    sum += values[i];
  printf("sum %ld\n", sum);
}
