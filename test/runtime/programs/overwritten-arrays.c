// What a thread overwrites whole is not fetched before: with the check of a section that will be
// overwritten, 32 MB of another node are sent once, without it they travel both ways. Rows with
// gaps keep what lies between them, and functions of the C library that overwrite do the same.
// RUN: %cc -O2 -DOVERWRITE=__ompdsm_section_overwrite %s -o %t.overwrite
// RUN: %cc -O2 -DOVERWRITE=__ompdsm_section_write %s -o %t.write
// RUN: env OMPDSM_MIGRATE=0 %run -n 2 -t 1 --stats %t.overwrite 2>%t.stats | %check %s
// RUN: %check --check-prefix=ONCE --input-file=%t.stats %s
// RUN: env OMPDSM_MIGRATE=0 %run -n 2 -t 1 --stats %t.write 2>%t.stats | %check %s
// RUN: %check --check-prefix=TWICE --input-file=%t.stats %s
// RUN: %run -n 3 -t 2 %t.overwrite | %check %s
// RUN: env OMPDSM_PAGE_FAULTS=0 %run -n 2 -t 2 %t.overwrite | %check %s
// RUN: env OMPDSM_CACHE_LIMIT=1M %run -n 2 -t 2 %t.overwrite | %check %s
// RUN: env OMP_NUM_THREADS=2 %t.overwrite | %check %s
// Megabytes fetched by node 1 (the third number), and sent by it (the sixth).
// ONCE: {{^ompdsm: +1( +[0-9.]+){2} +[0-2]\.[0-9] +[0-9]+ +[0-9]+ +3[3-6]\.[0-9] }}
// TWICE: {{^ompdsm: +1( +[0-9.]+){2} +3[3-6]\.[0-9] }}
// CHECK: right
#include "expect.h"
#include <omp.h>
#include <string.h>
#include <strings.h>

void OVERWRITE(void *p, size_t bytes, ptrdiff_t stride0, size_t rows0, ptrdiff_t stride1,
               size_t rows1);

enum { N = 4 << 20, Row = 700, Stride = 1000, Rows = 40 };

static long value(long i) { return i * 5 + 1; }
static long wrong;

static void bigArray(long *array) {
#pragma omp parallel for
  for (int thread = 0; thread < omp_get_num_threads(); ++thread)
    if (thread + 1 == omp_get_num_threads()) {
      OVERWRITE(array, N * sizeof *array, 0, 1, 0, 1);
      for (long i = 0; i < N; ++i)
        array[i] = value(i);
    }
  for (long i = 0; i < N; ++i)
    wrong += array[i] != value(i);
}

static void rows(long *table) {
  for (long i = 0; i < Stride * Rows; ++i)
    table[i] = -i;
#pragma omp parallel
  if (omp_get_thread_num() + 1 == omp_get_num_threads()) {
    OVERWRITE(table, Row * sizeof *table, Stride * sizeof *table, Rows, 0, 1);
    for (long row = 0; row < Rows; ++row)
      for (long i = 0; i < Row; ++i)
        table[row * Stride + i] = value(i);
  }
  for (long row = 0; row < Rows; ++row)
    for (long i = 0; i < Stride; ++i)
      wrong += table[row * Stride + i] != (i < Row ? value(i) : -(row * Stride + i));
}

static void library(char *a, char *b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    a[i] = b[i] = (char)(i * 3);
#pragma omp parallel
  if (omp_get_thread_num() + 1 == omp_get_num_threads()) {
    bzero(a + 100, bytes / 2);
    void *(*volatile move)(void *, const void *, size_t) = memmove; // no intrinsic of the compiler
    move(b + 1000, b, bytes - 1000);
  }
  for (size_t i = 0; i < bytes; ++i) {
    wrong += a[i] != (i < 100 || i >= 100 + bytes / 2 ? (char)(i * 3) : 0);
    wrong += b[i] != (char)((i < 1000 ? i : i - 1000) * 3);
  }
}

int main(void) {
  long *array = malloc(N * sizeof *array);
  for (long i = 0; i < N; ++i)
    array[i] = i;
  bigArray(array);
  rows(array);
  library((char *)array, (char *)(array + N / 2), 1 << 20);
  free(array);
  printf(wrong ? "%ld wrong\n" : "right\n", wrong);
  return 0;
}
