// SharedStacks.cpp: handing out stacks, and the switch to one.
#include "libompdsm/src/SharedStacks.h"
#include "fabric/Check.h"
#include <cerrno>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ompdsm {
namespace {

/// A number that was given to another thread since only delays the reuse.
bool kernelKnowsThread(pid_t thread) {
  return syscall(SYS_tgkill, getpid(), thread, 0) == 0 || errno != ESRCH;
}

/// Readable still, because the home reads whatever block another node fetches, ahead of time too.
bool forbidWriting(AddressRange range) {
  return mprotect(reinterpret_cast<void *>(range.begin), range.bytes(), PROT_READ) == 0;
}

} // namespace

SharedStack *SharedStacks::acquire(std::size_t bytes) {
  const std::size_t wanted = (bytes + kPageBytes - 1) & ~(kPageBytes - 1);
  SharedStack *stack = findFree(wanted);
  if (!stack)
    stack = make(wanted);
  if (!stack)
    return nullptr;
  stack->inUse = true;
  stack->hasHandle = stack->isDetached = false;
  stack->thread.store(0, std::memory_order_relaxed);
  return stack;
}

SharedStack *SharedStacks::findFree(std::size_t bytes) {
  for (const auto &stack : stacks_) {
    const pid_t thread = stack->thread.load(std::memory_order_relaxed);
    if (stack->inUse && stack->isDetached && thread != 0 && !kernelKnowsThread(thread))
      stack->inUse = false;
    // Not much larger than asked for: a large stack is kept for the one that needs it.
    if (!stack->inUse && stack->range.bytes() >= bytes && stack->range.bytes() / 4 <= bytes)
      return stack.get();
  }
  return nullptr;
}

SharedStack *SharedStacks::make(std::size_t bytes) {
  if (stacks_.size() == kMaxStacks || bytes > area_.end - unused_ ||
      SharedStack::kBelowBytes > area_.end - unused_ - bytes)
    return nullptr;
  auto stack = std::make_unique<SharedStack>();
  const Address begin = unused_ + SharedStack::kBelowBytes;
  stack->range = {begin, begin + bytes};
  if (!forbidWriting({unused_, unused_ + kPageBytes}) ||
      !forbidWriting(stack->guard()))
    return nullptr;
  unused_ = stack->range.end;
  return stacks_.emplace_back(std::move(stack)).get();
}

void SharedStacks::release(SharedStack *stack) {
  OMPDSM_CHECK(stack->inUse);
  stack->inUse = false;
}

void SharedStacks::noteCreated(SharedStack *stack, pthread_t handle, bool isDetached) {
  stack->handle = handle;
  stack->hasHandle = true;
  stack->isDetached = isDetached || stack->isDetached;
}

SharedStack *SharedStacks::ownerOf(pthread_t handle) {
  for (const auto &stack : stacks_)
    if (stack->inUse && stack->hasHandle && pthread_equal(stack->handle, handle))
      return stack.get();
  return nullptr;
}

void SharedStacks::noteDetached(pthread_t handle) {
  std::lock_guard lock(mutex_);
  if (SharedStack *stack = ownerOf(handle))
    stack->isDetached = true;
}

void SharedStacks::noteJoined(pthread_t handle) {
  std::lock_guard lock(mutex_);
  if (SharedStack *stack = ownerOf(handle))
    stack->inUse = false;
}

// The frame pointer makes the frame independent of the stack pointer, so that unwinding goes
// through. This file is compiled with -fno-omit-frame-pointer.
__attribute__((noinline)) void callOnStack(AddressRange range, void (*function)(void *),
                                           void *argument) {
  const Address top = range.end & ~Address(63);
  asm volatile("movq %%rsp, %%rbx\n\t"
               "movq %[top], %%rsp\n\t"
               "callq *%[function]\n\t"
               "movq %%rbx, %%rsp\n\t"
               : "+D"(argument)
               : [top] "r"(top), [function] "r"(function)
               : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc",
                 "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                 "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

} // namespace ompdsm
