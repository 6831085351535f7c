// ShortSlice.h: how the service thread gets a core soon.
#pragma once
#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

namespace ompdsm {

/// A slice of its own lets the service thread preempt computing threads for its short work. Needs
/// no privilege; kernels without it answer with an error that does not matter.
inline void askForShortSlice() {
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  } attributes{};
  attributes.size = sizeof(attributes);
  attributes.runtime = 100000;
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

} // namespace ompdsm
