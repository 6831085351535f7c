// Wrong on purpose: the expected value is not the sum. The runner must report it.

// CANARY: wrong: sum that is not so at 0: expected 4951, got 4950
#include "../report.h"

enum { Length = 100 };

int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < Length; i++)
    sum += i;
  expectInteger("sum that is not so", 0, sum + 1, sum);
  return finish();
}
