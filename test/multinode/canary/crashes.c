// Wrong on purpose: a write through a null pointer in a region. The runner must report it.

// CANARY: exit code
#include "../report.h"

static int *volatile nowhere;

int main(void) {
#pragma omp parallel
  *nowhere = 1;
  return finish();
}
