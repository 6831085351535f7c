// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// single copyprivate: numbers, arrays, objects; many in one region; with nowait singles between.
#include "check.h"
#include <omp.h>
#include <string>

static int failures;
static void fail() {
#pragma omp atomic
  failures++;
}

int main() {
  int executed = 0, threads = 0;
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int round = 0; round < 12; round++) {
      int number = -1;
      double array[20] = {};
      std::string text = "mine";
#pragma omp single nowait
      {
#pragma omp atomic
        executed++;
      }
#pragma omp single copyprivate(number, array, text)
      {
        number = round * 7;
        for (int i = 0; i < 20; i++)
          array[i] = round + i * 0.5;
        text = "a longer text, that is on the heap, of round " + std::to_string(round);
#pragma omp atomic
        executed++;
      }
      if (number != round * 7 || array[19] != round + 9.5 || text != "a longer text, that is on the heap, of round " + std::to_string(round))
        fail();
      number = omp_get_thread_num(); // Each thread's own again.
      text += std::to_string(number);
      if (text.substr(45) != std::to_string(round) + std::to_string(number))
        fail();
    }
  }
  EXPECT_EQUAL(24, executed);
  EXPECT_EQUAL(0, failures);
  EXPECT(threads > 0);

  // A pointer that one thread got for all.
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    int *memory = nullptr;
#pragma omp single copyprivate(memory)
    {
      memory = new int[100];
      for (int i = 0; i < 100; i++)
        memory[i] = i;
    }
#pragma omp for
    for (int i = 0; i < 100; i++)
      sum += memory[i];
#pragma omp single
    delete[] memory;
  }
  EXPECT_EQUAL(4950, sum);
  return checkResult();
}
