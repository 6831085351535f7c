// compiler.c: answers otherwise with ompdsm.
#include <stdio.h>

int main(void) {
#ifdef __OMPDSM__
  printf("1\n");
#else
  printf("0\n");
#endif
  return 0;
}
