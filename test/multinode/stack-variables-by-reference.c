// Variables on the stack of the thread that starts a region: scalars of all sizes, an array, a
// struct and arrays of variable length are read and written by all threads; the values are back on
// the stack after the region.
#include "report.h"
#include <omp.h>
#include <string.h>

struct Point {
  char tag;
  double x;
  short y[3];
};

static void play(int length, int round) {
  char c = (char)round;
  short s = (short)(2 * round);
  int i = 3 * round;
  long l = 4L * round;
  float f = 0.5f * (float)round;
  double d = 0.25 * round;
  int array[50];
  struct Point point = {'p', 1.5 * round, {1, 2, 3}};
  int vla[length];
  double rows[4][length];
  memset(array, 0, sizeof array);
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    expectInteger("char", me, (char)round, c);
    expectInteger("short", me, 2 * round, s);
    expectInteger("int", me, 3 * round, i);
    expectInteger("long", me, 4 * round, l);
    expectReal("float", me, 0.5 * round, f);
    expectReal("double", me, 0.25 * round, d);
    expectReal("struct member", me, 1.5 * round, point.x);
#pragma omp barrier
#pragma omp for
    for (int k = 0; k < length; k++) {
      vla[k] = k + round;
      for (int row = 0; row < 4; row++)
        rows[row][k] = row * 1000 + k;
    }
    for (int k = me; k < 50; k += threads)
      array[k] += k * k;
    if (me == threads - 1) {
      c = 'z', s = -5, i = -6, l = -7, f = -8, d = -9;
      point.tag = 'q';
      point.y[1] = 22;
    }
    if (me == threads / 2)
      point.x += 1;
  }
  expectInteger("char after", round, 'z', c);
  expectInteger("short after", round, -5, s);
  expectInteger("int after", round, -6, i);
  expectInteger("long after", round, -7, l);
  expectReal("float after", round, -8, f);
  expectReal("double after", round, -9, d);
  expectInteger("tag", round, 'q', point.tag);
  expectReal("member after", round, 1.5 * round + 1, point.x);
  expectInteger("member array", round, 22, point.y[1]);
  for (int k = 0; k < 50; k++)
    expectInteger("array", k, k * k, array[k]);
  for (int k = 0; k < length; k++) {
    expectInteger("variable length", k, k + round, vla[k]);
    for (int row = 0; row < 4; row++)
      expectReal("variable length rows", k, row * 1000 + k, rows[row][k]);
  }
}

int main(void) {
  for (int round = 1; round <= 20; round++)
    play(10 + 13 * round, round);
  return finish();
}
