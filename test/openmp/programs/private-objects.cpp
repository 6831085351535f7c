// RUN: %build-cpp
// RUN: %full %on1 | grep -x ok
// RUN: %full %on2 | grep -x ok
// RUN: %on3 | grep -x ok
// RUN: %full %on4 | grep -x ok
// private, firstprivate and lastprivate of C++ objects: constructors, copies, assignments and
// destructors run for each thread; objects with memory of their own; references.
#include "check.h"
#include <atomic>
#include <omp.h>
#include <string>
#include <vector>

static std::atomic<int> alive, copies, assigned;
struct Counted {
  int value;
  int *memory;
  Counted(int v = -1) : value(v), memory(new int(v)) { alive++; }
  Counted(const Counted &o) : value(o.value), memory(new int(*o.memory)) { alive++, copies++; }
  Counted &operator=(const Counted &o) {
    value = o.value;
    *memory = *o.memory;
    assigned++;
    return *this;
  }
  ~Counted() {
    delete memory;
    memory = nullptr;
    alive--;
  }
};

int main() {
  int threads = 0, wrong = 0;
  {
    Counted first(42), last(1), each(5);
#pragma omp parallel private(each) firstprivate(first) reduction(+ : wrong)
    {
#pragma omp single
      threads = omp_get_num_threads();
      wrong += each.value != -1 || *each.memory != -1 || first.value != 42 || *first.memory != 42;
      *each.memory = each.value = first.value += omp_get_thread_num();
#pragma omp for schedule(monotonic : dynamic, 2) lastprivate(last)
      for (int i = 0; i < 31; i++) {
        last.value = i;
        *last.memory = 10 * i;
      }
      wrong += last.value != 30 || *last.memory != 300;
#pragma omp barrier
      wrong += each.value != 42 + omp_get_thread_num();
    }
    EXPECT_EQUAL(0, wrong);
    EXPECT_EQUAL(threads, copies);
    EXPECT_EQUAL(1, assigned);
    EXPECT_EQUAL(3, alive);
    EXPECT_EQUAL(42, first.value);
    EXPECT_EQUAL(5, *each.memory);
    EXPECT_EQUAL(300, *last.memory);
  }
  EXPECT_EQUAL(0, alive);

  std::string text = "begin of a string that is too long for the object itself";
  std::vector<int> numbers{1, 2, 3};
  std::string result;
#pragma omp parallel for firstprivate(text, numbers) lastprivate(numbers, result) schedule(static, 1)
  for (int i = 0; i < 23; i++) {
    numbers.assign(i + 1, i);
    result = text + std::to_string(i);
  }
  EXPECT_EQUAL(23, numbers.size());
  EXPECT_EQUAL(22, numbers.back());
  EXPECT(result == "begin of a string that is too long for the object itself22");

  int target = 3;
  int &reference = target;
  long sum = 0;
#pragma omp parallel for firstprivate(reference) lastprivate(reference) reduction(+ : sum)
  for (int i = 0; i < 20; i++) {
    sum += reference >= 0;
    reference = i;
  }
  EXPECT_EQUAL(20, sum);
  EXPECT_EQUAL(19, target);

  // Sections, too.
  Counted fromSection(0);
#pragma omp parallel sections lastprivate(fromSection)
  {
#pragma omp section
    *fromSection.memory = 1;
#pragma omp section
    *fromSection.memory = 2;
#pragma omp section
    *fromSection.memory = 3;
  }
  EXPECT_EQUAL(3, *fromSection.memory);
  return checkResult();
}
