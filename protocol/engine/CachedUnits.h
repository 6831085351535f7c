// CachedUnits.h: for which units of other nodes' memory this node has pages, oldest first, and how
// many bytes that is. Under the engine's lock.
//
// Which go first when there are too many: first in, first out, with a second chance for units that
// were fetched into again (invalidated and read again: they are in use). An access to a valid copy
// leaves no trace, so nothing better than this is known without sampling.
#pragma once
#include "fabric/Check.h"
#include "protocol/engine/AddressHash.h"
#include <algorithm>
#include <cstddef>
#include <deque>
#include <tsl/robin_map.h>

namespace ompdsm {

class CachedUnits {
public:
  /// A fetch into the unit, which has `bytes` of pages, has ended, or a thread may write there.
  void onFilled(Address unit, std::size_t bytes) {
    auto [entry, added] = units_.try_emplace(unit);
    Unit &known = entry.value();
    if (added) {
      known.bytes = static_cast<std::uint32_t>(bytes);
      bytes_ += bytes;
      peakBytes_ = std::max(peakBytes_, bytes_);
    } else {
      known.again = true;
    }
    if (!known.queued)
      queue_.push_back(unit);
    known.queued = true;
  }
  /// Its pages are gone, or this node is its home now.
  void erase(Address unit) {
    if (auto found = units_.find(unit); found != units_.end()) {
      bytes_ -= found->second.bytes;
      units_.erase(found); // what may be queued of it is skipped, or taken for a later one
    }
  }
  /// Takes the oldest unit out of the queue; false if there is none. Then it is put back, or left
  /// out until something is fetched into it.
  bool takeOldest(Address &unit) {
    for (std::size_t left = 2 * queue_.size(); left != 0 && !queue_.empty(); --left) {
      unit = queue_.front();
      queue_.pop_front();
      auto found = units_.find(unit);
      if (found == units_.end() || !found->second.queued)
        continue;
      if (!std::exchange(found.value().again, false)) {
        found.value().queued = false;
        return true;
      }
      queue_.push_back(unit);
    }
    return false;
  }
  void putBack(Address unit) {
    if (auto found = units_.find(unit); found != units_.end() && !found->second.queued) {
      found.value().queued = true;
      queue_.push_back(unit);
    }
  }
  /// Whether a unit was taken, and nothing was fetched into it since.
  bool isTaken(Address unit) const {
    auto found = units_.find(unit);
    return found != units_.end() && !found->second.queued;
  }

  std::size_t bytes() const { return bytes_; }
  std::size_t peakBytes() const { return peakBytes_; }
  std::size_t queued() const { return queue_.size(); }

private:
  struct Unit {
    std::uint32_t bytes = 0;
    bool again = false; ///< Fetched into since it was queued.
    bool queued = false;
  };
  tsl::robin_map<Address, Unit, AddressHash> units_;
  std::deque<Address> queue_;
  std::size_t bytes_ = 0, peakBytes_ = 0;
};

} // namespace ompdsm
