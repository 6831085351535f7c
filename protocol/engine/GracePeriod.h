// GracePeriod.h: which threads may still hold permissions that were revoked (guarantee G4, trap 2),
// by the clock of core/Quiescence.h.
#pragma once
#include "fabric/Check.h"
#include "protocol/core/Quiescence.h"
#include "protocol/engine/EventLog.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace ompdsm {

/// Sequentially consistent, as the clock asks. A thread's is logged before a flush can see it.
struct QuiescenceCounter {
  using Value = std::uint64_t;
  Value get() const { return value.load(std::memory_order_seq_cst); }
  void set(Value to) {
    if (events)
      events->writeQuiescent(registration, to);
    value.store(to, std::memory_order_seq_cst);
  }
  Value add(Value count) { return value.fetch_add(count, std::memory_order_seq_cst) + count; }
  std::atomic<Value> value{1};
  EventLog *events = nullptr;
  unsigned registration = 0; ///< Of the thread, from 1.
};

class ThreadRegistration {
public:
  /// In traces; from 1.
  unsigned number() const { return quiescentAt_.registration; }

private:
  friend class GracePeriod;
  QuiescenceCounter quiescentAt_;
  bool used_ = false;
};

class GracePeriod {
public:
  static constexpr unsigned kMaxThreads = 4096;

  explicit GracePeriod(EventLog *events = nullptr) : events_(events) {}

  // The next four under the engine's lock: a thread that comes online must not slip in between a
  // decision that the node is quiet and what follows from it.
  ThreadRegistration *add() {
    for (auto &thread : threads_)
      if (!thread->used_)
        return claim(*thread);
    OMPDSM_CHECK(threads_.size() < kMaxThreads);
    ThreadRegistration &thread = *threads_.emplace_back(std::make_unique<ThreadRegistration>());
    thread.quiescentAt_.events = events_;
    thread.quiescentAt_.registration = static_cast<unsigned>(threads_.size());
    return claim(thread);
  }
  void remove(ThreadRegistration *thread) {
    goOffline(thread);
    thread->used_ = false;
  }
  void goOnline(ThreadRegistration *thread) { clock_.goOnline(thread->quiescentAt_); }
  std::uint64_t stamp() { return clock_.stamp(); }

  // At any time, by the thread itself.
  void goOffline(ThreadRegistration *thread) { clock_.goOffline(thread->quiescentAt_); }
  void syncPoint(ThreadRegistration *thread) { clock_.syncPoint(thread->quiescentAt_); }

  bool isOnline(const ThreadRegistration &thread) const {
    return !Clock::isQuiet(thread.quiescentAt_, Clock::kOffline);
  }
  /// No thread but `self` can hold a permission that was revoked at `stamp`. Under the lock.
  bool isQuiet(std::uint64_t stamp, const ThreadRegistration *self) const {
    for (const auto &thread : threads_)
      if (thread.get() != self && thread->used_ && !Clock::isQuiet(thread->quiescentAt_, stamp))
        return false;
    return true;
  }
  /// No thread but `self` is online. Under the lock.
  bool othersOffline(const ThreadRegistration *self) const {
    return isQuiet(Clock::kOffline, self);
  }

private:
  using Clock = QuiescenceClock<QuiescenceCounter>;
  ThreadRegistration *claim(ThreadRegistration &thread) {
    thread.used_ = true;
    goOnline(&thread);
    return &thread;
  }
  EventLog *const events_; ///< May be null.
  Clock clock_;
  std::vector<std::unique_ptr<ThreadRegistration>> threads_;
};

} // namespace ompdsm
