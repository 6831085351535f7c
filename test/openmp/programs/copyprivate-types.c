// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// copyprivate of many types: scalars, arrays, structs, pointers to the heap and to a stack, long double,
// in functions, in loops; a value that only one thread reads, as from a file.
#include "check.h"
#include <complex.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct Record {
  char name[20];
  double values[3];
  struct Record *next;
};
static int reads;
static int readOne(void) { return ++reads; }

static int broadcast(int seed) {
  int value;
#pragma omp single copyprivate(value)
  value = seed + readOne();
  return value;
}
static long vla(int n) {
  int array[n];
  for (int i = 0; i < n; i++)
    array[i] = -1;
  int *pointer = array;
  long sum = 0;
#pragma omp single copyprivate(pointer)
  {
    pointer = malloc(n * sizeof *pointer);
    for (int i = 0; i < n; i++)
      pointer[i] = i * i;
  }
  for (int i = 0; i < n; i++)
    sum += pointer[i];
#pragma omp barrier
#pragma omp single
  free(pointer);
  return sum;
}

int main(void) {
  int wrong = 0, outer = 5;
#pragma omp parallel reduction(+ : wrong) private(outer)
  {
    char c = 0;
    short s = 0;
    unsigned u = 0;
    long l = 0;
    float f = 0;
    double d = 0;
    long double ld = 0;
    double _Complex z = 0;
    _Bool flag = 0;
    int array[30], matrix[3][4];
    struct Record record = {"", {0, 0, 0}, NULL};
    const char *text = NULL;
    int (*function)(void) = NULL;
    memset(array, 0, sizeof array);
    outer = omp_get_thread_num();
#pragma omp single copyprivate(c, s, u, l, f, d, ld, z, flag, array, matrix, record, text, function, outer)
    {
      c = 'x', s = -3, u = 4000000000u, l = -1l << 40, f = .5f, d = .25, ld = .125L, z = 1 + 2 * I, flag = 1;
      for (int i = 0; i < 30; i++)
        array[i] = 3 * i;
      for (int i = 0; i < 12; i++)
        matrix[i / 4][i % 4] = i;
      strcpy(record.name, "a name");
      record.values[2] = 8.5;
      record.next = malloc(sizeof record);
      record.next->values[0] = -7;
      record.next->next = NULL;
      text = "text";
      function = readOne;
      outer = 1234;
    }
    wrong += c != 'x' || s != -3 || u != 4000000000u || l != -1l << 40 || f != .5f || d != .25;
    wrong += ld != .125L || z != 1 + 2 * I || !flag || outer != 1234;
    for (int i = 0; i < 30; i++)
      wrong += array[i] != 3 * i;
    for (int i = 0; i < 12; i++)
      wrong += matrix[i / 4][i % 4] != i;
    wrong += strcmp(record.name, "a name") || record.values[2] != 8.5 || record.next->values[0] != -7;
    wrong += text[0] != 't' || text[3] != 't' || function != readOne;
    array[0] = omp_get_thread_num();
#pragma omp barrier
    wrong += array[0] != omp_get_thread_num();
#pragma omp single
    free(record.next);
    for (int i = 0; i < 20; i++)
      wrong += broadcast(100 * i) != 101 * i + 1;
    for (int i = 1; i < 10; i++)
      wrong += vla(i * 10) != (i * 10 - 1) * (i * 10) * (2 * i * 10 - 1) / 6;
  }
  EXPECT_EQUAL(0, wrong);
  EXPECT_EQUAL(5, outer);
  EXPECT_EQUAL(20, reads);
  EXPECT_EQUAL(71, broadcast(50));
  return checkResult();
}
