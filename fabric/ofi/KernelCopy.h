// KernelCopy.h: whether the kernel lets two processes of a host copy from each other's memory
// (process_vm_readv), which the shm provider then does with large messages.
#pragma once
#include <cstdint>
#include <sys/types.h>

namespace ompdsm::fabric {

/// What a node shows to its peers of itself: the value of a word, and where it is.
struct CopyProbe {
  std::uint64_t address = 0, value = 0;
};

/// Whether this process reads that value there. What one of two processes of a user may is what the
/// other may, but for odd settings of the kernel (README.md says what happens then).
bool canCopyFrom(pid_t process, const CopyProbe &probe);

} // namespace ompdsm::fabric
