// Functions that were not compiled with the plugin and get pointers from code that was are named at start,
// each with the place of a call, however they come into the program; those of the system's
// libraries, and those compiled with the plugin, are not.
// RUN: %plain-cc -O2 -DOBJECT -c %s -o %t.o && rm -f %t.a && ar rcs %t.a %t.o
// RUN: %plain-cc -O2 -DLIBRARY -fPIC -shared %s -o %t.so
// RUN: %cc -O2 -DOTHER -c %s -o %t.other.o
// RUN: %cc -O2 -g %s %t.other.o %t.o %t.so -o %t
// RUN: %run -n 2 %t 2>&1 | %check %s
// RUN: %cc -O2 %s %t.other.o %t.a %t.so -fuse-ld=lld -no-pie -Wl,--gc-sections -ffunction-sections -o %t.lld
// RUN: %run -n 2 %t.lld 2>&1 | %check %s
// RUN: %cc -O2 -flto -fuse-ld=lld %s %t.other.o %t.a %t.so -o %t.lto
// RUN: %run -n 2 %t.lto 2>&1 | %check %s
// On one node there is nothing to warn of, nor if the user knows.
// RUN: %run -n 1 %t 2>&1 | %check --check-prefix=QUIET %s
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 2 %t 2>&1 | %check --check-prefix=QUIET %s
// CHECK-DAG: ompdsm: warning: the program hands pointers to functions that were not compiled with ompdsm: inObject in {{[^ ]*}} (called at {{.*}}foreign-functions-are-named.c{{.*}}), inLibrary in foreign-functions-are-named.c.tmp.so (called at {{.*}}), usedAsPointer in foreign-functions-are-named.c.tmp.so (called at {{.*}}); on several nodes {{.*}}OMPDSM_WARN_FOREIGN=0
// CHECK-DAG: sum 21
// QUIET-NOT: warning
// QUIET: sum 21
#if defined OBJECT
int inObject(const int *p) { return *p; }
#elif defined LIBRARY
int inLibrary(const int *p) { return *p; }
int usedAsPointer(const int *p) { return *p; }
int byValue(int n) { return n; }
#elif defined OTHER
int instrumented(const int *p) { return *p; }
int instrumentedToo(const int *p) { return *p; }
#else
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int inObject(const int *p);
int inLibrary(const int *p);
int usedAsPointer(const int *p);
int byValue(int n);
int instrumented(const int *p);
int instrumentedToo(const int *p);
int neverCalled(const int *p) { return p ? inObject(p) : 0; }

static void atEnd(void) {}

int main(int argc, char **argv) {
  int n = argc, exponent;
  char text[40];
  int (*volatile pointer)(const int *) = usedAsPointer;
  time_t now;
  pthread_attr_t attributes;
  atexit(atEnd);
  time(&now);
  pthread_attr_init(&attributes);
  snprintf(text, sizeof text, "%f", frexp(0.5, &exponent));
  if (isatty(strlen(text)) || !getcwd(text, 0) == 2)
    abort();
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += inObject(&n) + inLibrary(&n) + usedAsPointer(&n) + pointer(&n) + byValue(n) +
         instrumented(&n) + instrumentedToo(&n);
  printf("sum %d\n", sum);
  free(strdup(argv[0]));
  return 0;
}
#endif
