// FatalForTests.cpp: the runtime's way to give up, for units that have no launcher to tell.
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
