// fails.c: finds its answer wrong.
#include <stdio.h>

int main(void) {
  printf("NOT VERIFIED\n");
  return 3;
}
