// RUN: %build-c
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// atomic compare, with and without capture: minima, maxima, compare-and-swap, in globals, on the stack
// and on the heap; a lock and a list built of compare-and-swap.
#include "check.h"
#include <omp.h>
#include <stdlib.h>

static int smallest = 1000000, largest = -1, lockWord;
static long counter, won;
struct Node {
  struct Node *next;
  int value;
};
static unsigned long headBits;

int main(void) {
  double low = 1e9, *high = malloc(sizeof *high);
  unsigned char byte = 255;
  short s = 0;
  long cas = -1;
  int threads = 0;
  *high = -1e9;
  struct Node *nodes = malloc(1000 * sizeof *nodes);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 1000; i++) {
      int x = (i * 37 + 11) % 1000;
      double d = x * .5;
      unsigned char b = x % 200 + 5;
      short t = x;
#pragma omp atomic compare
      if (smallest > x) {
        smallest = x;
      }
#pragma omp atomic compare seq_cst
      largest = largest < x ? x : largest;
#pragma omp atomic compare
      if (low > d) {
        low = d;
      }
#pragma omp atomic compare acq_rel
      if (*high < d) {
        *high = d;
      }
#pragma omp atomic compare
      byte = b < byte ? b : byte;
#pragma omp atomic compare relaxed
      if (t > s) {
        s = t;
      }
      // One thread only wins.
      long old, wanted = -1, mine = i;
#pragma omp atomic compare capture
      {
        old = cas;
        if (cas == wanted) {
          cas = mine;
        }
      }
      if (old == -1) {
#pragma omp atomic
        won++;
      }
    }
    // A spin lock.
    for (int i = 0; i < 15; i++) {
      int old, zero = 0, one = 1;
      do {
#pragma omp atomic compare capture seq_cst
        {
          old = lockWord;
          if (lockWord == zero) {
            lockWord = one;
          }
        }
      } while (old);
      counter++;
#pragma omp atomic write seq_cst
      lockWord = 0;
    }
    // A list that grows at its head.
#pragma omp for schedule(dynamic, 5)
    for (int i = 0; i < 200; i++) {
      struct Node *node = &nodes[i];
      node->value = i;
      unsigned long expected, mine = (unsigned long)node, r;
      int done;
      do {
#pragma omp atomic read seq_cst
        expected = headBits;
        node->next = (struct Node *)expected;
#pragma omp atomic compare capture seq_cst
        {
          r = headBits;
          if (headBits == expected) {
            headBits = mine;
          }
        }
        done = r == expected;
      } while (!done);
    }
  }
  EXPECT_EQUAL(0, smallest);
  EXPECT_EQUAL(999, largest);
  EXPECT(low == 0);
  EXPECT(*high == 499.5);
  EXPECT_EQUAL(5, byte);
  EXPECT_EQUAL(999, s);
  EXPECT_EQUAL(1, won);
  EXPECT(cas >= 0 && cas < 1000);
  EXPECT_EQUAL(15 * threads, counter);
  int length = 0, sum = 0;
  for (struct Node *node = (struct Node *)headBits; node && length <= 200; node = node->next)
    length++, sum += node->value;
  EXPECT_EQUAL(200, length);
  EXPECT_EQUAL(199 * 100, sum);
  free(nodes);
  free(high);
  return checkResult();
}
