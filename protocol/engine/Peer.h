// Peer.h: what the engine keeps of each other node: counts of messages, and what is collected for
// it.
#pragma once
#include "protocol/core/PeerCounts.h"
#include "protocol/engine/Wire.h"
#include <atomic>

namespace ompdsm {

/// Written under the engine's lock, read without by threads that wait.
struct SharedCounter {
  using Value = std::uint64_t;
  Value get() const { return value.load(std::memory_order_acquire); }
  void set(Value to) { value.store(to, std::memory_order_release); } // both pair with get()
  void add(Value count) { set(value.load(std::memory_order_relaxed) + count); }
  std::atomic<Value> value{0};
};

struct Peer : PeerCounts<SharedCounter> {
  /// Of the Put that is being collected: the peer may have to tell others (core/BarrierRules.h).
  bool putIsTold = false;
};

} // namespace ompdsm
