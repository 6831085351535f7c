// GatherHistory.h: at which barriers most nodes send changes to this one, as where each computes a
// part of a vector that all read. Then each is as busy as any other, and what it passed on would
// wait for that; where one node writes what all read, the others have nothing else to do. Under the
// engine's lock.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <utility>

namespace ompdsm {

class GatherHistory {
public:
  /// Barriers at other sites than these are not remembered.
  static constexpr std::size_t kMostSites = 512;

  /// `from` has sent an Update when it came to a barrier at `site`.
  void onUpdate(SiteId site, NodeId from) {
    if (sites_.size() < kMostSites || sites_.contains(site))
      sites_[site].senders.insert(from);
  }
  /// This node leaves the barrier at `site`.
  void endEpoch(SiteId site) {
    const auto found = sites_.find(site);
    if (found == sites_.end() || found->second.senders.empty())
      return;
    Site &here = found.value();
    here.before = std::exchange(here.latest, here.senders.size());
    here.senders.clear();
  }
  /// Whether half of the other nodes or more have sent something at one of the latest two barriers
  /// there at which anybody did: what is for the second may come while this node is in the first.
  bool isOfMost(SiteId site, std::size_t nodes) const {
    const auto found = sites_.find(site);
    return found != sites_.end() &&
           2 * std::max(found->second.latest, found->second.before) >= nodes - 1;
  }

private:
  struct Site {
    tsl::robin_set<NodeId> senders; ///< Since this node left a barrier there.
    std::size_t latest = 0, before = 0;
  };
  tsl::robin_map<SiteId, Site> sites_;
};

} // namespace ompdsm
