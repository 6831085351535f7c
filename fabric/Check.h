// Check.h: assertions that stay on. A failed check is a programmer's error and ends the process.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace ompdsm {

[[noreturn]] inline void checkFailed(const char *condition, const char *file, int line) {
  std::fprintf(stderr, "ompdsm: internal error: check '%s' failed at %s:%d\n", condition, file, line);
  std::abort();
}

} // namespace ompdsm

/// Ends the process when `condition` is false, in every build.
#define OMPDSM_CHECK(condition)                                                                    \
  ((condition) ? (void)0 : ::ompdsm::checkFailed(#condition, __FILE__, __LINE__))
