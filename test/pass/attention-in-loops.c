// A thread looks for other nodes in loops of compiled programs, at every level, and goes on with what it had.
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: env OMPDSM_PASS_OPTIONS= %clang -O0 -I%inputs -fplugin=%plugin %s %t.stub.o -o %t && %limit %t | FileCheck %s
// RUN: env OMPDSM_PASS_OPTIONS= %clang -O3 -ffast-math -I%inputs -fplugin=%plugin %s %t.stub.o -o %t && %limit %t | FileCheck %s
// RUN: %clang -O3 -ffast-math -I%inputs -fplugin=%plugin %s %t.stub.o -o %t && %limit %t | FileCheck %s --check-prefix=WITHOUT
// CHECK: sum 499500, visits 4095, looks
// WITHOUT: sum 499500, visits 4095, no looks
#include "stub-runtime.h"
#include <stdio.h>

static double table[100][10];

__attribute__((noinline)) static double sumOf(int rows, int columns) {
  double sum = 0;
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < columns; k++)
      sum += table[i][k];
  return sum;
}

__attribute__((noinline)) static int visits(int depth) {
  return depth == 0 ? 0 : 1 + visits(depth - 1) + visits(depth - 1);
}

int main(int argc, char **argv) {
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < 10; k++)
      table[i][k] = i * 10 + k;
  size_t before = stubAttentions();
  double sum = sumOf(100 * argc, 10 * argc);
  const int inLoops = stubAttentions() >= before + 99;
  before = stubAttentions();
  int count = visits(12 * argc);
  const int inCalls = stubAttentions() > before;
  printf("sum %g, visits %d, %slooks\n", sum, count, inLoops && inCalls ? "" : "no ");
  return 0;
}
