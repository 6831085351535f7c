// MemoryLimits.h: the limits of the process that stand behind a failed request for memory.
#pragma once
#include <cstddef>
#include <string>

namespace ompdsm {

/// What a message says when the kernel gives no memory: "the address space is limited to 1024 KiB
/// (`ulimit -v`)", or what else to look at where no limit is set. Allocates nothing.
struct MemoryLimitText {
  MemoryLimitText();
  char text[192];
};

} // namespace ompdsm
