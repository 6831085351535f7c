// Prefix sums: by doubling with a barrier in each step (two buffers that change roles), and by sums
// of chunks.
#include "report.h"
#include <omp.h>

enum { Length = 1500, Threads = 65 };

static long input[Length], ping[Length], pong[Length], chunked[Length], sums[Threads];

int main(void) {
  for (int i = 0; i < Length; i++)
    ping[i] = input[i] = i * 7 % 31 - 9;
  long *result = ping;
#pragma omp parallel
  {
    long *from = ping, *to = pong;
    for (int distance = 1; distance < Length; distance *= 2) {
#pragma omp for
      for (int i = 0; i < Length; i++)
        to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
      long *const kept = from;
      from = to;
      to = kept;
    }
#pragma omp single
    result = from;

    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int begin = (int)((long)Length * me / threads),
              end = (int)((long)Length * (me + 1) / threads);
    long sum = 0;
    for (int i = begin; i < end; i++)
      chunked[i] = sum += input[i];
    sums[me + 1] = sum;
#pragma omp barrier
#pragma omp master
    for (int t = 1; t <= threads; t++)
      sums[t] += sums[t - 1];
#pragma omp barrier
    for (int i = begin; i < end; i++)
      chunked[i] += sums[me];
  }
  long sum = 0;
  for (int i = 0; i < Length; i++) {
    sum += input[i];
    expectInteger("by doubling", i, sum, result[i]);
    expectInteger("by chunks", i, sum, chunked[i]);
  }
  return finish();
}
