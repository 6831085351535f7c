// Static schedules: contiguous parts in the order of the threads without a chunk size, round robin
// with one; all loop types and steps; the same parts in every loop of the same length.
#include "report.h"
#include <omp.h>

enum { Most = 131 };

static int owners[Most + 1], times[Most + 1];

static void contiguous(int length) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < length; i++) {
      owners[i] = omp_get_thread_num();
      times[i]++;
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; i++)
      expectInteger("same part in the next loop", i, omp_get_thread_num(), owners[i]);
  }
  for (int i = 1; i < length; i++)
    expectInteger("order of the parts", i, 1, owners[i] >= owners[i - 1]);
}

static void chunked(int length, int chunk) {
  int team = 1;
#pragma omp parallel
  {
#pragma omp single nowait
    team = omp_get_num_threads();
#pragma omp for schedule(static, chunk)
    for (long i = 0; i < length; i++) {
      owners[i] = omp_get_thread_num();
      times[i]++;
    }
  }
  for (int i = 0; i < length; i++)
    expectInteger("round robin", i, i / chunk % team, owners[i]);
}

int main(void) {
  const int lengths[] = {0, 1, 2, 3, 7, 16, 64, Most};
  for (int l = 0; l < 8; l++) {
    for (int i = 0; i <= Most; i++)
      times[i] = 0;
    contiguous(lengths[l]);
    for (int chunk = 1; chunk <= 40; chunk = chunk * 3 + 1)
      chunked(lengths[l], chunk);
    for (int i = 0; i <= Most; i++)
      expectInteger("times executed", i, i < lengths[l] ? 5 : 0, times[i]);
  }
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1000; i > -1000; i -= 7)
    sum += i;
  long expected = 0;
  for (int i = 1000; i > -1000; i -= 7)
    expected += i;
  expectInteger("loop that counts down", 0, expected, sum);
  unsigned long bits = 0;
#pragma omp parallel for reduction(^ : bits) schedule(static, 2)
  for (unsigned long i = ~0ul - 50; i < ~0ul; i++)
    bits ^= i * 3;
  unsigned long expectedBits = 0;
  for (unsigned long i = ~0ul - 50; i < ~0ul; i++)
    expectedBits ^= i * 3;
  expectInteger("loop at the end of unsigned long", 0, (long)expectedBits, (long)bits);
  return finish();
}
