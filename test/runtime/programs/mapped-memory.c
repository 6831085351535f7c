// On one node, what loops may load ahead of the test that guards it: variables, the thread's stack and
// objects of the heap, but nothing that is not known to be mapped.
// RUN: %cc -O1 %s -o %t && %run -n 1 -t 2 %t | %check %s
// CHECK: ok
#include "expect.h"
#include <omp.h>
#include <sys/mman.h>

int __ompdsm_shared_readable(const void *p, unsigned long bytes);
static struct {
  double *rows[4];
} variable, *object;
static const int constant = 3;

int main(void) {
  char *const mapping = mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  object = malloc(sizeof *object);
  char *large = malloc(8 << 20);
#pragma omp parallel
  for (int round = 0; round < 3; round++) {
    long own[16] = {round};
    char *mine = malloc(40);
    EXPECT(__ompdsm_shared_readable(&variable, sizeof variable));
    EXPECT(__ompdsm_shared_readable(&constant, sizeof constant));
    EXPECT(__ompdsm_shared_readable(object, sizeof *object));
    EXPECT(__ompdsm_shared_readable(mine, 40));
    EXPECT(__ompdsm_shared_readable(own, sizeof own));
    EXPECT(!__ompdsm_shared_readable(NULL, 8));
    EXPECT(!__ompdsm_shared_readable((void *)64, 8));
    EXPECT(!__ompdsm_shared_readable(mapping + 4096, 8));
    EXPECT(!__ompdsm_shared_readable((void *)(~0ul - 7), 8));
    EXPECT(!__ompdsm_shared_readable((char *)&variable + (1ul << 40), 8));
    EXPECT(!__ompdsm_shared_readable((void *)0x123456789abcul, 8));
    free(mine);
  }
  free(object), free(large);
  munmap(mapping, 3 * 4096);
  puts("ok");
}
