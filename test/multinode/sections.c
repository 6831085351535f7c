// sections: each section is executed once, the data of all of them is there behind the construct.
#include "report.h"
#include <omp.h>

enum { Rounds = 15, Length = 150 };

static int first[Length], second[Length], third[Length], counts[5];

int main(void) {
  for (int round = 0; round < Rounds; round++) {
#pragma omp parallel
    {
#pragma omp sections
      {
#pragma omp section
        for (int i = 0; i < Length; i++)
          first[i] = i + round;
#pragma omp section
        for (int i = 0; i < Length; i++)
          second[i] = 2 * i + round;
#pragma omp section
        for (int i = 0; i < Length; i++)
          third[i] = 3 * i + round;
      }
      for (int i = 0; i < Length; i++)
        expectInteger("all sections", i, 6 * i + 3 * round, first[i] + second[i] + third[i]);
#pragma omp sections nowait
      {
        counts[0]++;
#pragma omp section
        counts[1]++;
#pragma omp section
        counts[2]++;
      }
    }
#pragma omp parallel sections
    {
#pragma omp section
      counts[3]++;
#pragma omp section
      counts[4]++;
    }
  }
  for (int i = 0; i < 5; i++)
    expectInteger("times executed", i, Rounds, counts[i]);
  return finish();
}
