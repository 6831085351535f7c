// WaitingRequests.h: requests of other nodes that this one has not answered yet.
#pragma once
#include "protocol/engine/MessageKind.h"
#include "protocol/engine/Wire.h"
#include <utility>
#include <vector>

namespace ompdsm {

/// An answer that waits until earlier invalidations are confirmed (trap 7), first in first out.
struct PendingAnswer {
  NodeId to = 0;
  MessageKind kind = MessageKind::PutAck;
  AtomicReplyBody reply;
  std::vector<std::pair<NodeId, std::uint64_t>> needs;
};

/// A request that waits until this node has left a barrier.
struct HeldRequest {
  NodeId from = 0;
  MessageKind kind = MessageKind::Get;
  std::vector<std::byte> body;
};

} // namespace ompdsm
