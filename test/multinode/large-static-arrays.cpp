// Static storage of every kind: a big global, one without and one with an initial value, statics in
// functions, inline variables, static members of templates, variables in anonymous namespaces.
#include "report.h"
#include <omp.h>

constexpr int Large = 1 << 20;

int large[Large];                          // zero at first
double initialised[513] = {1.0, 2.0, 3.0}; // in the data section
inline long inlineArray[1000];             // one per program, in a COMDAT
namespace {
short hidden[2000];
}

template <typename T, int Length> struct Table {
  static T values[Length];
};
template <typename T, int Length> T Table<T, Length>::values[Length];

static long *counters() {
  static long inFunction[400];
  return inFunction;
}

template <int K> int &staticOf() {
  static int value = 10 * K;
  return value;
}

int main() {
  for (int round = 1; round <= 3; round++) {
#pragma omp parallel
    {
#pragma omp for nowait
      for (int i = 0; i < Large; i += 64)
        large[i] += i + round;
#pragma omp for nowait
      for (int i = 3; i < 513; i++)
        initialised[i] += i;
#pragma omp for nowait schedule(static, 1)
      for (int i = 0; i < 1000; i++) {
        inlineArray[i] += i;
        hidden[2 * i] = static_cast<short>(hidden[2 * i] + i);
        Table<float, 1000>::values[i] += 0.5f;
        Table<char, 1000>::values[i]++;
      }
#pragma omp for
      for (int i = 0; i < 400; i++)
        counters()[i] += 2 * i;
#pragma omp single
      staticOf<1>() += round;
      expectReal("initial value", 2, 3.0, initialised[2]);
      expectInteger("other static of the template", 0, 20, staticOf<2>());
    }
  }
  for (int i = 0; i < Large; i++)
    expectInteger("large", i, i % 64 ? 0 : 3 * i + 6, large[i]);
  for (int i = 3; i < 513; i++)
    expectReal("initialised", i, 3.0 * i, initialised[i]);
  for (int i = 0; i < 1000; i++) {
    expectInteger("inline", i, 3 * i, inlineArray[i]);
    expectInteger("hidden", i, 3 * i, hidden[2 * i]);
    expectInteger("hidden between", i, 0, hidden[2 * i + 1]);
    expectReal("template of float", i, 1.5, Table<float, 1000>::values[i]);
    expectInteger("template of char", i, 3, Table<char, 1000>::values[i]);
  }
  for (int i = 0; i < 400; i++)
    expectInteger("static in a function", i, 6 * i, counters()[i]);
  expectInteger("static of a template", 0, 16, staticOf<1>());
  return finish();
}
