// answers_differ.c: answers otherwise where blocks adapt their size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *adapt = getenv("OMPDSM_ADAPT");
#pragma omp parallel
  ;
  printf("0.5 %s\n", adapt && strcmp(adapt, "3") == 0 ? "wrong" : "right");
  return 0;
}
