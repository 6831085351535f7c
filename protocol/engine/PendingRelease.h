// PendingRelease.h: what a release still needs that a thread has begun and does not wait for.
#pragma once
#include "protocol/core/PeerCounts.h"
#include <cstdint>
#include <utility>
#include <vector>

namespace ompdsm {

/// What a node that is told of a release before it has confirmed it has to process first, of what
/// `giver` has sent.
struct ReleasePass {
  NodeId giver = 0;
  Handover<std::uint64_t> handover;
  bool isEmpty() const { return handover.puts == 0 && handover.invalidates == 0; }
};

/// Of one node, from Engine::beginRelease. A later release of that node covers all of it.
class PendingRelease {
public:
  /// By index of the peer.
  using Needs = std::vector<std::pair<std::size_t, ReleaseNeed<std::uint64_t>>>;

  PendingRelease() = default;
  explicit PendingRelease(Needs needs) : needs_(std::move(needs)) {}
  /// Nothing was on its way even when it began.
  bool isEmpty() const { return needs_.empty(); }
  const Needs &needs() const { return needs_; }
  /// Calls visit(peer, need) for each, which may change the need.
  template <class Visit> void forEachNeed(Visit visit) {
    for (auto &[peer, need] : needs_)
      visit(peer, need);
  }
  /// What `node` has to process where something is handed over to it before it has confirmed.
  Handover<std::uint64_t> handoverTo(NodeId node) const {
    for (const auto &[peer, need] : needs_)
      if (peer == node)
        return need.handover();
    return {};
  }

private:
  Needs needs_;
};

} // namespace ompdsm
