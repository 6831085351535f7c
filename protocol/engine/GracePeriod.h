// GracePeriod.h: which threads may still hold permissions that were revoked (guarantee G4, trap 2).
//
// Quiescent-state-based reclamation (McKenney's RCU) on one counter: revoking stamps the block with a
// new value of the clock; a thread at a synchronisation point records the clock; a stamp is quiet
// when every other online thread recorded at least it.
#pragma once
#include "fabric/Check.h"
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace ompdsm {

class ThreadRegistration {
  friend class GracePeriod;
  static constexpr std::uint64_t kOffline = ~std::uint64_t(0);
  std::atomic<std::uint64_t> quiescentAt_{kOffline};
  bool used_ = false;
};

class GracePeriod {
public:
  static constexpr unsigned kMaxThreads = 4096;

  // The next four under the engine's lock: a thread that comes online must not slip in between a
  // decision that the node is quiet and what follows from it.
  ThreadRegistration *add() {
    for (auto &thread : threads_)
      if (!thread->used_)
        return claim(*thread);
    OMPDSM_CHECK(threads_.size() < kMaxThreads);
    return claim(*threads_.emplace_back(std::make_unique<ThreadRegistration>()));
  }
  void remove(ThreadRegistration *thread) {
    goOffline(thread);
    thread->used_ = false;
  }
  void goOnline(ThreadRegistration *thread) {
    thread->quiescentAt_.store(clock_.load(std::memory_order_seq_cst), std::memory_order_seq_cst);
  }
  std::uint64_t stamp() { return clock_.fetch_add(1, std::memory_order_seq_cst) + 1; }

  // At any time, by the thread itself. Sequentially consistent, so that its earlier stores are
  // visible to whoever sees it quiescent, and its later checks see what was revoked before.
  void goOffline(ThreadRegistration *thread) {
    thread->quiescentAt_.store(ThreadRegistration::kOffline, std::memory_order_seq_cst);
  }
  void syncPoint(ThreadRegistration *thread) {
    if (thread->quiescentAt_.load(std::memory_order_relaxed) != ThreadRegistration::kOffline)
      thread->quiescentAt_.store(clock_.load(std::memory_order_seq_cst), std::memory_order_seq_cst);
  }

  /// No thread but `self` can hold a permission that was revoked at `stamp`. Under the lock.
  bool isQuiet(std::uint64_t stamp, const ThreadRegistration *self) const {
    for (const auto &thread : threads_)
      if (thread.get() != self && thread->used_ &&
          thread->quiescentAt_.load(std::memory_order_seq_cst) < stamp)
        return false;
    return true;
  }
  /// No thread but `self` is online. Under the lock.
  bool othersOffline(const ThreadRegistration *self) const {
    return isQuiet(ThreadRegistration::kOffline, self);
  }

private:
  ThreadRegistration *claim(ThreadRegistration &thread) {
    thread.used_ = true;
    goOnline(&thread);
    return &thread;
  }
  std::atomic<std::uint64_t> clock_{1};
  std::vector<std::unique_ptr<ThreadRegistration>> threads_;
};

} // namespace ompdsm
