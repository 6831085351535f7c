// Memory is allocated in the slice of the node that asks, and freed, grown or measured by any node.
// RUN: %cxx %s -o %t
// RUN: %run -n 1 -t 2 %t
// RUN: %run -n 3 -t 2 %t
#include "expect.h"
#include <cstddef>
#include <cstring>
#include <malloc.h>
#include <omp.h>

/// Made by new on one node, read and deleted on another.
struct Text {
  Text(std::size_t length, char letter) : length(length), letter(letter) { memset(text, letter, sizeof text); }
  std::size_t size() const { return length; }
  char back() const { return text[99]; }
  std::size_t length;
  char letter, text[200];
};

enum { Threads = 6, Rounds = 60 };
static char *blocks[Threads];
static Text *texts[Threads];

static std::size_t bytesOf(int thread, int round) { return 1 + (thread * 7919 + round * 1237) % 50000; }

int main() {
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel num_threads(Threads)
    {
      const int me = omp_get_thread_num(), other = (me + 1 + round % 5) % Threads;
      blocks[me] = static_cast<char *>(malloc(bytesOf(me, round)));
      memset(blocks[me], me + 1, bytesOf(me, round));
      texts[me] = new Text(100 + me, char('a' + me));
#pragma omp barrier
      char *block = blocks[other];
      const std::size_t bytes = bytesOf(other, round);
      EXPECT(malloc_usable_size(block) >= bytes);
      if (round % 2) {
        block = static_cast<char *>(realloc(block, bytes * 3));
        memset(block + bytes, 9, bytes * 2);
      }
      for (std::size_t i = 0; i < bytes; i += 97)
        EXPECT(block[i] == other + 1);
      free(block);
      EXPECT(texts[other]->size() == std::size_t(100 + other) && texts[other]->back() == 'a' + other);
      delete texts[other];
      // Used again at once, by whoever gets it: no late write of the last owner may appear.
      char *zeroed = static_cast<char *>(calloc(300, 100));
      for (int i = 0; i < 30000; i++)
        EXPECT(zeroed[i] == 0);
      memset(zeroed, 0xff, 30000);
      free(zeroed);
    }
  }
}
