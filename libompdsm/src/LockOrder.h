// LockOrder.h: the order in which the threads of a node take locks that other nodes have had.
//
// Programs often take locks in the same order again, those of the cells of a mesh, say. Who has to
// wait for one then asks for those that come next, too (Locks.cpp), as long as nobody owns them.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>

namespace ompdsm {

/// Guarded by its owner.
class LockOrder {
public:
  /// A thread takes `lock`, and was given `last` by another node before.
  void note(Address last, Address lock) {
    if (followers_.size() >= kMostFollowers && !followers_.contains(last))
      followers_.clear();
    Follower &follower = followers_[last];
    if (follower.lock != lock)
      follower = {lock, 0};
    follower.times = std::min(follower.times + 1, kMostTimes);
  }
  /// What threads have mostly taken after that lock, of late.
  std::optional<Address> expectedAfter(Address lock) const {
    const auto found = followers_.find(lock);
    if (found == followers_.end() || found->second.times < kSure)
      return std::nullopt;
    return found->second.lock;
  }
  /// What was expected after that lock was in use, or wanted by another node before it was taken.
  void doubt(Address lock) {
    if (const auto found = followers_.find(lock); found != followers_.end())
      found->second.times -= std::min(found->second.times, kDoubt);
  }

private:
  static constexpr std::size_t kMostFollowers = 1 << 14;
  static constexpr unsigned kSure = 2, kMostTimes = 4, kDoubt = 2;
  struct Follower {
    Address lock = 0;
    unsigned times = 0; ///< That it followed, less those in vain.
  };
  std::unordered_map<Address, Follower> followers_;
};

} // namespace ompdsm
