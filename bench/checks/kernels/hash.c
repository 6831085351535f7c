// hash.c: hash tables with open addressing, one for each part of the keys, filled and asked in
// parallel: dependent accesses at random places.
//
// (Knuth: The art of computer programming 3, 6.4, algorithm L, linear probing.) Key 0 marks a free
// place.
#include "kernel.h"

enum { Parts = 16 };

struct Entry {
  uint64_t key;
  int64_t count;
};

struct Table {
  size_t mask, used; // places - 1, a power of two less one
  struct Entry *entries;
};

static void grow(struct Table *table);

static struct Entry *find(const struct Table *table, uint64_t key) {
  size_t place = mix(key) & table->mask;
  while (table->entries[place].key && table->entries[place].key != key)
    place = (place + 1) & table->mask;
  return &table->entries[place];
}

static void add(struct Table *table, uint64_t key, int64_t count) {
  struct Entry *entry = find(table, key);
  if (!entry->key) {
    if (++table->used * 2 > table->mask) {
      grow(table);
      entry = find(table, key);
    }
    entry->key = key;
    entry->count = 0;
  }
  entry->count += count;
}

static void grow(struct Table *table) {
  const struct Table old = *table;
  table->mask = 2 * old.mask + 1;
  table->used = 1; // the one that is about to be added
  table->entries = calloc(table->mask + 1, sizeof *table->entries);
  if (!table->entries) {
    fprintf(stderr, "no memory for a table of %zu entries\n", table->mask + 1);
    exit(1);
  }
  for (size_t i = 0; i <= old.mask; i++)
    if (old.entries[i].key)
      add(table, old.entries[i].key, old.entries[i].count);
  free(old.entries);
}

static uint64_t keyOf(int i, int different) {
  return mix((uint64_t)i * 31) % (uint64_t)different + 1;
}

static int partOf(uint64_t key) { return (int)(mix(key) >> 60); }

int main(int argc, char **argv) {
  const int small = isSmall(argc, argv), n = small ? 2000 : 2000000, different = n / 4;
  static struct Table tables[Parts];
  uint64_t *keys = allocate((size_t)n, sizeof *keys);
  int *order = allocate((size_t)n, sizeof *order), begin[Parts + 1] = {0};
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    keys[i] = keyOf(i, different);
  for (int i = 0; i < n; i++)
    begin[partOf(keys[i]) + 1]++;
  for (int p = 0; p < Parts; p++)
    begin[p + 1] += begin[p];
  int next[Parts];
  memcpy(next, begin, sizeof next);
  for (int i = 0; i < n; i++)
    order[next[partOf(keys[i])]++] = i;
#pragma omp parallel for schedule(dynamic, 1)
  for (int p = 0; p < Parts; p++) {
    tables[p] = (struct Table){15, 0, calloc(16, sizeof(struct Entry))};
    for (int i = begin[p]; i < begin[p + 1]; i++)
      add(&tables[p], keys[order[i]], 1);
  }
  int64_t missing = 0, counted = 0;
  uint64_t answer = 0;
#pragma omp parallel for schedule(static) reduction(+ : missing, counted)
  for (int i = 0; i < 2 * n; i++) { // half of the keys are in no table
    const uint64_t key = i < n ? keys[i] : keyOf(i, different) + (uint64_t)different;
    const struct Entry *entry = find(&tables[partOf(key)], key);
    missing += entry->key != key;
    counted += entry->key == key && entry->count > 0;
  }
  int64_t total = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : total, answer)
  for (int p = 0; p < Parts; p++)
    for (size_t i = 0; i <= tables[p].mask; i++) {
      total += tables[p].entries[i].count;
      answer += mix(tables[p].entries[i].key + mix((uint64_t)tables[p].entries[i].count));
    }
  return conclude(answer, missing == n && counted == n && total == n);
}
