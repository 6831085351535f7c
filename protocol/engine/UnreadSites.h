// UnreadSites.h: behind which sites this node does not read what it is sent at barriers there
// (UnreadUpdates.h: how that is noticed). Under the engine's lock; for blocks of which another node
// is the home, which is told (WithheldChanges.h).
//
// For each site the first update of a block is watched, and another one if nobody has read it: who
// has not read two does not read the block there. Later ones are watched in some barriers, as all
// are. With that the home is told of the sites behind which the block is read.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/BlockMarks.h"
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

class UnreadSites {
public:
  static constexpr std::size_t kMostSites = 512; ///< Of more nothing is noticed.

  /// Whether an update at `site` that has much of the block is to be watched.
  bool watches(SiteId site, Address block, unsigned blockShift) const {
    const auto here = sites_.find(site);
    return here == sites_.end() ? sites_.size() < kMostSites
                                : here->second.get(block, blockShift) != Mark::Read;
  }
  /// An update at `site` closes the copy.
  void onClosed(SiteId site, Address block) { closedAt_[block] = site; }
  /// It is read.
  void onRead(Address block, unsigned blockShift) {
    if (const auto closed = closedAt_.find(block); closed != closedAt_.end()) {
      mark(closed->second, block, blockShift, Mark::Read);
      closedAt_.erase(closed);
    }
  }
  /// This node leaves a barrier at `next`, and nobody has read it: it was updated there again and
  /// stays closed, or (`ended`) has become stale. Whether something was learned by that: else what
  /// was told has not helped.
  bool onUnread(SiteId next, Address block, unsigned blockShift, bool ended) {
    const auto closed = closedAt_.find(block);
    if (closed == closedAt_.end())
      return false;
    const SiteId site = closed->second;
    if (ended)
      closedAt_.erase(closed);
    else
      closed.value() = next;
    const auto here = sites_.find(site);
    const Mark before = here == sites_.end() ? Mark::New : here->second.get(block, blockShift);
    const bool isSecond = before == Mark::UnreadOnce;
    const bool isRemembered =
        mark(site, block, blockShift, isSecond ? Mark::Told : Mark::UnreadOnce);
    if (!isSecond)
      return isRemembered && before != Mark::Told;
    told_.set(block, blockShift, Told::Once);
    notices_.push_back({site, block, /*isRead=*/false});
    for (const auto &[other, marks] : sites_)
      if (marks.get(block, blockShift) == Mark::Read)
        notices_.push_back({other, block, /*isRead=*/true});
    return true;
  }
  /// The copy is given up.
  void onEnded(Address block) { closedAt_.erase(block); }

  struct Notice {
    SiteId site = kNoSite;
    Address block = 0;
    bool isRead = false;
  };
  /// What the homes have not been told yet.
  std::vector<Notice> takeNotices() { return std::exchange(notices_, {}); }
  bool hasNotices() const { return !notices_.empty(); }
  /// Whether the block's home was: it sends the block where it is read, without being asked.
  bool isTold(Address block, unsigned blockShift) const {
    return !told_.empty() && told_.get(block, blockShift) != Told::Nothing;
  }
  /// It comes so.
  void onSupplied(Address block, unsigned blockShift) { told_.set(block, blockShift, Told::Once); }
  /// A thread fetches the block. By the first time the home learns where it is read; what has to be
  /// fetched again may not come.
  void onFetch(Address block, unsigned blockShift) {
    if (isTold(block, blockShift))
      told_.set(block, blockShift,
                told_.get(block, blockShift) == Told::Once ? Told::Fetched : Told::Nothing);
  }

private:
  enum class Mark : std::uint8_t { New, Read, UnreadOnce, Told };
  enum class Told : std::uint8_t { Nothing, Once, Fetched };
  /// Whether there is room for it.
  bool mark(SiteId site, Address block, unsigned blockShift, Mark mark) {
    const bool hasRoom = sites_.size() < kMostSites || sites_.contains(site);
    if (hasRoom)
      sites_[site].set(block, blockShift, mark);
    return hasRoom;
  }

  tsl::robin_map<SiteId, BlockMarks<Mark>> sites_;
  tsl::robin_map<Address, SiteId, AddressHash> closedAt_;
  BlockMarks<Told> told_;
  std::vector<Notice> notices_;
};

} // namespace ompdsm
