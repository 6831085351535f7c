// private, firstprivate, lastprivate and default(none): structs, arrays and pointers are copied to
// every thread, and changes of the copies stay there.
#include "report.h"
#include <omp.h>

enum { Length = 100 };

struct Settings {
  double scale;
  int table[20];
  char name[5];
};

int main(void) {
  struct Settings settings = {2.5, {0}, "abcd"};
  int array[10], scalar = 17, scratch = -1;
  long wide = 1L << 40;
  double *heap = malloc(Length * sizeof *heap);
  for (int i = 0; i < 20; i++)
    settings.table[i] = i * i;
  for (int i = 0; i < 10; i++)
    array[i] = 100 + i;
  int last = -1;
  double lastReal = -1;
  for (int round = 0; round < 10; round++) {
#pragma omp parallel default(none) firstprivate(settings, array, scalar, wide, heap)               \
    private(scratch) shared(round, last, lastReal)
    {
      const int me = omp_get_thread_num();
      expectReal("struct", me, 2.5, settings.scale);
      expectInteger("array in the struct", me, 361, settings.table[19]);
      expectInteger("name", me, 'd', settings.name[3]);
      expectInteger("array", me, 109, array[9]);
      expectInteger("scalar", me, 17, scalar);
      expectInteger("wide", me, 1L << 40, wide);
      settings.scale += me;
      settings.table[19] = me;
      array[9] = scalar = scratch = me;
      wide += me;
#pragma omp barrier
      expectReal("own struct", me, 2.5 + me, settings.scale);
      expectInteger("own array in the struct", me, me, settings.table[19]);
      expectInteger("own values", me, 3 * me, array[9] + scalar + scratch);
      expectInteger("own wide", me, (1L << 40) + me, wide);
#pragma omp for lastprivate(last, lastReal)
      for (int i = 0; i < Length; i++) {
        heap[i] = i + round;
        last = i * 2;
        lastReal = 0.5 * i;
      }
      expectInteger("value of the last iteration", me, 2 * (Length - 1), last);
    }
    expectReal("struct of main", round, 2.5, settings.scale);
    expectInteger("array of main", round, 109, array[9]);
    expectInteger("scalar of main", round, 17, scalar);
    expectInteger("private of main", round, -1, scratch);
    expectReal("last real", round, 0.5 * (Length - 1), lastReal);
    for (int i = 0; i < Length; i++)
      expectReal("through the copied pointer", i, i + round, heap[i]);
  }
  free(heap);
  return finish();
}
