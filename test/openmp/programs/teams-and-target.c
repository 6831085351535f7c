// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// teams, distribute and the combined constructs on the host; target regions with map clauses that run
// on the host because there is no device.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 500 };
static int hits[N], global = 3;
#pragma omp declare target
static int twice(int x) { return 2 * x; }
static int onDevice = 4;
#pragma omp end declare target

int main(void) {
  int teams = 0, members = 0;
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : members)
  {
    if (omp_get_team_num() == 0)
      teams = omp_get_num_teams();
#pragma omp parallel reduction(+ : members)
    members++;
  }
  EXPECT(teams >= 1 && teams <= 3);
  EXPECT(members >= teams && members <= 2 * teams);

  long sum = 0;
  int last = 0;
#pragma omp teams distribute parallel for reduction(+ : sum) lastprivate(last)
  for (int i = 0; i < N; i++) {
    hits[i]++;
    sum += i;
    last = i;
  }
  EXPECT_EQUAL(N * (N - 1) / 2, sum);
  EXPECT_EQUAL(N - 1, last);
#pragma omp teams
#pragma omp distribute
  for (int i = 0; i < N; i += 10)
#pragma omp parallel for
    for (int k = i; k < i + 10; k++)
      hits[k]++;
#pragma omp teams distribute parallel for simd collapse(2) dist_schedule(static, 3) schedule(static, 2)
  for (int i = 0; i < N / 10; i++)
    for (int k = 0; k < 10; k++)
      hits[10 * i + k]++;
#pragma omp teams distribute simd
  for (int i = 0; i < N; i++)
    hits[i]++;
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(4, hits[i]);

  int local = 5, array[20], *heap = malloc(N * sizeof *heap);
  for (int i = 0; i < N; i++)
    heap[i] = i;
  for (int i = 0; i < 20; i++)
    array[i] = i;
#pragma omp target map(tofrom : local, array) map(tofrom : heap[0 : N]) map(tofrom : global)
  {
    local += global;
    global++;
    for (int i = 0; i < 20; i++)
      array[i] += twice(i);
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      heap[i] += onDevice;
  }
  EXPECT_EQUAL(8, local);
  EXPECT_EQUAL(4, global);
  for (int i = 0; i < 20; i++)
    EXPECT_EQUAL(3 * i, array[i]);
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(i + 4, heap[i]);

  sum = 0;
#pragma omp target data map(to : heap[0 : N]) map(from : array)
  {
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
    for (int i = 0; i < N; i++)
      sum += heap[i];
#pragma omp target
    for (int i = 0; i < 20; i++)
      array[i] = 7 * i;
#pragma omp target update from(array)
  }
  EXPECT_EQUAL(N * (N - 1) / 2 + 4 * N, sum);
  for (int i = 0; i < 20; i++)
    EXPECT_EQUAL(7 * i, array[i]);
#pragma omp target enter data map(to : heap[0 : N])
#pragma omp target parallel for map(heap[0 : N])
  for (int i = 0; i < N; i++)
    heap[i] = -heap[i];
#pragma omp target exit data map(from : heap[0 : N])
  EXPECT_EQUAL(-N - 3, heap[N - 1]);
  int firstprivate = 9;
#pragma omp target firstprivate(firstprivate)
  firstprivate++;
  EXPECT_EQUAL(9, firstprivate);
  // A region after all that.
  int threads = 0, count = 0;
#pragma omp parallel reduction(+ : count)
  {
    count++;
#pragma omp single
    threads = omp_get_num_threads();
  }
  EXPECT_EQUAL(threads, count);
  free(heap);
  return checkResult();
}
