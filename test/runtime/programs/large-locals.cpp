// Large local variables are shared as any memory, and end with their scope, however it is left: a slice of 1 GiB would be
// full soon. Those of threads in regions stay on their stacks.
// RUN: %cxx -O2 %s -o %t
// RUN: env OMPDSM_SLICE_GIB=1 OMPDSM_MAIN_STACK_MIB=16 %run -n 3 -t 2 %t 2>&1 | %check %s
// RUN: env OMPDSM_SLICE_GIB=1 OMPDSM_MAIN_STACK_MIB=16 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t 2>&1 | %check %s
// RUN: %check --check-prefix=MOVED --input-file=%t.json %s
// RUN: %cxx -O0 %s -o %t.O0
// RUN: env OMPDSM_SLICE_GIB=1 OMPDSM_MAIN_STACK_MIB=16 %run -n 2 -t 2 %t.O0 2>&1 | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// What node 1 writes in rows() has its home there.
// MOVED: "pages_migrated": {{[1-9]}}
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <stdexcept>

enum { N = 400, Large = 100000, Times = 3000 };

/// A field that all write, and read from their neighbours.
static double rows() {
  double a[N][N], b[N][N];
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = b[i][j] = i * j % 7;
  for (int step = 0; step < 20; step++) {
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        b[i][j] = a[i - 1][j] + a[i + 1][j] - a[i][j];
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        a[i][j] = b[i][j] > 100 ? 1 : b[i][j];
  }
  double sum = 0;
  for (auto &row : a)
    for (double value : row)
      sum += value;
  return sum;
}

/// Each frame has its own, also where it is left by an exception or a jump.
__attribute__((noinline)) static long leave(int how, std::jmp_buf &back, int depth) {
  long values[Large];
  values[0] = depth;
#pragma omp parallel for num_threads(2) if (depth == 0 && how % 100 == 0)
  for (int i = 1; i < Large; i += 1000)
    values[i] = i;
  if (depth != 0)
    return leave(how, back, depth - 1) + values[0];
  if (how % 3 == 0)
    throw std::runtime_error("left");
  if (how % 3 == 1)
    std::longjmp(back, 1);
  return values[how % 100 * 1000 + 1];
}

static long leaveOften() {
  volatile long sum = 0, jumps = 0, throws = 0;
  for (volatile int how = 0; how < Times; how = how + 1) {
    std::jmp_buf back;
    if (setjmp(back) != 0) {
      jumps = jumps + 1;
      continue;
    }
    try {
      sum = sum + leave(how, back, 2);
    } catch (const std::runtime_error &) {
      throws = throws + 1;
    }
  }
  std::printf("jumps %ld, throws %ld\n", jumps, throws);
  return sum;
}

/// Of a size that is not known, one after the other.
static long scopes(int n) {
  long sum = 0;
  for (int times = 0; times < Times; times++) {
    long values[n + times], *shared = values;
#pragma omp parallel for num_threads(2) if (times % 100 == 0)
    for (int i = 0; i < n; i += 500)
      shared[i] = i;
    sum += shared[n / 1000 * 500];
  }
  return sum;
}

/// Threads' own, passed to who must not see others'.
__attribute__((noinline)) static void fill(long *values, long value) {
  for (int i = 0; i < Large; i++)
    values[i] = value;
}
static bool areApart() {
  bool apart = true;
#pragma omp parallel reduction(&& : apart)
  for (int times = 0; times < 5; times++) {
    long values[Large];
    fill(values, omp_get_thread_num());
#pragma omp barrier
    for (long value : values)
      apart = apart && value == omp_get_thread_num();
  }
  return apart;
}

int main() {
  // CHECK: sum -1.05541e+11
  std::printf("sum %g\n", rows());
  // CHECK: jumps 1000, throws 1000
  // CHECK: left 49504000
  std::printf("left %ld\n", leaveOften());
  // CHECK: scopes 150000000
  std::printf("scopes %ld\n", scopes(Large));
  // CHECK: apart 1
  std::printf("apart %d\n", areApart());
  // CHECK-NOT: OMPDSM_SLICE_GIB
}
