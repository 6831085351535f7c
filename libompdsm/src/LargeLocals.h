// LargeLocals.h: large local variables of node 0's first thread, on the heap: those that regions of
// other nodes may use (the pass, LargeLocals.h). All other threads share theirs inside of the node
// at most, and keep them on their stacks.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <vector>

namespace ompdsm {

struct Runtime;

/// For that thread alone, on its own stack.
class LargeLocals {
public:
  explicit LargeLocals(Runtime &runtime) : runtime_(runtime) {}

  /// Where a variable lies whose place on the stack is `local`: on the heap, or there. `frame`: of
  /// who is called for it, below all that is on the stack.
  void *begin(void *local, std::size_t bytes, Address frame);
  void end(const void *local);
  /// All that lie below the stack pointer `above`.
  void endBelow(Address above);

private:
  struct Moved {
    AddressRange local; ///< On the stack.
    void *place = nullptr;
  };
  template <class IsGone> void endIf(IsGone isGone);

  Runtime &runtime_;
  /// The latest last. Exceptions and longjmp leave some of frames that are gone, no two of which
  /// lie on the same part of the stack: together they are no larger than that.
  std::vector<Moved> moved_;
};

} // namespace ompdsm
