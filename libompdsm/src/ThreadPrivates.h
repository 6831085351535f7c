// ThreadPrivates.h: threadprivate variables without thread-local storage (flang, and clang
// -fnoopenmp-use-tls): the compiled code asks for the calling thread's copy.
//
// Node 0's initial thread has the original, as OpenMP says. Every other thread has a copy in its
// node's slice, so that its address means the same on all nodes; it begins with what the variable
// held when the program started. Copies last until their thread ends.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ompdsm {

struct Runtime;

/// The initial contents of variables that threads of this node have asked for. Any thread.
class ThreadPrivates {
public:
  explicit ThreadPrivates(const Runtime &runtime) : runtime_(runtime) {}

  /// The calling thread's copy of the `bytes` at `original`. Ends the job with the place if there
  /// is no memory, or if a copy of another size was asked for before.
  void *copyOf(const Ident *location, void *original, std::size_t bytes);

private:
  std::vector<std::byte> initialContents(const void *original, std::size_t bytes);

  const Runtime &runtime_;
  std::mutex mutex_; ///< A leaf.
  std::unordered_map<const void *, std::vector<std::byte>> initial_;
};

/// The calling thread ends.
void freeThreadPrivateCopies();

} // namespace ompdsm
