// Quiescence.h: which threads may still hold permissions that were revoked (guarantee G4, trap 2).
//
// Quiescent-state-based reclamation (McKenney's RCU) on one counter: revoking stamps the block with
// a new value of the clock; a thread at a synchronisation point records the clock; a stamp is quiet
// when every other online thread recorded at least it.
#pragma once
#include <cstdint>

namespace ompdsm {

/// `Counter` has get(), set() and add() (which returns the new value), sequentially consistent
/// where there are threads, so that a thread's earlier stores are visible to whoever sees it
/// quiescent, and its later checks see what was revoked before.
template <class Counter> class QuiescenceClock {
public:
  using Value = typename Counter::Value;
  static constexpr Value kOffline = static_cast<Value>(~Value(0));

  Value stamp() { return clock_.add(1); }
  Value now() const { return clock_.get(); }
  void goOnline(Counter &thread) const { thread.set(clock_.get()); }
  static void goOffline(Counter &thread) { thread.set(kOffline); }
  /// A thread that is offline stays so.
  void syncPoint(Counter &thread) const {
    if (thread.get() != kOffline)
      thread.set(clock_.get());
  }
  /// The thread holds no permission that was revoked at `stamp`; none at all if that is kOffline.
  static bool isQuiet(const Counter &thread, Value stamp) { return thread.get() >= stamp; }

private:
  Counter clock_;
};

} // namespace ompdsm
