// RUN: %build-cpp
// RUN: %on1 | grep -x ok
// RUN: %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %on4 | grep -x ok
// taskloop with grainsize, num_tasks, reductions, lastprivate, and with private objects that have
// constructors and destructors, which libomp calls on any thread of the node.
#include "check.h"
#include <omp.h>
#include <string>
#include <vector>

enum { N = 1000 };
static int touched[N];
static int alive, copies;

struct Counted {
  std::string text;
  explicit Counted(const char *t) : text(t) { add(1); }
  Counted(const Counted &other) : text(other.text) {
    add(1);
#pragma omp atomic
    copies++;
  }
  ~Counted() { add(-1); }
  static void add(int n) {
#pragma omp atomic
    alive += n;
  }
};

int main() {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(7)
  for (int i = 0; i < N; i++)
    touched[i]++;
  for (int i = 0; i < N; i++)
    EXPECT_EQUAL(1, touched[i]);

  // From all threads at once, each its own part.
  long sums[16] = {};
  int threads = 0;
#pragma omp parallel
  {
    long mine = 0;
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp taskloop num_tasks(20) reduction(+ : mine)
    for (int i = 0; i < N; i++)
      mine += i;
    sums[omp_get_thread_num()] = mine;
  }
  for (int i = 0; i < threads; i++)
    EXPECT_EQUAL(N * (N - 1) / 2, sums[i]);

  int last = -1;
#pragma omp parallel
#pragma omp masked
#pragma omp taskloop lastprivate(last) collapse(2)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 30; j++)
      last = i * 100 + j;
  EXPECT_EQUAL(1929, last);

  // Many tasks with objects: duplicated on several threads, destroyed where they ran.
  {
    Counted object("a text that is too long for the object itself");
    long lengths = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop firstprivate(object) grainsize(1) reduction(+ : lengths)
      for (int i = 0; i < 300; i++)
        lengths += static_cast<long>(object.text.size());
#pragma omp task firstprivate(object) shared(lengths)
      lengths += static_cast<long>(object.text.size());
    }
    EXPECT_EQUAL(301 * 45, lengths);
    EXPECT(copies >= 301);
    EXPECT_EQUAL(1, alive);
  }
  EXPECT_EQUAL(0, alive);

  // Exceptions inside a task, and containers filled by tasks.
  std::vector<std::string> results(50);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 50; i++)
#pragma omp task firstprivate(i) shared(results)
    try {
      if (i % 3 == 0)
        throw std::string("thrown ") + std::to_string(i);
      results[static_cast<std::size_t>(i)] = "made " + std::to_string(i);
    } catch (const std::string &text) {
      results[static_cast<std::size_t>(i)] = text;
    }
  for (int i = 0; i < 50; i++)
    EXPECT(results[static_cast<std::size_t>(i)] == (i % 3 ? "made " : "thrown ") + std::to_string(i));
  return checkResult();
}
