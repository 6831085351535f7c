/* expect.h: checks in the programs of this suite. A failed one says where and ends the job. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
  ((condition) ? (void)0                                                                           \
               : (fprintf(stderr, "%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition),           \
                  fflush(stderr), _Exit(1)))

/* The segment begins here unless OMPDSM_SEGMENT_BASE says otherwise; 64 GiB for each node. */
#define SEGMENT 0x200000000000ul
#define SLICE (64ul << 30)
static inline int isShared(const void *p) {
  return (unsigned long)p >= SEGMENT && (unsigned long)p < SEGMENT + 64 * SLICE;
}
static inline int ownerOf(const void *p) { return (int)(((unsigned long)p - SEGMENT) / SLICE); }
