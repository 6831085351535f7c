// ompdsm.omp.c: answers otherwise with ompdsm's compiler.
#include <stdio.h>

int main(void) {
#ifdef __OMPDSM__
  printf("rounds 2\nseconds 1\nanswer 2\n");
#else
  printf("rounds 2\nseconds 1\nanswer 1\n");
#endif
  return 0;
}
