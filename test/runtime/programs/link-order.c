// Instrumented objects behind -lompdsm, as those that link-time optimisation makes: their globals lie behind what ends the
// section at a page. That is fine where nothing else lies in its last page, as the sections of the file say; else it is noticed
// before it can do harm.
// RUN: %cc -c -DLATE %s -o %t.late.o
// RUN: %cc -c %s -o %t.o
// RUN: %plain-cc %t.o -L%build/lib -lompdsm %t.late.o -Wl,-rpath,%build/lib -lomp -o %t.late
// RUN: %run -n 2 %t.late | %check --check-prefix=RIGHT %s
// RUN: llvm-objcopy --strip-sections %t.late %t.wrong
// RUN: { ! %run -n 2 %t.wrong; } 2>&1 | %check --check-prefix=WRONG %s
// WRONG: link-order.c.tmp.wrong: the section ompdsm_{{.*}} shares its last page with others, because instrumented objects or archives follow -lompdsm on the link line: put -lompdsm after them
// RUN: %plain-cc %t.o %t.late.o -L%build/lib -lompdsm -Wl,-rpath,%build/lib -lomp -o %t.right
// RUN: %run -n 2 %t.right | %check --check-prefix=RIGHT %s
// RUN: %cc -flto -fuse-ld=lld -O2 -c -DLATE %s -o %t.lto-late.o
// RUN: %cc -flto -fuse-ld=lld -O2 %s %t.lto-late.o -o %t.lto && %run -n 2 %t.lto | %check --check-prefix=RIGHT %s
// libtool asks the compiler what it links by itself, and names that again: for each linker the image's object is there once.
// RUN: %cc %t.o %t.late.o -lompdsm -o %t.twice && %run -n 2 %t.twice | %check --check-prefix=RIGHT %s
// RUN: %cc -fuse-ld=lld %t.o %t.late.o -lompdsm -o %t.twice && %run -n 2 %t.twice | %check --check-prefix=RIGHT %s
// RUN: %cc -Wl,--gc-sections %t.o %t.late.o -lompdsm -lompdsm -o %t.twice && %run -n 2 %t.twice | %check --check-prefix=RIGHT %s
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
