// SharedStacks.h: stacks in this node's slice, so that a pointer to a local variable means the same
// on every node.
//
// A stack is used again when nobody can touch it any more: its thread was joined, or is detached
// and the kernel does not know it any more. Any thread may call these functions; they are called on
// the way into and out of threads only, so one mutex (a leaf) guards it all.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace ompdsm {

/// A stack as it lies in the area, from below: one page that cannot be written, the signal stack,
/// the guard, which cannot be written either, the stack.
struct SharedStack {
  /// As large as a function's locals usually are at most: a larger frame may step over it.
  static constexpr std::size_t kGuardBytes = 64 << 10;
  /// The kernel's frame has up to 11 KiB (AMX).
  static constexpr std::size_t kSignalStackBytes = 64 << 10;
  static constexpr std::size_t kBelowBytes = kPageBytes + kSignalStackBytes + kGuardBytes;

  AddressRange range; ///< What the thread gets.
  AddressRange guard() const { return {range.begin - kGuardBytes, range.begin}; }
  AddressRange signalStack() const { return {guard().begin - kSignalStackBytes, guard().begin}; }
  /// Of the thread that runs on it; 0 until it says so.
  std::atomic<pid_t> thread{0};
  // Guarded by SharedStacks::mutex_.
  pthread_t handle{};
  bool hasHandle = false;
  bool inUse = false;
  bool isDetached = false;
};

class SharedStacks {
public:
  explicit SharedStacks(AddressRange area) : area_(area), unused_(area.begin) {}

  /// The lock under which a thread is made: until the handle is known, nobody can look it up.
  std::unique_lock<std::mutex> hold() { return std::unique_lock(mutex_); }

  // The next three under hold().
  /// A stack of at least `bytes`, or null when the area is used up or kMaxStacks are in use.
  SharedStack *acquire(std::size_t bytes);
  /// No thread was made after all.
  void release(SharedStack *stack);

  /// The thread `handle` runs on `stack`.
  void noteCreated(SharedStack *stack, pthread_t handle, bool isDetached);

  void noteDetached(pthread_t handle);
  /// `handle` was joined: its stack is free.
  void noteJoined(pthread_t handle);

  AddressRange area() const { return area_; }

  static constexpr std::size_t kMaxStacks = 4096;

private:
  SharedStack *findFree(std::size_t bytes);
  SharedStack *make(std::size_t bytes);
  SharedStack *ownerOf(pthread_t handle);

  const AddressRange area_;
  std::mutex mutex_;
  Address unused_; ///< Begin of what was never handed out.
  std::vector<std::unique_ptr<SharedStack>> stacks_;
};

/// Calls `function(argument)` on the stack `range` and returns when it returns.
void callOnStack(AddressRange range, void (*function)(void *), void *argument);

} // namespace ompdsm
