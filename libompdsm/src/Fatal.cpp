// Fatal.cpp: the message reaches the user by the launcher, or directly where there is none.
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace ompdsm {

namespace {

[[noreturn]] void giveUp(int code, const char *format, std::va_list arguments) {
  // Its own buffer and plain system calls, because the heap or stdio may be what failed.
  char message[1024];
  std::vsnprintf(message, sizeof message, format, arguments);
  Runtime *job = runtime();
  if (job && job->bootstrap) {
    job->bootstrap->reportFailure(message);
  } else {
    char line[sizeof message + 16];
    const int length = std::snprintf(line, sizeof line, "ompdsm: %s\n", message);
    if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0)
      _exit(code); // Nowhere to say it.
  }
  _exit(code);
}

} // namespace

void fatal(const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  giveUp(1, format, arguments);
}

void fatalWithCode(int code, const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  giveUp(code ? code : 1, format, arguments);
}

} // namespace ompdsm
