// A program's own operator new is used by its instrumented code, in all forms, and new_handler is
// asked where it is not replaced.
// RUN: %cxx %s -o %t
// RUN: %run -n 1 %t && %run -n 2 %t
// RUN: %cxx -DKEEP %s -o %t.kept
// RUN: %run -n 1 %t.kept && %run -n 2 %t.kept
#include "expect.h"
#include <new>
#include <string>
#include <vector>

#ifdef KEEP
static int handlerCalls = 0;
int main() {
  std::set_new_handler([] {
    if (++handlerCalls == 3)
      std::set_new_handler(nullptr);
  });
  const volatile std::size_t huge = std::size_t(1) << 50;
  bool thrown = false;
  try {
    ::operator delete(::operator new(huge));
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  EXPECT(thrown && handlerCalls == 3);
}
#else
static int calls = 0;
void *operator new(std::size_t bytes) {
  ++calls;
  return malloc(bytes);
}
void operator delete(void *p) noexcept { free(p); }
void operator delete(void *p, std::size_t) noexcept { free(p); }

int main() {
  int before = calls;
  int *volatile one = new int(1);
  int *volatile many = new int[10];
  int *volatile quiet = new (std::nothrow) int(2);
  EXPECT(calls == before + 3);
  delete one;
  delete[] many;
  delete quiet;
  before = calls;
  std::vector<std::string> texts;
  for (int i = 0; i < 100; i++)
    texts.push_back(std::string(100, 'x'));
  EXPECT(calls > before + 100);
}
#endif
