// The initialiser of a library without checks calls an instance of a template that the program has, too: it is the
// program's, with checks, and runs before this library's own constructor.
// RUN: %plain-cc -x c++ -lstdc++ -O2 -DLIBRARY -fPIC -shared %s -o %t.library.so
// RUN: %cxx -O2 %s %t.library.so -o %t && %t | %check %s
// RUN: %run -n 1 %t | %check %s
// RUN: env OMPDSM_WARN_FOREIGN=0 %run -n 3 %t | %check %s
// CHECK: 10 55
#include <cstdio>
#include <vector>
template <class T> struct Sums {
  T *values = nullptr;
  int count = 0;
  __attribute__((noinline)) void add(T value) {
    T *more = new T[count + 1];
    for (int i = 0; i < count; ++i)
      more[i] = values[i] + value;
    more[count++] = value;
    delete[] values;
    values = more;
  }
};
#ifdef LIBRARY
struct Names {
  Sums<int> sums;
  Names() {
    for (int i = 0; i < 5; ++i)
      sums.add(i);
  }
} names;
int first() { return names.sums.values[0]; }
#else
int first();
int main() {
  Sums<int> own;
  own.add(0);
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i <= 10; ++i)
    sum += own.values[0] + i;
  std::printf("%d %d\n", first(), sum);
}
#endif
