// Irregular loops over objects that are wholly valid, partly, or not at all, on each node another: heap objects of all
// sizes, side by side, grown, freed and allocated again, globals, arrays on stacks, pointers into the middle of objects.
#include "report.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { Rounds = 3 };

static long table[3000], large[60000];

static unsigned next(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u; }

/// Elements at random places, and some conditionally.
static long gather(const long *values, const int *index, long count) {
  long sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (long i = 0; i < count; i++) {
    sum += values[index[i]];
    if (index[i] % 3 == 0)
      sum += values[(index[i] + i) % count];
  }
  return sum;
}

/// Each element once, at computed places.
static void scatter(long *values, const int *permutation, long count, long add) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < count; i++)
    if (permutation[i] % 5 != 0)
      values[permutation[i]] += add;
}

static long expectedGather(const long *values, const int *index, long count) {
  long sum = 0;
  for (long i = 0; i < count; i++)
    sum += values[index[i]] + (index[i] % 3 == 0 ? values[(index[i] + i) % count] : 0);
  return sum;
}

static void play(const char *what, long *values, long count, unsigned seed) {
  int *permutation = malloc((size_t)count * sizeof *permutation);
  for (long i = 0; i < count; i++)
    permutation[i] = (int)i, values[i] = i;
  for (long i = count - 1; i > 0; i--) {
    const long k = next(&seed) % (unsigned long)(i + 1);
    const int kept = permutation[i];
    permutation[i] = permutation[k], permutation[k] = kept;
  }
  for (int round = 0; round < Rounds; round++) {
    scatter(values, permutation, count, round + 1);
    // One thread changes few elements: all other nodes' copies are valid but for these.
#pragma omp parallel
    if (omp_get_thread_num() == round % omp_get_num_threads())
      values[count / 2] = -round, values[count - 1] += 7;
    const long got = gather(values, permutation, count);
    expectInteger(what, round, expectedGather(values, permutation, count), got);
    // Once more, now that much of it is valid everywhere.
    expectInteger(what, round, got, gather(values, permutation, count));
  }
  free(permutation);
}

static void playOnHeap(long count, unsigned seed) {
  long *before = malloc((size_t)count * sizeof *before), *values = malloc((size_t)count * sizeof *values),
       *behind = malloc((size_t)count * sizeof *behind);
  memset(before, 1, (size_t)count * sizeof *before);
  memset(behind, 2, (size_t)count * sizeof *behind);
  play("heap", values, count, seed);
  play("in the middle", values + count / 3, count - count / 3, seed + 1);
  values = realloc(values, 3 * (size_t)count * sizeof *values);
  play("grown", values, 3 * count, seed + 2);
  // Freed by another node, and allocated again with another size.
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    free(values);
  values = malloc(2 * (size_t)count * sizeof *values);
  play("again", values, 2 * count, seed + 3);
  // Of the last thread's node.
  long *others = NULL;
#pragma omp parallel shared(others)
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    others = malloc((size_t)count * sizeof *others);
  play("of another", others, count, seed + 4);
  for (long i = 0; i < count; i++) {
    expectInteger("before", i, 0x0101010101010101L, before[i]);
    expectInteger("behind", i, 0x0202020202020202L, behind[i]);
  }
  free(before), free(values), free(behind), free(others);
}

int main(void) {
  static const long counts[] = {5, 300, 2049, 9000, 40000};
  for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
    playOnHeap(counts[k], k * 10);
  play("global", table, 3000, 77);
  play("part of a global", table + 1000, 1000, 78);
  play("large global", large, 60000, 79);
  long onStack[700];
  play("stack", onStack, 700, 80);
  return finish();
}
