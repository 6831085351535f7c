// A library without checks changes structures of the program: on the stack, static, from malloc, and members of larger
// ones. Regions between its calls see what it wrote, on all nodes, and it sees what they wrote.
// RUN: %plain-cc -O2 -DLIBRARY -c %s -o %t.library.o
// RUN: %cc -O0 %s %t.library.o -o %t && %run -n 2 %t 2>&1 | %check %s
// RUN: %cc -O2 %s %t.library.o -o %t && %run -n 3 -t 2 %t 2>&1 | %check %s
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 4 %t | %check %s --check-prefix=ALONE
// CHECK: warning: the program hands pointers to functions that were not compiled with ompdsm: advance
// CHECK: ok
// ALONE: ok
enum { Threads = 4 };
struct Reader {
  long line;
  char buffer[600];
  long marks[Threads];
};
#ifdef LIBRARY
long advance(struct Reader *reader) {
  long sum = 0;
  for (int t = 0; t < Threads; t++)
    sum += reader->marks[t];
  reader->line++;
  for (unsigned i = 0; i < sizeof reader->buffer; i++)
    reader->buffer[i] = (char)(reader->line + i);
  return sum;
}
#else
#include "expect.h"
#include <stdlib.h>
long advance(struct Reader *reader);

static struct Reader variable;

static void use(struct Reader *reader) {
  for (long round = 1; round <= 20; round++) {
    EXPECT(advance(reader) == (round - 1) * Threads);
    int wrong = 0;
#pragma omp parallel for num_threads(Threads) schedule(static, 1) reduction(+ : wrong)
    for (int t = 0; t < Threads; t++) {
      wrong += reader->line != round;
      for (unsigned i = 0; i < sizeof reader->buffer; i++)
        wrong += reader->buffer[i] != (char)(round + i);
      reader->marks[t]++;
    }
    EXPECT(wrong == 0);
  }
}

int main(void) {
  struct Reader local = {0};
  use(&local);
  use(&variable);
  struct Reader *allocated = calloc(1, sizeof *allocated);
  use(allocated);
  free(allocated);
  struct {
    long before;
    struct Reader reader;
  } outer = {0};
  use(&outer.reader);
  // Directly, with the object's size known to the compiler.
  struct Reader direct = {0};
  for (long round = 1; round <= 20; round++) {
    advance(&direct);
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    wrong += direct.line != round;
    EXPECT(wrong == 0);
  }
  puts("ok");
}
#endif
