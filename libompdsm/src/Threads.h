// Threads.h: which threads of the process run the program, and which the runtime.
//
// Threads that the program or libomp makes get a shared stack and are known to the engine. Threads
// that the runtime or the network library makes stay outside: they never run instrumented code.
#pragma once
#include "libompdsm/src/AddressSpace.h"

namespace ompdsm {

struct Runtime;

/// While one lives, threads that the calling thread makes are the runtime's own.
class RuntimeThreadScope {
public:
  RuntimeThreadScope();
  ~RuntimeThreadScope();
  RuntimeThreadScope(const RuntimeThreadScope &) = delete;
  RuntimeThreadScope &operator=(const RuntimeThreadScope &) = delete;
};

/// True on threads that may run instrumented code: the first one, and those made by the program and
/// libomp. Always false with one node.
bool isProgramThread();
/// The calling thread is one of them (the first thread; others know it by how they were made).
void becomeProgramThread();

/// Once, before the first thread of the program is made.
void prepareThreads(Runtime &job);

} // namespace ompdsm
