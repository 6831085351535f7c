// Instrumented objects behind -lompdsm are noticed before they can do harm: their globals would share
// pages with what is not shared.
// RUN: %cc -c -DLATE %s -o %t.late.o
// RUN: %cc -c %s -o %t.o
// RUN: %plain-cc %t.o -L%build/lib -lompdsm %t.late.o -Wl,-rpath,%build/lib -lomp -o %t.wrong
// RUN: { ! %run -n 2 %t.wrong; } 2>&1 | %check --check-prefix=WRONG %s
// WRONG: link-order.c.tmp.wrong: the section ompdsm_{{.*}} does not end at a page, because instrumented objects or archives follow -lompdsm on the link line: put -lompdsm after them
// In the right order, the same command is fine:
// RUN: %plain-cc %t.o %t.late.o -L%build/lib -lompdsm -Wl,-rpath,%build/lib -lomp -o %t.right
// RUN: %run -n 2 %t.right | %check --check-prefix=RIGHT %s
// RIGHT: 42
#include <stdio.h>
#ifdef LATE
int late[3] = {41};
#else
extern int late[3];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  late[0]++;
  printf("%d\n", late[0]);
}
#endif
