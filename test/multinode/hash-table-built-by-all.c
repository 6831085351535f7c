// A hash table with chains: each bucket has its own flag lock made of atomics; keys are inserted
// and counted by all threads, then the table is replaced by a bigger one, and the old one is freed
// by another thread.
#include "report.h"
#include <omp.h>
#include <sched.h>

enum { Keys = 211, Repeats = 3 };

struct Entry {
  struct Entry *next;
  long key, count;
};

struct Bucket {
  struct Entry *first;
  int locked;
};

static struct Bucket *table;
static long size;

static void lock(int *flag) {
  for (;;) {
    int before;
#pragma omp atomic capture acquire
    {
      before = *flag;
      *flag = 1;
    }
    if (!before)
      return;
    sched_yield();
  }
}

static void unlock(int *flag) {
#pragma omp atomic write release
  *flag = 0;
}

static void add(struct Bucket *buckets, long bucketCount, long key, long count) {
  struct Bucket *bucket = &buckets[key * 31 % bucketCount];
  lock(&bucket->locked);
  struct Entry *entry = bucket->first;
  while (entry && entry->key != key)
    entry = entry->next;
  if (!entry) {
    entry = malloc(sizeof *entry);
    entry->next = bucket->first;
    entry->key = key;
    entry->count = 0;
    bucket->first = entry;
  }
  entry->count += count;
  unlock(&bucket->locked);
}

int main(void) {
  struct Bucket *old = NULL;
  long team = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    {
      size = 37;
      table = calloc((size_t)size, sizeof *table);
      team = threads;
    }
    for (int r = 0; r < Repeats; r++)
      for (long k = 0; k < Keys; k++)
        add(table, size, (k + me * 17) % Keys, 1);
#pragma omp barrier
    if (me == threads - 1) {
      old = table;
      table = calloc(101, sizeof *table);
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (long b = 0; b < 37; b++)
      for (struct Entry *entry = old[b].first, *next; entry; entry = next) {
        next = entry->next;
        add(table, 101, entry->key, entry->count);
        free(entry);
      }
    if (me == 0)
      free(old);
  }
  long entries = 0;
  for (int b = 0; b < 101; b++)
    for (struct Entry *entry = table[b].first, *next; entry; entry = next) {
      next = entry->next;
      expectInteger("count of a key", entry->key, Repeats * team, entry->count);
      entries++;
      free(entry);
    }
  free(table);
  expectInteger("entries", 0, Keys, entries);
  return finish();
}
