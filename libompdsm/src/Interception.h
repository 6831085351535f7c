// Interception.h: what the interposed functions of the C library share.
//
// The C library is not instrumented, so a function of it that reads or writes the program's memory
// must have the permission before. Every interposed function does the same: if the caller is a
// thread of the program (nodes > 1) it asks for the ranges that the call will touch, then it calls
// the real function. With one node, in the runtime's own threads and for the network library, it
// only calls the real function.
#pragma once
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/ThreadContext.h"
#include <dlfcn.h>
#include <sys/uio.h>

namespace ompdsm {

/// True if the call comes from the program or a library it uses, on a thread of the program.
inline bool mustAsk(const void *caller) {
  // Threads of the runtime and of the network library are never registered. The program's threads
  // are inside the network library when they send: what they touch there is the protocol's
  // business.
  if (!currentThread.registration || ProtocolScope::isActive())
    return false;
  const auto from = reinterpret_cast<Address>(caller);
  // The allocator may be in the middle of something, and the protocol would come back to it.
  return !runtime()->networkLibrary.contains(from) && !runtime()->allocatorLibrary.contains(from);
}

/// The definition of a function after this library's. Never the compiler's idea of a builtin.
template <class Function> class RealFunction {
public:
  constexpr explicit RealFunction(const char *name) : name_(name) {}
  Function *get() {
    // Relaxed is enough: the value is the same whoever asks, and nothing else depends on it.
    Function *function = function_.load(std::memory_order_relaxed);
    return function ? function : resolve();
  }

private:
  __attribute__((noinline)) Function *resolve() {
    auto *function = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name_));
    if (!function)
      __builtin_trap(); // Whoever calls the function was linked with a library that has it.
    function_.store(function, std::memory_order_relaxed);
    return function;
  }
  const char *const name_;
  std::atomic<Function *> function_{nullptr};
};

/// Read permission for the string at `text` up to and with its NUL, or for `most` bytes. Returns
/// the string's length, at most `most`. Asks line by line, because nobody knows the length before.
std::size_t ensureString(const char *text, std::size_t most = SIZE_MAX);

/// Write permission for a text of unknown length: up to `most` bytes, cut at the end of the area.
void ensureWriteUpTo(void *p, std::size_t most);

/// Permission for `count` buffers and their list; `areWritten`: the buffers are.
void ensureVectors(const iovec *vectors, int count, bool areWritten);

} // namespace ompdsm

/// Defines an interposed function. It gets a name of its own in C++ (the headers of the C library
/// declare some with overloads and attributes), and `real` is the function behind it.
#define OMPDSM_INTERPOSE(result, name, parameters)                                                 \
  namespace {                                                                                      \
  constinit ompdsm::RealFunction<result parameters> real_##name{#name};                            \
  }                                                                                                \
  extern "C" __attribute__((visibility("default"),                                                 \
                            used)) result interposed_##name parameters __asm__(#name);             \
  extern "C" result interposed_##name parameters

/// The address to which the interposed function returns.
#define OMPDSM_CALLER __builtin_return_address(0)

/// An interposed function that asks (`asks`: statements) and calls the real one with `arguments`.
#define OMPDSM_WRAP(result, name, parameters, arguments, asks)                                     \
  OMPDSM_INTERPOSE(result, name, parameters) {                                                     \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      asks                                                                                         \
    }                                                                                              \
    return real_##name.get() arguments;                                                            \
  }
