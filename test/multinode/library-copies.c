// Texts that the C library itself allocates and writes (strdup, strndup, asprintf), in memory that is
// used again and again: every thread sees the new ones, made serially or by another thread.
#define _GNU_SOURCE
#include "report.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { Rounds = 12, MaxThreads = 16 };
static char *published[MaxThreads];

static int isText(const char *text, int round, int who) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "text of round %d by %d, long enough", round, who);
  return strcmp(text, wanted) == 0;
}

int main(void) {
  char source[64];
  for (int round = 0; round < Rounds; round++) {
    snprintf(source, sizeof source, "text of round %d by %d, long enough", round, -1);
    char *copy = round % 2 ? strdup(source) : strndup(source, 60);
    char *formatted = NULL;
    expectInteger("asprintf", round, (int)strlen(source), asprintf(&formatted, "%s", source));
#pragma omp parallel
    {
      const int self = omp_get_thread_num(), threads = omp_get_num_threads();
      expectInteger("copy", self, 1, isText(copy, round, -1));
      expectInteger("formatted", self, 1, isText(formatted, round, -1));
      for (int turn = 0; turn < 3; turn++) {
        char mine[64];
        snprintf(mine, sizeof mine, "text of round %d by %d, long enough", round * 3 + turn, self);
        published[self] = turn % 2 ? strdup(mine) : strndup(mine, 100);
#pragma omp barrier
        for (int other = 0; other < threads; other++)
          expectInteger("published", other, 1, isText(published[other], round * 3 + turn, other));
#pragma omp barrier
        free(published[(self + turn) % threads]);
#pragma omp barrier
      }
    }
    free(copy);
    free(formatted);
  }
  return finish();
}
