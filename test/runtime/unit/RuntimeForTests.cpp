// RuntimeForTests.cpp: what stands for the runtime around units: no launcher to tell, no other node to
// ask.
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Fatal.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

void ompdsm::fatal(const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::vfprintf(stderr, format, arguments);
  va_end(arguments);
  std::abort();
}

void ompdsm::ensureRead(const void *, std::size_t) {}
void ompdsm::ensureWrite(void *, std::size_t) {}
