// Function pointers and pointers to constants in shared structs are called and read by all threads,
// and exchanged by some.
#include "report.h"
#include <omp.h>

enum { Entries = 60 };

typedef long (*Operation)(long, long);

struct Entry {
  Operation operation;
  const char *name;
  long left, right, result;
};

static long add(long a, long b) { return a + b; }
static long subtract(long a, long b) { return a - b; }
static long multiply(long a, long b) { return a * b; }

static const Operation operations[] = {add, subtract, multiply};
static const char *const names[] = {"add", "subtract", "multiply"};

static Operation current = add;

int main(void) {
  struct Entry *entries = malloc(Entries * sizeof *entries);
  for (int i = 0; i < Entries; i++)
    entries[i] = (struct Entry){operations[i % 3], names[i % 3], i, 2 * i + 1, 0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int i = 0; i < Entries; i++) {
      entries[i].result = entries[i].operation(entries[i].left, entries[i].right);
      expectInteger("name", i, names[i % 3][2], entries[i].name[2]);
      entries[i].operation = operations[(i + 1) % 3];
    }
    for (int i = 0; i < Entries; i++) {
      expectInteger("result", i, operations[i % 3](i, 2 * i + 1), entries[i].result);
      expectInteger("exchanged function", i, operations[(i + 1) % 3](5, 3),
                    entries[i].operation(5, 3));
    }
#pragma omp barrier
    if (me == threads - 1)
      current = multiply;
#pragma omp barrier
    expectInteger("global function pointer", me, 42, current(6, 7));
  }
  free(entries);
  return finish();
}
