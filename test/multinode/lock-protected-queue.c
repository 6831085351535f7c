// A bounded queue under a critical: all threads put and take; each item is taken exactly once, and
// the items of one producer come in order.
#include "report.h"
#include <omp.h>
#include <sched.h>

enum { Threads = 64, Capacity = 16, Items = 40 };

static struct {
  int producer[Capacity], item[Capacity];
  long put, taken;
  long takenFrom[Threads];
  int last[Threads];
} queue;

int main(void) {
  for (int t = 0; t < Threads; t++)
    queue.last[t] = -1;
  int team = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
    const long all = (long)threads * Items;
#pragma omp single nowait
    team = threads;
    int next = 0;
    for (int done = 0; !done;) {
      int idle = 1;
#pragma omp critical(queue)
      {
        while (next < Items && queue.put - queue.taken < Capacity) {
          queue.producer[queue.put % Capacity] = me;
          queue.item[queue.put % Capacity] = next++;
          queue.put++;
          idle = 0;
          if (next % 4 == 0)
            break;
        }
      }
#pragma omp critical(queue)
      {
        if (queue.put > queue.taken) {
          const int producer = queue.producer[queue.taken % Capacity],
                    item = queue.item[queue.taken % Capacity];
          expectInteger("item in order", producer, queue.last[producer] + 1, item);
          queue.last[producer] = item;
          queue.takenFrom[producer]++;
          queue.taken++;
          idle = 0;
        }
        done = queue.taken == all;
      }
      if (idle && !done)
        sched_yield();
    }
  }
  for (int t = 0; t < team; t++)
    expectInteger("items of a producer", t, Items, queue.takenFrom[t]);
  expectInteger("put", 0, (long)team * Items, queue.put);
  return finish();
}
