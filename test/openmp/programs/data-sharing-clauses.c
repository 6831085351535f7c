// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// Data-sharing clauses: default(none), private of arrays and structs, firstprivate of what the region
// before made, shared locals of callers, private in nested constructs, variables in inner scopes.
#include "check.h"
#include <omp.h>
#include <string.h>

struct Point {
  int x, y;
  char tag[9];
};
static int global = 4, globalArray[12];

static int useGlobal(void) { return global; }

static void withPointers(int *out, int n, const int *in, struct Point *points) {
#pragma omp parallel for default(none) shared(out, in, points) firstprivate(n)
  for (int i = 0; i < n; i++) {
    int inner[3] = {i, i + 1, i + 2};
    struct Point p = points[i];
    p.x += inner[2];
    out[i] = in[i] + p.x - p.y;
    points[i].tag[i % 9] = 'a' + i % 26;
  }
}
static int vararg(int n, int matrix[n][n], int rows[n]) {
  int copy[n], wrong = 0;
  for (int i = 0; i < n; i++)
    copy[i] = i;
#pragma omp parallel firstprivate(copy) reduction(+ : wrong)
  {
    for (int i = 0; i < n; i++)
      copy[i] += omp_get_thread_num();
#pragma omp for
    for (int i = 0; i < n; i++) {
      rows[i] = 0;
      for (int k = 0; k < n; k++)
        rows[i] += matrix[i][k];
    }
    for (int i = 0; i < n; i++)
      wrong += copy[i] != i + omp_get_thread_num() || rows[i] != n * i + n * (n - 1) / 2;
  }
  for (int i = 0; i < n; i++)
    wrong += copy[i] != i;
  return wrong;
}

int main(void) {
  int a = 1, b = 2, c[4] = {1, 2, 3, 4}, wrong = 0;
  struct Point p = {5, 6, "point"};
  double shared = 0;
#pragma omp parallel private(a, c) firstprivate(b, p) shared(shared) reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    a = me;
    for (int i = 0; i < 4; i++)
      c[i] = me * i;
    b += me;
    p.x += me;
    p.tag[0] = 'A' + me % 26;
#pragma omp barrier
    wrong += a != me || b != 2 + me || p.x != 5 + me || p.y != 6 || p.tag[0] != 'A' + me % 26 || strcmp(p.tag + 1, "oint");
    for (int i = 0; i < 4; i++)
      wrong += c[i] != me * i;
    // Private again in a construct inside.
#pragma omp for private(a)
    for (int i = 0; i < 20; i++) {
      a = i;
#pragma omp atomic
      shared += a;
    }
    wrong += a != me || b != 2 + me;
#pragma omp single private(a)
    {
      a = -100;
      globalArray[0] = 2 * a;
    }
    wrong += a != me || b != 2 + me || globalArray[0] != -200;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT(shared == 190);
  EXPECT(a == 1 && b == 2 && c[3] == 4 && p.x == 5 && p.tag[0] == 'p');

  // A global that is private in the region is the shared one in functions.
#pragma omp parallel private(global) reduction(+ : wrong)
  {
    global = 1000 + omp_get_thread_num();
    wrong += useGlobal() != 4;
#pragma omp barrier
    wrong += global != 1000 + omp_get_thread_num();
  }
#pragma omp parallel firstprivate(global, globalArray) reduction(+ : wrong)
  {
    wrong += global != 4 || globalArray[0] != -200;
    globalArray[1] = global += omp_get_thread_num();
#pragma omp barrier
    wrong += globalArray[1] != 4 + omp_get_thread_num();
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(0, globalArray[1]);

  int in[100], out[100];
  struct Point points[100];
  for (int i = 0; i < 100; i++) {
    in[i] = i;
    points[i] = (struct Point){2 * i, i, "12345678"};
  }
  withPointers(out, 100, in, points);
  for (int i = 0; i < 100; i++) {
    EXPECT_EQUAL(i + 2 * i + i + 2 - i, out[i]);
    EXPECT_EQUAL('a' + i % 26, points[i].tag[i % 9]);
    EXPECT_EQUAL(i % 9 == 0 ? '2' : '1', points[i].tag[i % 9 == 0]);
  }
  int matrix[17][17], rows[17];
  for (int i = 0; i < 17; i++)
    for (int k = 0; k < 17; k++)
      matrix[i][k] = i + k;
  EXPECT_EQUAL(0, vararg(17, matrix, rows));
  return checkResult();
}
