// RUN: %build-c
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: env OMPDSM_MIGRATE=0 OMPDSM_KEEP_UPDATED=0 %on4 | grep -x ok
// Atomic updates by operations that the processor does not have, on all types, of numbers at home on any node; values
// of different types on both sides, and the old or new value, which each thread wants for itself.
#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

enum { Places = 1000, Rounds = 12 };

struct Numbers {
  float sums[Places], products[Places];
  double quotients[Places], differences[Places];
  int32_t factors[Places], shifts[Places];
  uint8_t bytes[Places];
  int16_t negated[Places];
  int64_t scaled[Places];
  uint32_t tickets[Places];
};

static uint8_t seen[Places][Rounds];

int main(void) {
  struct Numbers *n = malloc(sizeof *n);
#pragma omp parallel for
  for (int i = 0; i < Places; i++) {
    n->sums[i] = 1, n->products[i] = 1, n->quotients[i] = 4096, n->differences[i] = i;
    n->factors[i] = 1, n->shifts[i] = 1, n->bytes[i] = 250, n->negated[i] = 7, n->scaled[i] = 10;
    n->tickets[i] = 1;
  }
  // Each place is updated by threads of all nodes.
  int wrong = 0;
#pragma omp parallel for collapse(2) schedule(static, 1) reduction(+ : wrong)
  for (int round = 0; round < Rounds; round++)
    for (int i = 0; i < Places; i++) {
      const double half = 0.5;
      const float two = 2;
      const int three = 3;
#pragma omp atomic
      n->sums[i] += half;
#pragma omp atomic
      n->products[i] *= two;
#pragma omp atomic
      n->quotients[i] /= two;
#pragma omp atomic
      n->differences[i] = 1000 - n->differences[i];
#pragma omp atomic
      n->factors[i] *= three;
#pragma omp atomic
      n->shifts[i] <<= 1;
#pragma omp atomic
      n->bytes[i] += three;
#pragma omp atomic
      n->negated[i] = -1 * n->negated[i];
#pragma omp atomic
      n->scaled[i] = n->scaled[i] * 1.5;
      uint32_t ticket;
#pragma omp atomic capture
      {
        ticket = n->tickets[i];
        n->tickets[i] *= two;
      }
      int place = 0;
      while (place < Rounds && ticket != UINT32_C(1) << place)
        place++;
      wrong += place == Rounds;
      if (place < Rounds)
#pragma omp atomic
        seen[i][place] += 1;
    }
  EXPECT_EQUAL(0, wrong);
  int64_t scaled = 10;
  int32_t factors = 1;
  for (int round = 0; round < Rounds; round++)
    scaled = scaled * 1.5, factors *= 3;
  for (int i = 0; i < Places; i++) {
    EXPECT(n->sums[i] == 1 + Rounds * 0.5f && n->products[i] == 1 << Rounds);
    EXPECT(n->quotients[i] == 1 && n->differences[i] == i);
    EXPECT_EQUAL(factors, n->factors[i]);
    EXPECT_EQUAL(1 << Rounds, n->shifts[i]);
    EXPECT_EQUAL((uint8_t)(250 + 3 * Rounds), n->bytes[i]);
    EXPECT_EQUAL(7, n->negated[i]);
    EXPECT_EQUAL(scaled, n->scaled[i]);
    for (int round = 0; round < Rounds; round++)
      EXPECT_EQUAL(1, seen[i][round]);
  }
  free(n);
  return checkResult();
}
