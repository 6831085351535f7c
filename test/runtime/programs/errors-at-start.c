// What goes wrong before main is said once, with what to do about it.
// A program without the plugin runs on one node only:
// RUN: %plain-cc -fopenmp %s -o %t.plain -L%build/lib -l:libompdsm.so.0 -Wl,-rpath,%build/lib
// RUN: %run -n 1 %t.plain | %check --check-prefix=RAN %s
// RUN: { ! %run -n 2 %t.plain; } 2>&1 | %check --check-prefix=PLAIN %s
// PLAIN: was not compiled with the plugin of ompdsm, so it cannot run on 2 nodes: compile and link it with ompdsm-clang
// Options:
// RUN: %cc %s -o %t
// RUN: { ! env OMPDSM_BLOCK_SMALL=100 %run -n 2 %t; } 2>&1 | %check --check-prefix=OPTION %s
// OPTION: OMPDSM_BLOCK_SMALL is '100', but must be a power of two
// RUN: { ! env OMPDSM_FAULT=nonsense %run -n 2 %t; } 2>&1 | %check --check-prefix=FAULT %s
// FAULT: OMPDSM_FAULT: {{.*}}nonsense
// A range that is taken (the program itself lies there):
// RUN: { ! env OMPDSM_SEGMENT_BASE=0x555540000000 %run -n 2 %t; } 2>&1 | %check --check-prefix=TAKEN %s
// TAKEN: cannot reserve the shared segment at 0x555540000000-{{.*}} this mapping is in the way: 5555{{.*}}errors-at-start{{.*}}OMPDSM_SEGMENT_BASE
// RUN: env OMPDSM_SEGMENT_BASE=0x300000000000 %run -n 2 %t | %check --check-prefix=RAN %s
// RAN: ran
#include <stdio.h>
int main(void) { puts("ran"); }
