// Loops call functions that look as if nothing in them synchronised: two levels deep, by mutual recursion, on a way
// that looks like an error and returns, by a pointer, with exit() on another way. What others wrote before is seen behind
// each call. And loops call functions that allocate, where nothing synchronises.
#include "report.h"
#include <omp.h>
#include <setjmp.h>
#include <stdlib.h>

enum { Cells = 64, Rounds = 12 };

static long cells[Cells];

__attribute__((noinline)) static void meet(void) {
#pragma omp barrier
}

__attribute__((noinline)) static void deep(int round) {
  free(malloc((size_t)round + 1));
  meet();
}

static void odd(int steps);
__attribute__((noinline)) static void even(int steps) {
  if (steps == 0)
    meet();
  else
    odd(steps - 1);
}
__attribute__((noinline)) static void odd(int steps) {
  long *unused = malloc(sizeof *unused);
  even(steps - 1);
  free(unused);
}
__attribute__((noinline)) static void recursive(int round) { even(2 * (round % 3)); }

__attribute__((noinline)) static void warned(int round) {
  if (round >= 0) { // An error, it seems.
    meet();
    if (round < Rounds)
      return;
  }
  fprintf(stderr, "no such round: %d\n", round);
  exit(1);
}

static void (*volatile pointed)(int) = deep;
__attribute__((noinline)) static void byPointer(int round) { pointed(round); }

__attribute__((noinline)) static void jump(jmp_buf *back) {
  meet();
  longjmp(*back, 1);
}
__attribute__((noinline)) static void jumping(int round) {
  jmp_buf back;
  if (!setjmp(back))
    jump(&back);
  (void)round;
}

// In each round another thread changes all cells; all cells are looked at before and after.
#define ROUNDS(function)                                                                                               \
  static void rounds_##function(long *wrong, long *sums) {                                                             \
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();                                              \
    for (int round = 0; round < Rounds; round++) {                                                                     \
      if (round % threads == me)                                                                                       \
        for (int i = 0; i < Cells; i++)                                                                                \
          cells[i] = i * (round + 1);                                                                                  \
      function(round);                                                                                                 \
      for (int i = 0; i < Cells; i++)                                                                                  \
        *wrong += cells[i] != i * (round + 1);                                                                         \
      *sums += cells[round];                                                                                           \
      function(round);                                                                                                 \
    }                                                                                                                  \
  }
ROUNDS(deep)
ROUNDS(recursive)
ROUNDS(warned)
ROUNDS(byPointer)
ROUNDS(jumping)

struct Table {
  long used, places, *keys;
};
static void add(struct Table *table, long key);
static void grow(struct Table *table) {
  const struct Table old = *table;
  table->places *= 2, table->used = 0;
  table->keys = calloc((size_t)table->places, sizeof *table->keys);
  if (!table->keys) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  for (long i = 0; i < old.places; i++)
    if (old.keys[i])
      add(table, old.keys[i]);
  free(old.keys);
}
__attribute__((noinline)) static void add(struct Table *table, long key) {
  if (++table->used * 2 > table->places)
    grow(table), table->used++;
  long place = key % table->places;
  while (table->keys[place])
    place = (place + 1) % table->places;
  table->keys[place] = key;
}

int main(void) {
  const struct {
    const char *name;
    void (*run)(long *, long *);
  } kinds[] = {{"deep", rounds_deep},
               {"recursive", rounds_recursive},
               {"warned", rounds_warned},
               {"by pointer", rounds_byPointer},
               {"jumping", rounds_jumping}};
  for (int kind = 0; kind < (int)(sizeof kinds / sizeof *kinds); kind++) {
    long wrong = 0, sums = 0, threads = 0;
#pragma omp parallel reduction(+ : wrong, sums, threads)
    {
      kinds[kind].run(&wrong, &sums);
      threads++;
    }
    expectInteger(kinds[kind].name, kind, 0, wrong);
    long expected = 0;
    for (int round = 0; round < Rounds; round++)
      expected += round * (round + 1);
    expectInteger("sums", kind, expected * threads, sums);
  }

  enum { Tables = 20, Keys = 500 };
  static struct Table tables[Tables];
  long *keys = malloc(Keys * sizeof *keys);
  int *order = malloc(Keys * sizeof *order);
  for (int i = 0; i < Keys; i++)
    keys[i] = 3 * i + 1, order[i] = i * 7 % Keys;
#pragma omp parallel for schedule(dynamic, 1)
  for (int t = 0; t < Tables; t++) {
    tables[t] = (struct Table){0, 4, calloc(4, sizeof(long))};
    for (int i = 0; i < Keys; i++)
      add(&tables[t], keys[order[i]] + t);
  }
  for (int t = 0; t < Tables; t++) {
    long sum = 0;
    for (long i = 0; i < tables[t].places; i++)
      sum += tables[t].keys[i];
    expectInteger("table", t, 3L * (Keys - 1) * Keys / 2 + Keys * (t + 1L), sum);
    free(tables[t].keys);
  }
  free(keys), free(order);
  return finish();
}
