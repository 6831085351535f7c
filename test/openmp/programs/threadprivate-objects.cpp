// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// RUN: %build-cpp -O0
// RUN: %on3 | grep -x ok
// threadprivate and thread_local objects of C++: classes with constructors, static members, in
// templates and functions; copyin of a static member, and with an object that has a constructor.
#include "check.h"
#include <omp.h>
#include <string>
#include <vector>

struct Counter {
  int value;
  std::string text;
  Counter(int v = 7) : value(v), text("a text that does not fit into the object itself") {}
};
static Counter counter(9);
#pragma omp threadprivate(counter)
struct Holder {
  static int number;
#pragma omp threadprivate(number)
  static thread_local std::vector<int> list;
};
int Holder::number = 4;
thread_local std::vector<int> Holder::list(3, 5);
template <class T> static T &cached() {
  static thread_local T value = T(5);
  return value;
}
static int fromFunction() {
  static Counter local(30);
#pragma omp threadprivate(local)
  return local.value++;
}

struct Start {
  int value;
  Start() : value(2) {}
};
Start start;
#pragma omp threadprivate(start)

int main() {
  int wrong = 0;
  omp_set_dynamic(0);
#pragma omp parallel reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    wrong += counter.value != 9 || counter.text.size() != 47 || Holder::number != 4;
    wrong += Holder::list.size() != 3 || Holder::list[2] != 5 || cached<long>() != 5 || cached<double>() != 5;
    counter.value += me;
    counter.text += std::to_string(me);
    Holder::number = me;
    Holder::list.assign(me + 1, me);
    cached<long>() = me;
    for (int i = 0; i <= me; i++)
      fromFunction();
  }
  EXPECT_EQUAL(0, wrong);
#pragma omp parallel reduction(+ : wrong)
  {
    int me = omp_get_thread_num();
    wrong += counter.value != 9 + me || counter.text != "a text that does not fit into the object itself" + std::to_string(me);
    wrong += Holder::number != me || Holder::list.size() != std::size_t(me) + 1 || Holder::list.back() != me;
    wrong += cached<long>() != me || cached<double>() != 5 || fromFunction() != 31 + me;
  }
  EXPECT_EQUAL(0, wrong);
  Holder::number = 55;
#pragma omp parallel copyin(Holder::number) reduction(+ : wrong)
  wrong += Holder::number != 55;
  EXPECT_EQUAL(0, wrong);
  start.value = 6;
  Holder::number = 56;
#pragma omp parallel copyin(start, Holder::number) reduction(+ : wrong)
  wrong += start.value != 6 || Holder::number != 56;
  EXPECT_EQUAL(0, wrong);
  return checkResult();
}
