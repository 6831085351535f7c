// Exceptions thrown, caught, rethrown and nested inside regions, with texts from shared memory.
#include "../report.h"
#include <exception>
#include <omp.h>
#include <stdexcept>
#include <string>
#include <vector>
struct Mine : std::runtime_error {
  int code;
  const std::vector<int> *values;
  Mine(const std::string &t, int c, const std::vector<int> *v)
      : std::runtime_error(t), code(c), values(v) {}
};
static int alive;
struct Guard {
  Guard() {
#pragma omp atomic
    alive++;
  }
  ~Guard() {
#pragma omp atomic
    alive--;
  }
};
__attribute__((noinline)) static void deep(int n, int code, const std::vector<std::string> &names,
                                           const std::vector<int> &v) {
  Guard g;
  if (n == 0)
    throw Mine("text of " + names[code], code, &v);
  deep(n - 1, code, names, v);
}
int main() {
  constexpr int N = 120;
  std::vector<std::string> names(N), caught(N);
  std::vector<int> v(N, 0);
  int counts = 0;
#pragma omp parallel reduction(+ : counts)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      names[i] = "a rather long name number " + std::to_string(i);
      v[i] = i * i;
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      try {
        try {
          deep(i % 20, i, names, v);
        } catch (const std::runtime_error &e) {
          caught[i] = e.what();
          throw;
        }
      } catch (Mine &m) {
        expectInteger("code", i, i, m.code);
        expectInteger("values", i, i * i, (*m.values)[i]);
        counts++;
      } catch (...) {
        expectInteger("wrong handler", i, 0, 1);
      }
      try {
        (void)v.at(N + i);
      } catch (const std::out_of_range &e) {
        counts += 1000;
      }
      try {
        try {
          throw std::logic_error("inner");
        } catch (...) {
          std::throw_with_nested(std::runtime_error("outer"));
        }
      } catch (const std::exception &e) {
        try {
          std::rethrow_if_nested(e);
        } catch (const std::logic_error &l) {
          counts += 1000000 * (std::string(l.what()) == "inner");
        }
      }
    }
#pragma omp critical
    try {
      throw omp_get_thread_num();
    } catch (int t) {
      expectInteger("int", t, omp_get_thread_num(), t);
    }
  }
  expectInteger("counts", 0, 1001001L * N, counts);
  expectInteger("alive", 0, 0, alive);
  for (int i = 0; i < N; i++)
    expectInteger("caught", i, 1,
                  caught[i] == "text of a rather long name number " + std::to_string(i));
  return finish();
}
