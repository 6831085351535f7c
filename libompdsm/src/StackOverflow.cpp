// StackOverflow.cpp: recognises a fault in the guard of the own stack, and explains what it can of
// others.
#include "libompdsm/src/StackOverflow.h"
#include "libompdsm/src/CopyIn.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/SharedStacks.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/ThreadContext.h"
#include <cerrno>
#include <cstdio>
#include <ucontext.h>
#include <unistd.h>

namespace ompdsm {
namespace {

constexpr int kExitCode = 128 + SIGSEGV; // A shell's, and the launcher's, for this signal.
/// A function writes up to 128 bytes below its stack pointer (red zone); the rest is margin.
constexpr Address kNearBytes = 4096;

// A thread's own state, as ThreadContext.
struct WatchedStack {
  AddressRange range, guard;
  StackUse use = StackUse::Main;
};
thread_local constinit WatchedStack watched __attribute__((tls_model("initial-exec")));

const char *remedyFor(StackUse use) {
  switch (use) {
  case StackUse::Main:
    return "OMPDSM_MAIN_STACK_MIB makes it larger";
  case StackUse::OpenMp:
    return "OMP_STACKSIZE makes it larger";
  case StackUse::Program:
    break;
  }
  return "pthread_attr_setstacksize and `ulimit -s` make it larger";
}

void describeThread(char *text, std::size_t bytes) {
  const RegionFrame *frame = enclosingSpreadFrame();
  if (frame)
    std::snprintf(text, bytes, "OpenMP thread %u", frame->globalThread);
  else if (watched.use == StackUse::Main)
    std::snprintf(text, bytes, "the first thread");
  else
    std::snprintf(text, bytes, "the thread %d", int(gettid()));
}

/// In a region on another node than 0: what the program's serial part has mapped is not here.
void explainMissingMapping(const siginfo_t &info) {
  const RegionFrame *frame = enclosingSpreadFrame();
  constexpr Address kNull = 64 << 10; // A member of no object.
  const auto fault = reinterpret_cast<Address>(info.si_addr);
  if (info.si_code != SEGV_MAPERR || !frame || frame->region->node == 0 || fault < kNull)
    return;
  char text[320];
  const int bytes = std::snprintf(
      text, sizeof text,
      "ompdsm: node %u has no memory at 0x%llx, where thread %u of a parallel region looks: what "
      "node 0 maps by itself (mmap, shmat) other nodes do not have, so if it lies there, allocate "
      "it by malloc or new\n",
      frame->region->node, static_cast<unsigned long long>(fault), frame->globalThread);
  (void)!write(STDERR_FILENO, text, std::size_t(bytes));
}

void onFault(int number, siginfo_t *info, void *context) {
  const int kept = errno;
  reportStackOverflow(*info, context);
  reportForeignThreadLocal(*info);
  explainMissingMapping(*info);
  // The instruction faults again, now without a handler, so that a core dump shows it. What
  // somebody sent has to be sent again, and comes when this returns.
  std::signal(number, SIG_DFL);
  if (info->si_code <= 0)
    std::raise(number);
  errno = kept;
}

} // namespace

void watchStack(const SharedStack &stack, StackUse use) {
  watched = {stack.range, stack.guard(), use};
  const AddressRange place = stack.signalStack();
  stack_t signalStack{};
  signalStack.ss_sp = reinterpret_cast<void *>(place.begin);
  signalStack.ss_size = place.bytes();
  // It fails on processors whose registers do not fit; then an overflow stays a plain fault.
  (void)sigaltstack(&signalStack, nullptr);
}

AddressRange stackInUse() {
  const auto here = reinterpret_cast<Address>(__builtin_frame_address(0));
  return watched.range.contains(here) ? AddressRange{here, watched.range.end} : AddressRange{};
}

bool reportStackOverflow(const siginfo_t &info, const void *context) {
  const auto fault = reinterpret_cast<Address>(info.si_addr);
  const auto stackPointer =
      Address(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RSP]);
  // A wild pointer into the guard, from higher up in the stack, is another mistake.
  if (info.si_code <= 0 || !watched.guard.contains(fault) ||
      stackPointer >= watched.range.begin + kNearBytes)
    return false;
  char thread[40];
  describeThread(thread, sizeof thread);
  fatalWithCode(
      kExitCode,
      "stack overflow: %s has used up its stack of %zu KiB; if no recursion is endless, %s", thread,
      watched.range.bytes() >> 10, remedyFor(watched.use));
}

void installStackOverflowHandler() {
  struct sigaction action{};
  if (sigaction(SIGSEGV, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
    return;
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

} // namespace ompdsm
