// SiteCounts.h: what each place of the program at which nodes synchronise costs, and what is sent
// unasked there and of what use it is (efficiency, coverage and late pushes, as in table 2 of
// Karlsson and Brorsson, ICPP 1999).
//
// A node is at one site at a time: the barrier, or the beginning or end of a region, that it has
// come to last. Counted where it happens: what is sent at the node that sends it, what is fetched
// and read at the one that does. Kept only if somebody wants to see it.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressHash.h"
#include <mutex>
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

/// Of one node and site. Also the wire form of statistics.
struct SiteCounts {
  std::uint64_t site = kNoSite;
  std::uint64_t visits = 0, nanosecondsInBarriers = 0;
  std::uint64_t nanosecondsInMisses = 0, blocksFetched = 0; ///< In intervals behind the site.
  std::uint64_t blocksExpected = 0; ///< Of these: asked for before a thread missed there.
  std::uint64_t blocksPushed = 0; ///< Whose changes were sent there, once for each receiver.
  /// Of those that were watched: read, or changed or invalidated before they were.
  std::uint64_t pushesRead = 0, pushesUnread = 0;
  std::uint64_t pushesLate = 0; ///< That came when the block was being fetched.
};

/// Any thread may call.
class SiteTable {
public:
  /// More sites are counted together, as none in particular.
  static constexpr std::size_t kMostSites = 512;

  /// change(counts of the site).
  template <class Change> void count(SiteId site, Change change) {
    const std::lock_guard lock(mutex_);
    change(of(site));
  }
  /// A copy is closed until it is read, as it was sent at `site`.
  void onWatched(Address block, SiteId site) {
    const std::lock_guard lock(mutex_);
    watched_[block] = site;
  }
  /// It is read, or found not to be.
  void onOutcome(Address block, bool isRead) {
    const std::lock_guard lock(mutex_);
    const auto found = watched_.find(block);
    if (found == watched_.end())
      return;
    SiteCounts &counts = of(found->second);
    ++(isRead ? counts.pushesRead : counts.pushesUnread);
    watched_.erase(found);
  }
  std::vector<SiteCounts> counts() const {
    const std::lock_guard lock(mutex_);
    std::vector<SiteCounts> all;
    for (const auto &[site, counts] : sites_)
      all.push_back(counts);
    return all;
  }

private:
  SiteCounts &of(SiteId site) {
    if (sites_.size() >= kMostSites && !sites_.contains(site))
      site = kNoSite;
    SiteCounts &counts = sites_[site];
    counts.site = site;
    return counts;
  }

  mutable std::mutex mutex_; ///< Innermost.
  tsl::robin_map<SiteId, SiteCounts> sites_;
  tsl::robin_map<Address, SiteId, AddressHash> watched_; ///< By block.
};

} // namespace ompdsm
