// Serial code changes data between regions: values, allocations, pointers and sizes; regions see
// the change, and serial code sees what the last region wrote.
#include "report.h"
#include <omp.h>
#include <string.h>

enum { Rounds = 40 };

static long *data;
static int length;
static char label[24];

int main(void) {
  long sum = 0;
  for (int round = 1; round <= Rounds; round++) {
    const int before = length;
    length = 5 + round * 9 % 100;
    data = realloc(data, (size_t)length * sizeof *data);
    for (int i = before; i < length; i++)
      data[i] = 0;
    for (int i = 0; i < length; i++)
      data[i] += sum % 10;
    memcpy(label, "round ..", 9);
    label[6] = (char)('0' + round / 10);
    label[7] = (char)('0' + round % 10);
    sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      expectInteger("label tens", round, '0' + round / 10, label[6]);
      expectInteger("label ones", round, '0' + round % 10, label[7]);
#pragma omp for
      for (int i = 0; i < length; i++) {
        sum += data[i];
        data[i] = i + round;
      }
    }
    long expected = 0; // what serial code left plus what the region before left
    static long shadow[256];
    static int shadowLength;
    static long shadowSum;
    for (int i = shadowLength; i < length; i++)
      shadow[i] = 0;
    for (int i = 0; i < length; i++) {
      shadow[i] += shadowSum % 10;
      expected += shadow[i];
      shadow[i] = i + round;
      expectInteger("left by the region", i, shadow[i], data[i]);
    }
    expectInteger("sum", round, expected, sum);
    shadowLength = length;
    shadowSum = sum;
  }
  free(data);
  return finish();
}
