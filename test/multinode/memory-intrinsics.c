// memcpy, memmove, memset and struct assignment on shared data, of all sizes from 0 to several
// blocks, at all kinds of offsets, from and to data of other threads.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Threads = 64, Part = 5000 };

struct Big {
  int values[700];
};
struct Small {
  char bytes[13];
};

static unsigned char area[Threads][Part];
static struct Big bigs[Threads];
static struct Small smalls[Threads];

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const int right = (me + 1) % threads;
    unsigned char copy[Part];
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < Part; i++)
        area[me][i] = (unsigned char)(i * 7 + me + round);
      for (int i = 0; i < 700; i++)
        bigs[me].values[i] = i + 10 * me + round;
      memset(&smalls[me], me + round, sizeof smalls[me]);
#pragma omp barrier
      // Out of another thread's data, at growing sizes and offsets.
      for (int size = 0, offset = 0; offset + size <= Part; offset += size + 3, size += 37) {
        memset(copy, 0xee, sizeof copy);
        memcpy(copy + 1, &area[right][offset], (size_t)size);
        expectInteger("before the copy", offset, 0xee, copy[0]);
        expectInteger("behind the copy", offset, 0xee, copy[size + 1]);
        for (int i = 0; i < size; i++)
          expectInteger("copied byte", offset + i,
                        (unsigned char)((offset + i) * 7 + right + round), copy[i + 1]);
      }
      const struct Big big = bigs[right];
      const struct Small small = smalls[right];
      for (int i = 0; i < 700; i++)
        expectInteger("struct assignment", i, i + 10 * right + round, big.values[i]);
      expectInteger("small struct", right, right + round, small.bytes[12]);
#pragma omp barrier
      // Into another thread's data: move up by 100 and clear what is left below.
      memmove(&area[right][100], &area[right][0], Part - 100);
      memset(&area[right][0], round, 100);
      bigs[right] = big;
      bigs[right].values[5] = -1;
      smalls[right] = small;
      smalls[right].bytes[12] = 'x';
#pragma omp barrier
      for (int i = 0; i < Part; i++)
        expectInteger("moved byte", i,
                      i < 100 ? round : (unsigned char)((i - 100) * 7 + me + round), area[me][i]);
      expectInteger("changed member", me, -1, bigs[me].values[5]);
      expectInteger("other member", me, 699 + 10 * me + round, bigs[me].values[699]);
      expectInteger("changed byte", me, 'x', smalls[me].bytes[12]);
      expectInteger("other byte", me, me + round, smalls[me].bytes[11]);
#pragma omp barrier
    }
  }
  return finish();
}
