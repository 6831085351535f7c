// Reductions with + * max min && || ^ & | over scalars of every type, alone and with the result
// used in the same region.
#include "report.h"
#include <limits.h>
#include <omp.h>

enum { Length = 500 };

int main(void) {
  signed char plusChar = 1;
  unsigned char xorByte = 0x5a;
  short maxShort = SHRT_MIN;
  unsigned short andShort = 0xffff;
  int plusInt = 100, minInt = INT_MAX, maxInt = -5;
  unsigned orUnsigned = 0;
  long plusLong = -7, xorLong = 0;
  unsigned long long timesLong = 1;
  float plusFloat = 0.5f, maxFloat = -1e30f;
  double plusDouble = 0.25, minDouble = 1e300, timesDouble = 3;
  int all = 1, allButOne = 1, any = 0, none = 0;

#pragma omp parallel for reduction(+ : plusChar)
  for (int i = 0; i < Length; i++)
    plusChar = (signed char)(plusChar + i % 3);
#pragma omp parallel for reduction(^ : xorByte)
  for (int i = 0; i < Length; i++)
    xorByte ^= (unsigned char)(i * 37);
#pragma omp parallel for reduction(max : maxShort)
  for (int i = 0; i < Length; i++)
    maxShort = (short)(i % 100 * 17 - 900) > maxShort ? (short)(i % 100 * 17 - 900) : maxShort;
#pragma omp parallel for reduction(& : andShort)
  for (int i = 0; i < Length; i++)
    andShort &= (unsigned short)(0xf0f3 | i);
#pragma omp parallel for reduction(+ : plusInt) schedule(static, 3)
  for (int i = 0; i < Length; i++)
    plusInt += i;
#pragma omp parallel for reduction(min : minInt)
  for (int i = 0; i < Length; i++)
    minInt = (i - 250) * (i - 250) - 9 < minInt ? (i - 250) * (i - 250) - 9 : minInt;
#pragma omp parallel for reduction(max : maxInt)
  for (int i = 0; i < Length; i++) // never above the initial value
    maxInt = -6 - i > maxInt ? -6 - i : maxInt;
#pragma omp parallel for reduction(| : orUnsigned)
  for (int i = 0; i < Length; i++)
    orUnsigned |= 1u << i % 31;
#pragma omp parallel for reduction(- : plusLong)
  for (int i = 0; i < Length; i++)
    plusLong -= (long)i << 20;
#pragma omp parallel for reduction(^ : xorLong) schedule(dynamic, 7)
  for (int i = 0; i < Length; i++)
    xorLong ^= (long)i * 0x123456789l;
#pragma omp parallel for reduction(* : timesLong)
  for (int i = 0; i < Length; i++)
    timesLong *= 2ull * (unsigned)i + 1;
#pragma omp parallel for reduction(+ : plusFloat)
  for (int i = 0; i < Length; i++)
    plusFloat += 0.5f * (float)i;
#pragma omp parallel for reduction(max : maxFloat)
  for (int i = 0; i < Length; i++)
    maxFloat = (float)(i % 77) > maxFloat ? (float)(i % 77) : maxFloat;
#pragma omp parallel for reduction(+ : plusDouble)
  for (int i = 0; i < Length; i++)
    plusDouble += 0.125 * i;
#pragma omp parallel for reduction(min : minDouble)
  for (int i = 0; i < Length; i++)
    minDouble = 1000.0 - i < minDouble ? 1000.0 - i : minDouble;
#pragma omp parallel for reduction(* : timesDouble)
  for (int i = 0; i < Length; i++)
    timesDouble *= i % 10 == 3 ? 2 : 1;
#pragma omp parallel for reduction(&& : all)
  for (int i = 0; i < Length; i++)
    all = all && i < Length;
#pragma omp parallel for reduction(&& : allButOne)
  for (int i = 0; i < Length; i++)
    allButOne = allButOne && i != 333;
#pragma omp parallel for reduction(|| : any)
  for (int i = 0; i < Length; i++)
    any = any || i == 499;
#pragma omp parallel for reduction(|| : none)
  for (int i = 0; i < Length; i++)
    none = none || i == 500;

  signed char c = 1;
  unsigned char b = 0x5a;
  unsigned short a = 0xffff;
  long x = 0, l = -7;
  unsigned long long t = 1;
  for (int i = 0; i < Length; i++) {
    c = (signed char)(c + i % 3);
    b ^= (unsigned char)(i * 37);
    a &= (unsigned short)(0xf0f3 | i);
    x ^= (long)i * 0x123456789l;
    l -= (long)i << 20;
    t *= 2ull * (unsigned)i + 1;
  }
  const int sum = Length * (Length - 1) / 2;
  expectInteger("+ signed char", 0, c, plusChar);
  expectInteger("^ unsigned char", 0, b, xorByte);
  expectInteger("max short", 0, 99 * 17 - 900, maxShort);
  expectInteger("& unsigned short", 0, a, andShort);
  expectInteger("+ int", 0, 100 + sum, plusInt);
  expectInteger("min int", 0, -9, minInt);
  expectInteger("max int, initial value", 0, -5, maxInt);
  expectInteger("| unsigned", 0, 0x7fffffff, orUnsigned);
  expectInteger("- long", 0, l, plusLong);
  expectInteger("^ long", 0, x, xorLong);
  expectInteger("* unsigned long long", 0, (long long)t, (long long)timesLong);
  expectReal("+ float", 0, 0.5 + 0.5 * sum, plusFloat);
  expectReal("max float", 0, 76, maxFloat);
  expectReal("+ double", 0, 0.25 + 0.125 * sum, plusDouble);
  expectReal("min double", 0, 501, minDouble);
  expectReal("* double", 0, 3 * 1125899906842624.0, timesDouble);
  expectInteger("&& true", 0, 1, all);
  expectInteger("&& false", 0, 0, allButOne);
  expectInteger("|| true", 0, 1, any);
  expectInteger("|| false", 0, 0, none);
  return finish();
}
