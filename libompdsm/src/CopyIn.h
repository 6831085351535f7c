// CopyIn.h: copyin of threadprivate variables into threads of other nodes.
//
// The region gets the address of the initial thread's variable, in thread-local storage, which
// means nothing on another node. The pass announces such captures with their size; the other nodes'
// threads then get the address of a copy in shared memory. A region may only read it: that is what
// copyin does, first of all.
//
// An address of thread-local storage that was not announced is that of a variable which the region
// shares by a reference or pointer, or what is left in a register for a pointer without a value,
// which nobody uses. Other nodes' threads get an address where no memory is, and a message if they
// use it.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/ThreadLocalCopies.h"
#include <csignal>
#include <cstddef>
#include <vector>

namespace ompdsm {

/// If the fault is a use of an address that stands for another node's thread-local variable,
/// reports it and ends the process (exit code 139). For a handler of SIGSEGV.
void reportForeignThreadLocal(const siginfo_t &info);

/// Of node 0's initial thread, which alone uses it.
class CopyIns {
public:
  /// The next region captures the thread-local variable at `variable`.
  void announce(void *variable, std::size_t bytes) { announced_.push_back({variable, bytes}); }
  /// The arguments for other nodes. Ends the job if one that was announced holds a pointer to
  /// another thread-local variable.
  std::vector<void *> forOtherNodes(const Ident *location, std::vector<void *> arguments);
  /// The region has ended; forgets what was announced for it.
  void release();

private:
  struct Variable {
    void *address;
    std::size_t bytes;
  };
  std::vector<Variable> announced_;
  ThreadLocalCopies copies_;
};

} // namespace ompdsm
