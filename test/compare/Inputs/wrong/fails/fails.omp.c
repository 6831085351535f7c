// fails.omp.c: prints no answer, and does not end well.
#include <stdio.h>

int main(void) {
  printf("no idea\n");
  return 3;
}
