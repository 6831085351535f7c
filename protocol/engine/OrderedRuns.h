// OrderedRuns.h: what other nodes have ordered of this node: runs of blocks that they will read
// behind a site when they come to it the next time (Orders.cpp). Under the engine's lock.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressMap.h"
#include <algorithm>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

namespace ompdsm {

class OrderedRuns {
public:
  /// Orders beyond are forgotten: who does not get what it has ordered fetches it.
  static constexpr std::size_t kMostSites = 64, kMostRuns = 1024;

  struct Order {
    AddressRun run; ///< Of blocks.
    NodeId node = 0;
    std::uint32_t epoch = 0; ///< In which it was ordered.
  };
  void add(SiteId site, const Order &order) {
    if (!orders_.contains(site) && orders_.size() == kMostSites)
      return;
    if (std::vector<Order> &here = orders_[site]; here.size() < kMostRuns)
      here.push_back(order);
  }
  /// What was ordered for `site` before `epoch`, in which this node has come to it: it is ordered
  /// no more. Who has come there before this node has ordered for a later time.
  std::vector<Order> takeAt(SiteId site, std::uint32_t epoch) {
    const auto here = orders_.find(site);
    if (here == orders_.end())
      return {};
    std::vector<Order> &all = here.value();
    const auto later = std::partition(all.begin(), all.end(),
                                      [&](const Order &order) { return order.epoch >= epoch; });
    std::vector<Order> taken(later, all.end());
    all.erase(later, all.end());
    if (all.empty())
      orders_.erase(here);
    return taken;
  }

private:
  tsl::robin_map<SiteId, std::vector<Order>> orders_;
};

} // namespace ompdsm
