// Parallel regions in a global constructor, a constructor function, an exit handler and a global
// destructor.
#include "../report.h"
#include <cstdlib>
#include <omp.h>
#include <vector>
static long sumOf(std::vector<long> &v) {
  long s = 0;
#pragma omp parallel for reduction(+ : s) schedule(static, 1)
  for (std::size_t i = 0; i < v.size(); i++) {
    v[i]++;
    s += v[i];
  }
  return s;
}
static std::vector<long> early(100, 1);
struct G {
  std::vector<long> v;
  long s;
  G() : v(500, 2), s(sumOf(v)) {}
  ~G() {
    if (sumOf(v) != 500 * 6) {
      puts("wrong in a destructor");
      _Exit(5);
    }
  }
};
static G g;
static long ctor;
__attribute__((constructor)) static void before() {
  long n = 0;
#pragma omp parallel reduction(+ : n)
  n++;
  ctor = n;
}
static void atExit() {
  if (sumOf(g.v) != 500 * 5) {
    puts("wrong in an exit handler");
    _Exit(6);
  }
}
int main() {
  atexit(atExit);
  expectInteger("constructor function", 0, omp_get_max_threads(), ctor);
  expectInteger("sum in a constructor", 0, 1500, g.s);
  expectInteger("sum in main", 0, 2000, sumOf(g.v));
  expectInteger("early", 0, 200, sumOf(early));
#pragma omp parallel
  {
    expectInteger("read", 0, 4, g.v[499]);
  }
  return finish();
}
