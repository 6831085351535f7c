// report.h: records wrong values from any thread and prints them from serial code.
// A program calls the expect functions where it knows the right value, and returns finish() from
// main: exit code 0 and "ok", or 1 and the first wrong values (what, where, expected, got). Threads
// only record numbers and the addresses of string literals, and only when a value is wrong: a
// program that is right executes no synchronisation here that it did not write itself.
#ifndef REPORT_H
#define REPORT_H
#include <stdio.h>
#include <stdlib.h>

enum { ReportLimit = 8 };

struct ReportEntry {
  const char *what;
  long where;
  int isReal;
  long long expected, got;
  double expectedReal, gotReal;
};

static struct ReportEntry reportEntries[ReportLimit];
static long reportCount;

static inline void reportWrong(const struct ReportEntry *entry) {
#pragma omp critical(report)
  {
    if (reportCount < ReportLimit)
      reportEntries[reportCount] = *entry;
    reportCount++;
  }
}

static inline void expectInteger(const char *what, long where, long long expected, long long got) {
  if (expected != got) {
    struct ReportEntry entry = {what, where, 0, expected, got, 0, 0};
    reportWrong(&entry);
  }
}

/// Exact: the programs use values whose sums and products have no rounding, in any order.
static inline void expectReal(const char *what, long where, double expected, double got) {
  if (!(expected == got)) {
    struct ReportEntry entry = {what, where, 1, 0, 0, expected, got};
    reportWrong(&entry);
  }
}

/// Serial code only. The value is main's exit code.
static inline int finish(void) {
  for (long i = 0; i < reportCount && i < ReportLimit; i++) {
    const struct ReportEntry *e = &reportEntries[i];
    if (e->isReal)
      printf("wrong: %s at %ld: expected %.17g, got %.17g\n", e->what, e->where, e->expectedReal,
             e->gotReal);
    else
      printf("wrong: %s at %ld: expected %lld, got %lld\n", e->what, e->where, e->expected, e->got);
  }
  if (reportCount) {
    printf("%ld wrong values\n", reportCount);
    return 1;
  }
  printf("ok\n");
  return 0;
}

#endif
