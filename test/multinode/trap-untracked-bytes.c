// Trap 9: memory that code which nobody instruments writes by itself: return addresses and spilled
// registers on stacks, the allocator's records beside small objects, a buffer that the C library
// fills. Other threads write the objects that lie among these bytes for several barriers; then the
// owners go on with what they had there.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Threads = 64, Depth = 12, Objects = 40, Rounds = 3 };

static int *frames[Threads][Depth];
static char texts[Rounds][3][4096]; // the middle part: blocks that nobody else has touched before
static unsigned char *objects[Threads][Objects];

// Each frame publishes a variable, which the next thread overwrites while the owner stands in the
// deepest call.
__attribute__((noinline)) static long descend(int me, int threads, int depth) {
  int local[5] = {depth, me, depth + me, 0, 0};
  const long kept = 1000L * me + depth; // lives in a register or spilled beside local
  frames[me][depth] = local;
  long below = 0;
  if (depth + 1 < Depth) {
    below = descend(me, threads, depth + 1);
  } else {
    for (int round = 1; round <= 3; round++) {
#pragma omp barrier
      for (int d = 0; d < Depth; d++)
        frames[(me + round) % threads][d][3] += d + round;
#pragma omp barrier
    }
  }
  expectInteger("frame variable", depth, 3 * depth + 6, local[3]);
  expectInteger("frame variable not written", depth, depth + me, local[2]);
  return kept + below;
}

static int sizeOf(int t, int i) { return 3 + (7 * i + t) % 60; }

int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    long expected = 0;
    for (int d = 0; d < Depth; d++)
      expected += 1000L * me + d;
    expectInteger("sum of the frames", me, expected, descend(me, threads, 0));
    for (int round = 0; round < Rounds; round++) {
      char *text = texts[round][1];
      for (int i = 0; i < Objects; i++)
        objects[me][i] = malloc(sizeOf(me, i));
#pragma omp barrier
      const int other = (me + 1 + round) % threads;
      for (int i = 0; i < Objects; i++)
        memset(objects[other][i], other + i, sizeOf(other, i));
#pragma omp barrier
      for (int i = 0; i < Objects; i++)
        for (int k = 0; k < sizeOf(me, i); k++)
          expectInteger("object", i, me + i, objects[me][i][k]);
      for (int i = 0; i < Objects; i++)
        free(objects[me][i]);
#pragma omp barrier
#pragma omp master
      for (int i = 0; i < 64; i++)
        snprintf(text + 64 * i, 64, "round %d line %d", round, i);
#pragma omp barrier
      char line[] = "round 0 line 00";
      line[6] = (char)('0' + round);
      for (int i = 10; i < 64; i++) {
        line[13] = (char)('0' + i / 10);
        line[14] = (char)('0' + i % 10);
        for (int k = 0; k < 16; k++)
          expectInteger("text of the library", i, line[k], text[64 * i + k]);
      }
#pragma omp barrier
    }
  }
  return finish();
}
