// Trap 4: an invalidation overtakes the reply to a fetch, or a fetch overtakes the node's own
// update. All threads write and read the same few blocks in turn under a lock, and read again at
// once after they released.
#include "report.h"
#include <omp.h>

enum { Steps = 60, Threads = 64, Blocks = 4 };

struct Block {
  int counts[Threads];
  int total;
};

static struct Block blocks[Blocks];

int main(void) {
  int team = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    int mine[Blocks] = {0};
    int seen[Blocks] = {0};
#pragma omp single
    team = omp_get_num_threads();
    for (int step = 0; step < Steps; step++) {
      const int k = (step + me) % Blocks;
      struct Block *b = &blocks[k];
#pragma omp critical
      {
        expectInteger("own count under the lock", step, mine[k], b->counts[me]);
        if (b->total < seen[k])
          expectInteger("total went back", step, seen[k], b->total);
        b->counts[me]++;
        b->total++;
        seen[k] = b->total;
      }
      mine[k]++;
      expectInteger("own count after the release", step, mine[k], b->counts[me]);
    }
  }
  int sum = 0;
  for (int k = 0; k < Blocks; k++) {
    int total = 0;
    for (int t = 0; t < Threads; t++)
      total += blocks[k].counts[t];
    expectInteger("total of a block", k, total, blocks[k].total);
    sum += total;
  }
  expectInteger("all steps", 0, (long)Steps * team, sum);
  return finish();
}
