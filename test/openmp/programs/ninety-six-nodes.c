// Ninety-six nodes: barriers, a reduction, each with all others, and blocks that more than 64 nodes share.
// RUN: %build-c && %run -n 96 -t 1 %t
#include <omp.h>
#include <stdio.h>

enum { kNodes = 96, kWords = 16 };

static int sent[kNodes][kNodes], sums[kNodes], everybodys[kWords];

/// Written by one thread, read by all.
static int wrongAfter(int writer, int value) {
  int wrong = 0;
  if (omp_get_thread_num() == writer)
    for (int k = 0; k < kWords; ++k)
      everybodys[k] = value + k;
#pragma omp barrier
  for (int k = 0; k < kWords; ++k)
    wrong += everybodys[k] != value + k;
#pragma omp barrier
  return wrong;
}

int main(void) {
  int wrong = 0, threads = 0;
  long sum = 0;
#pragma omp parallel reduction(+ : sum, wrong, threads)
  {
    const int me = omp_get_thread_num();
    threads += omp_get_num_threads() == kNodes;
    sum += me;
    for (int to = 0; to < kNodes; ++to)
      sent[me][to] = me * 1000 + to;
#pragma omp barrier
    for (int from = 0; from < kNodes; ++from) {
      wrong += sent[from][me] != from * 1000 + me;
      sums[me] += sent[from][me];
    }
    // All have a copy when the next one writes: one at the block's home, two elsewhere.
    wrong += wrongAfter(0, 500) + wrongAfter(kNodes - 1, 70) + wrongAfter(65, 9000) + wrongAfter(0, 1);
  }
  for (int me = 0; me < kNodes; ++me)
    wrong += sums[me] != 1000 * (kNodes * (kNodes - 1) / 2) + kNodes * me;
  if (threads != kNodes || sum != kNodes * (kNodes - 1) / 2 || wrong != 0) {
    printf("%d threads, sum %ld, %d wrong\n", threads, sum, wrong);
    return 1;
  }
  return 0;
}
