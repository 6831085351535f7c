// StackOverflow.h: tells the user that a stack in the slice was too small, where the system would
// only say "Segmentation fault".
//
// Threads whose stacks are watched have a signal stack, because a handler cannot run on a stack
// that is full. Handlers of SIGSEGV that the program installs later replace this one.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <csignal>

namespace ompdsm {

struct SharedStack;

/// Who made a thread, and so what makes its stack larger.
enum class StackUse { Main, OpenMp, Program };

/// The calling thread runs, or is about to run, on `stack`, for the rest of its life.
void watchStack(const SharedStack &stack, StackUse use);

/// The frames of the calling function and of all around it; empty if the stack is not watched.
AddressRange stackInUse();

/// If the fault is a write below the calling thread's stack, reports it and ends the process (exit
/// code 139). Else returns false. Async-signal-safe; `context` is the handler's third argument.
bool reportStackOverflow(const siginfo_t &info, const void *context);

/// Makes SIGSEGV call reportStackOverflow(); every other fault ends the process as if this had not
/// been called. Does nothing where somebody else handles the signal.
void installStackOverflowHandler();

} // namespace ompdsm
