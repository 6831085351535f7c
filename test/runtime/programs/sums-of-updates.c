// What threads of a node add by atomic updates to memory of another one is summed up there: of every
// operation that allows it and every size of number, beside stores and reads of the same lines; and
// somebody sees it in the end, though nobody releases.
// RUN: %cc -O2 %s -o %t
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t alone | %check %s
// RUN: %check --check-prefix=SUMS --input-file=%t.json %s
// RUN: env OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=ASKED --input-file=%t.json %s
// RUN: env OMPDSM_SUMS=1 %run -n 2 -t 1 %t | %check %s
// RUN: env OMPDSM_SUMS=0 OMPDSM_STATS_FILE=%t.json %run -n 2 -t 1 %t | %check %s
// RUN: %check --check-prefix=NONE --input-file=%t.json %s
// RUN: %run -n 3 -t 2 --provider tcp %t | %check %s
// RUN: %run -n 4 -t 3 %t | %check %s
// RUN: %run -n 1 -t 2 %t | %check %s
// RUN: { ! env OMPDSM_SUMS=3 %run -n 2 -t 1 %t; } 2>&1 | %check --check-prefix=BAD %s
// Of node 1, which has asked for few of its 300,000 updates one by one.
// SUMS: "atomics_remote": 0,
// SUMS: "sums": {{[1-9]}}
// SUMS: "atomics_remote": {{[0-9]?[0-9]?[0-9]?[0-9]}},
// Beside what the node has stored they are sent one by one, but nobody waits for each.
// ASKED: "atomic": {{[0-9]?[0-9]?[0-9]?[0-9]}},
// NONE-NOT: "sums"
// BAD: OMPDSM_SUMS is '3', but must be a number from 0 to 2
#include "expect.h"
#include <omp.h>

enum { Numbers = 1000, Updates = 60 * Numbers };

struct Number { // whose members share lines
  int added;
  unsigned short least;
  unsigned most, set;
  float narrow;
  long taken;
  double wide;
  unsigned long toggled;
  int written; // by the thread whose number it is
};
static struct Number numbers[Numbers];
static signed char small[Numbers];

static unsigned mixed(unsigned i) { return i * 2654435761u ^ i >> 7; }

static void update(unsigned i) {
  const unsigned bits = mixed(i);
  struct Number *number = numbers + bits % Numbers;
#pragma omp atomic
  number->added += 3;
#pragma omp atomic
  number->least -= 1;
#pragma omp atomic
  number->set |= 1u << bits % 16;
#pragma omp atomic compare
  if (number->most < bits)
    number->most = bits;
#pragma omp atomic
  number->narrow += 0.5f;
#pragma omp atomic
  number->taken -= 1 + (long)(bits & 1) * 5000000000;
#pragma omp atomic
  number->wide += 0.25;
#pragma omp atomic
  number->toggled ^= bits * 0x100000001ul;
#pragma omp atomic
  small[bits % Numbers]++;
}

static int isEqual(const struct Number *a, const struct Number *b) {
  return a->added == b->added && a->least == b->least && a->set == b->set && a->most == b->most &&
         a->narrow == b->narrow && a->taken == b->taken && a->wide == b->wide &&
         a->toggled == b->toggled;
}

/// One thread adds, and waits until the first one has seen it.
static void addAndWait(void) {
  static int arrived, isSeen;
#pragma omp parallel
  {
    const int last = omp_get_num_threads() - 1, me = omp_get_thread_num();
    if (me == last)
      for (int i = 0; i < 1000; i++) {
#pragma omp atomic
        arrived++;
      }
    if (me == 0)
      for (int seen = 0; seen < 1000;) {
#pragma omp atomic read
        seen = arrived;
        if (seen == 1000) {
#pragma omp atomic write
          isSeen = 1;
        }
      }
    for (int seen = 0; !seen;) {
#pragma omp atomic read
      seen = isSeen;
    }
  }
}

int main(int argc, char **argv) {
  (void)argv;
  const int alone = argc > 1;
  static struct Number expected[Numbers];
  static signed char expectedSmall[Numbers];
  for (unsigned i = 0; i < Updates; i++)
    update(i);
  for (int i = 0; i < Numbers; i++) {
    expected[i] = numbers[i];
    expectedSmall[i] = small[i];
    numbers[i] = (struct Number){0};
    small[i] = 0;
  }
#pragma omp parallel
  {
    for (int round = 0; round < 4; round++) {
#pragma omp for
      for (unsigned i = round * (Updates / 4); i < (round + 1) * (Updates / 4u); i++)
        update(i);
#pragma omp for nowait // stores and reads between what is added
      for (int i = 0; i < (alone ? 0 : Numbers); i++) {
        numbers[i].written = round + i;
        EXPECT(numbers[i].written == round + i);
        int found;
#pragma omp atomic read
        found = numbers[i].added;
        EXPECT(found % 3 == 0 && found >= 0 && found <= expected[i].added);
      }
    }
  }
  for (int i = 0; i < Numbers; i++) {
    EXPECT(isEqual(numbers + i, expected + i));
    EXPECT(small[i] == expectedSmall[i] && (alone || numbers[i].written == 3 + i));
  }
  addAndWait();
  // CHECK: all as one after the other
  printf("all as one after the other\n");
  return 0;
}
