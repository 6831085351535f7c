// MemoryLimits.cpp: asks the kernel.
#include "libompdsm/src/MemoryLimits.h"
#include <cstdio>
#include <sys/resource.h>

namespace ompdsm {

MemoryLimitText::MemoryLimitText() {
  struct Kind {
    __rlimit_resource resource;
    const char *what, *option;
  };
  // Writable private mappings count as data, too.
  for (const Kind kind :
       {Kind{RLIMIT_AS, "the address space", "-v"}, Kind{RLIMIT_DATA, "data", "-d"}}) {
    rlimit limit{};
    if (getrlimit(kind.resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
      continue;
    std::snprintf(text, sizeof text, "%s of a process is limited to %llu KiB (`ulimit %s`)",
                  kind.what, static_cast<unsigned long long>(limit.rlim_cur) >> 10, kind.option);
    return;
  }
  std::snprintf(
      text, sizeof text,
      "the host has no more (/proc/meminfo), or /proc/sys/vm/overcommit_memory is 2, which "
      "allows no reservations");
}

} // namespace ompdsm
