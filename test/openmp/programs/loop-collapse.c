// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// collapse(2..4), rectangular with mixed types and steps, and non-rectangular; every iteration once,
// under all schedules, and lastprivate from the sequentially last one.
#include "check.h"
#include <omp.h>
#include <string.h>

static int hits[12][13][14];
static int triangle[40][80];

static void expectCube(int ni, int nj, int nk, int wanted) {
  int bad = 0;
  for (int i = 0; i < ni; i++)
    for (int j = 0; j < nj; j++)
      for (int k = 0; k < nk; k++)
        bad += hits[i][j][k] != wanted;
  EXPECT_EQUAL(0, bad);
  memset(hits, 0, sizeof hits);
}
static void expectTriangle(int line) {
  int bad = 0;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 80; j++)
      bad += triangle[i][j] != (j >= i && j < 2 * i + 1);
  if (bad)
    fprintf(stderr, "line %d\n", line);
  EXPECT_EQUAL(0, bad);
  memset(triangle, 0, sizeof triangle);
}

// (monotonic, because stealing of libomp loses the flag of the last iteration now and then.)
int main(void) {
#pragma omp parallel
  {
#pragma omp for collapse(2)
    for (int i = 0; i < 12; i++)
      for (int j = 12; j >= 0; j--)
        for (int k = 0; k < 14; k++)
          hits[i][j][k]++;
#pragma omp for collapse(3) schedule(monotonic : dynamic, 7)
    for (short i = 11; i >= 0; i--)
      for (unsigned long j = 0; j < 13; j++)
        for (int k = 0; k <= 13; k++)
          hits[i][j][k]++;
#pragma omp for collapse(3) schedule(static, 5)
    for (int i = 0; i != 12; i++)
      for (int j = 0; j < 13; j += 1)
        for (char k = 13; k > -1; k -= 1)
          hits[i][j][(int)k]++;
#pragma omp for collapse(3) schedule(guided)
    for (long i = 0; i < 12; i++)
      for (int j = 0; j < 13; j++)
        for (int k = 0; k < 14; k++)
          hits[i][j][k]++;
  }
  expectCube(12, 13, 14, 4);

  int count = 0, a = -1, b = -1, c = -1, d = -1;
#pragma omp parallel for collapse(4) reduction(+ : count) lastprivate(a, b, c, d) schedule(monotonic : dynamic, 3)
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 6; j += 2)
      for (int k = 7; k > 0; k -= 3)
        for (int l = -2; l < 3; l++)
          count++, a = i, b = j, c = k, d = l;
  EXPECT_EQUAL(5 * 3 * 3 * 5, count);
  EXPECT_EQUAL(4, a);
  EXPECT_EQUAL(4, b);
  EXPECT_EQUAL(1, c);
  EXPECT_EQUAL(2, d);

  int x, y, z;
#pragma omp parallel for collapse(3) lastprivate(x, y, z)
  for (x = 0; x < 3; x++)
    for (y = 10; y > 2; y -= 3)
      for (z = 0; z < 5; z += 2)
        ;
  EXPECT_EQUAL(3, x);
  EXPECT_EQUAL(1, y);
  EXPECT_EQUAL(6, z);

#pragma omp parallel for collapse(2)
  for (int i = 0; i < 40; i++)
    for (int j = i; j < 2 * i + 1; j++)
      triangle[i][j]++;
  expectTriangle(__LINE__);
#pragma omp parallel for collapse(2) schedule(monotonic : dynamic, 4)
  for (int i = 0; i < 40; i++)
    for (int j = i; j < 2 * i + 1; j++)
      triangle[i][j]++;
  expectTriangle(__LINE__);
#pragma omp parallel for collapse(2) schedule(guided)
  for (int i = 0; i < 40; i++)
    for (int j = i; j < 2 * i + 1; j++)
      triangle[i][j]++;
  expectTriangle(__LINE__);
  long sum = 0, wanted = 0;
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 10; j++)
      for (int k = 0; k < j + 1; k++)
        wanted += i * 100 + j * 10 + k;
#pragma omp parallel for collapse(3) reduction(+ : sum)
  for (int i = 0; i < 10; i++)
    for (int j = i; j < 10; j++)
      for (int k = 0; k < j + 1; k++)
        sum += i * 100 + j * 10 + k;
  EXPECT_EQUAL(wanted, sum);
  return checkResult();
}
