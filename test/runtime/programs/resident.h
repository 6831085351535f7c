// resident.h: how much memory this process has.
#ifndef RESIDENT_H
#define RESIDENT_H
#include "expect.h"
#include <stdio.h>

static inline long residentBytes(void) {
  long pages = -1;
  FILE *statm = fopen("/proc/self/statm", "r");
  EXPECT(statm && fscanf(statm, "%*d %ld", &pages) == 1);
  fclose(statm);
  return pages * 4096;
}

#endif
