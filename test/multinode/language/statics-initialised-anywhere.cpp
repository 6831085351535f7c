// Function-local statics, inline variables, template statics, global constructors and destructors.
#include "../report.h"
#include <map>
#include <memory>
#include <omp.h>
#include <string>
#include <vector>
static int constructions;
struct Counted {
  int v;
  std::string text;
  explicit Counted(int i) : v(i), text("a static made by " + std::to_string(i)) {
#pragma omp atomic
    constructions++;
  }
};
static int order;
struct Global {
  int at;
  std::vector<int> data;
  Global() : at(++order), data(1000, at) {}
  ~Global() {
    if (data[999] != at) {
      puts("destructor saw wrong data");
      _Exit(3);
    }
  }
};
static Global first, second;
inline Global third;
template <class T> struct Holder {
  static T value;
  static inline std::vector<T> values{1, 2, 3};
};
template <class T> T Holder<T>::value = T(7);
inline std::map<std::string, int> registry{{"one", 1}, {"two", 2}};
constinit int constant = 9;
struct Singleton {
  static Singleton &get() {
    static Singleton s;
    return s;
  }
  std::vector<int> list;

private:
  Singleton() : list(500, 3) {
#pragma omp atomic
    constructions++;
  }
};
static int make(int i) {
  static const Counted c(i % 1 + 42);
  return c.v + (int)c.text.size();
}
template <int K> static const std::string &named() {
  static const std::string s = "named for the template " + std::to_string(K);
  return s;
}
static int tries;
struct Fails {
  Fails() {
    int t;
#pragma omp atomic capture
    t = ++tries;
    if (t < 3)
      throw t;
  }
  int x = 5;
};
int main() {
  int fails = 0, threads = 0;
#pragma omp parallel reduction(+ : fails, threads)
  {
    threads++;
    expectInteger("make", 0, 42 + 19, make(omp_get_thread_num()));
    expectInteger("singleton", 0, 1500, [] {
      long s = 0;
      for (int x : Singleton::get().list)
        s += x;
      return s;
    }());
    expectInteger("named", 1, 1, named<1>() == "named for the template 1");
    expectInteger("named", 2, 1, named<22>() == "named for the template 22");
    expectInteger("third", 0, third.at, third.data[999]);
    expectInteger("first", 0, first.at, first.data[0]);
    expectInteger("second", 0, first.at + 1, second.data[1]);
    expectInteger("holder", 0, 7, Holder<long>::value);
    expectInteger("holder vector", 0, 3, Holder<int>::values[2]);
    expectInteger("registry", 0, 2, registry.at("two"));
    expectInteger("constinit", 0, 9, constant);
    for (bool done = false; !done;)
      try {
        static Fails f;
        expectInteger("f", 0, 5, f.x);
        done = true;
      } catch (int) {
        fails++;
      }
#pragma omp barrier
#pragma omp critical
    {
      Singleton::get().list.push_back(1);
      Holder<int>::values.push_back(4);
      registry["thread " + std::to_string(omp_get_thread_num())] = 1;
      static int counted = 100;
      counted++;
      constant = counted;
    }
#pragma omp barrier
    expectInteger("pushed", 0, 500 + omp_get_num_threads(), (long)Singleton::get().list.size());
    expectInteger("counted", 0, 100 + omp_get_num_threads(), constant);
    expectInteger("registry size", 0, 2 + omp_get_num_threads(), (long)registry.size());
  }
  expectInteger("fails", 0, 2, fails);
  expectInteger("constructions", 0, 2, constructions);
  return finish();
}
