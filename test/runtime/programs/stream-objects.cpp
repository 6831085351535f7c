// Streams, their buffers and locales that the library makes where other nodes have read before: these see the new
// object, and what is left of it behind its end.
// RUN: %cxx -O0 %s -o %t0 && %run -n 2 %t0 %t0.log | %check %s
// RUN: %cxx -O2 %s -o %t2 && %run -n 3 -t 2 %t2 %t2.log | %check %s
// CHECK: ok
#include "expect.h"
#include <fstream>
#include <locale>
#include <memory>
#include <new>
#include <omp.h>
#include <sstream>
#include <string>

enum { Bytes = 4096 };
static unsigned char *place;

static unsigned long hash(std::size_t bytes) {
  unsigned long value = 0;
  for (std::size_t i = 0; i < bytes; i++)
    value = value * 31 + place[i];
  return value;
}

/// All nodes read what the first one sees.
static void compare(std::size_t bytes, const char *what) {
  const unsigned long here = hash(bytes);
  int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  wrong += hash(bytes) != here;
  if (wrong)
    std::printf("%s: %d threads see something else\n", what, wrong);
  EXPECT(wrong == 0);
}

template <class Object, class... Arguments> static void check(const char *what, const Arguments &...arguments) {
  for (int i = 0; i < Bytes; i++)
    place[i] = 0x5a;
  compare(Bytes, what);
  Object *object = new (place) Object(arguments...);
  compare(sizeof(Object), what);
  object->~Object();
  compare(sizeof(Object), what);
}

int main(int, char **argv) {
  place = static_cast<unsigned char *>(::operator new(Bytes));
  const std::string path = argv[1];
  check<std::ofstream>("ofstream by path", path.c_str());
  check<std::ofstream>("ofstream by string", path);
  check<std::ifstream>("ifstream by path", path.c_str());
  check<std::ifstream>("ifstream by string", path);
  check<std::fstream>("fstream by path", path.c_str());
  check<std::ofstream>("ofstream");
  check<std::ifstream>("ifstream");
  check<std::fstream>("fstream");
  check<std::filebuf>("filebuf");
  check<std::ostringstream>("ostringstream", std::string("text"));
  check<std::stringstream>("stringstream");
  check<std::locale>("locale");
  check<std::locale>("classic locale", std::locale::classic());

  for (int i = 0; i < Bytes; i++)
    place[i] = 0x5a;
  compare(Bytes, "before a move");
  std::ofstream first(path);
  auto *moved = new (place) std::ofstream(std::move(first));
  compare(sizeof *moved, "moved ofstream");
  std::ofstream second(path);
  moved->swap(second);
  compare(sizeof *moved, "swapped ofstream");
  *moved = std::move(second);
  compare(sizeof *moved, "assigned ofstream");
  moved->imbue(std::locale::classic());
  compare(sizeof *moved, "ofstream with a locale");
  moved->~basic_ofstream();
  std::remove(path.c_str());
  ::operator delete(place);
  std::puts("ok");
}
