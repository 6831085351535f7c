// ThreadLocalCopies.h: copies of thread-local variables in shared memory, for threads of other
// nodes to read. Bytes are copied; a pointer of the object into itself (a short std::string has
// one) points into the copy.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/LibompShim.h"
#include <cstddef>
#include <vector>

namespace ompdsm {

/// Used by one thread at a time.
class ThreadLocalCopies {
public:
  ThreadLocalCopies() = default;
  ~ThreadLocalCopies() { clear(); }
  ThreadLocalCopies(const ThreadLocalCopies &) = delete;
  ThreadLocalCopies &operator=(const ThreadLocalCopies &) = delete;

  /// A copy of the calling thread's variable of `bytes` bytes, for the construct at `location`.
  /// Ends the job if there is no memory, or if the variable points to another thread-local
  /// variable.
  void *add(const Ident *location, void *variable, std::size_t bytes);
  /// The same for a variable of unknown size: with all that follows it in its block.
  void *addWithRest(const Ident *location, void *variable);
  /// Frees the copies.
  void clear();

private:
  void *copy(const Ident *location, void *variable, std::size_t bytes);
  /// Moves the copy's pointers into the variable to the copy; calls visit(word) for all other
  /// words.
  template <class Visit> void adjust(void *variable, void *copy, std::size_t bytes, Visit visit);

  std::vector<void *> copies_;
};

} // namespace ompdsm
