// SilentStores.h: units (HomeMap.h) of other homes that this node stores to without changing them
// (silent stores: Lepak and Lipasti, ASPLOS 2000). Under the engine's lock.
//
// A field that is zero where nothing has happened yet, or does not change any more, is stored to
// all the same. Nobody has to hear of it, but a home that hears of nothing does not move to who
// computes there (HomeHistory.h), and each store needs a twin, and a comparison, that the home
// would not need. So the node says which units these are as it arrives at a barrier, if it has
// changed nothing there for some time: as often in a row as a home waits for, and then more and
// more rarely, as a home may have reasons to stay.
#pragma once
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

class SilentStores {
public:
  /// Barriers before which a unit was stored to and not changed: at which of them it is told of,
  /// and then at those whose number is a power of two.
  static constexpr std::uint32_t kFirstTold = 3, kLastTold = 6;
  /// Noted until the next barrier; and of which it is known how often, else all begin anew.
  static constexpr std::size_t kMostUnits = 1 << 16;

  /// A release finds a block of the unit that was stored to, and is as before.
  void onUnchanged(Address unit) {
    if (units_.size() < kMostUnits && (units_.empty() || units_.back() != unit))
      units_.push_back(unit);
  }
  /// One finds it changed.
  void onChanged(Address unit) { times_.erase(unit); }
  bool isEmpty() const { return units_.empty() && times_.empty(); }
  /// This node arrives at the barrier: what to tell of. Ascending.
  std::vector<Address> takeNotices() {
    std::sort(units_.begin(), units_.end());
    units_.erase(std::unique(units_.begin(), units_.end()), units_.end());
    if (times_.size() + units_.size() > kMostUnits)
      times_ = {};
    std::erase_if(units_, [&](Address unit) {
      const std::uint32_t times = ++times_[unit];
      return times < kFirstTold || (times > kLastTold && !std::has_single_bit(times));
    });
    return std::exchange(units_, {});
  }

private:
  std::vector<Address> units_; ///< Since the last barrier.
  tsl::robin_map<Address, std::uint32_t, AddressHash> times_;
};

} // namespace ompdsm
