// Flow.h: one channel between this node and a peer: the window towards it, and what of its messages
// has been delivered here.
#pragma once
#include "../Check.h"
#include "HoldQueue.h"
#include <atomic>
#include <mutex>

namespace ompdsm::fabric {

/// The end of a message whose beginning has been sent in fragments when the provider was full. The
/// memory is a pool buffer; null if there is none.
struct FragmentRest {
  std::byte *memory = nullptr;
  std::size_t begin = 0, end = 0;
};

struct Flow {
  // --- Towards the peer. Any thread sends; the mutex makes the order of sends that of the window.
  std::mutex sendMutex;   ///< Guards `sent` and `rest`. Held across the provider's send.
  std::uint32_t sent = 0; ///< Cumulative cost.
  FragmentRest rest;      ///< To be sent before anything else.
  std::atomic<std::uint32_t> acknowledged{0}; ///< Cumulative cost that the peer has delivered.
  std::atomic<std::uint32_t> outstanding{0};  ///< Sends whose buffers the provider still has.
  /// A sender was refused for want of window or buffers and must hear when there is room.
  std::atomic<bool> refused{false};

  // --- From the peer. Written by the polling thread; `consumed` is read by senders.
  std::atomic<std::uint32_t> consumed{0}; ///< Cumulative cost delivered here.
  std::atomic<std::uint32_t> reported{0}; ///< Latest value of `consumed` that was sent to the peer.
  HoldQueue held;                         ///< Whole messages of a channel that is not polled.
  std::byte *assembly = nullptr;          ///< Pool buffer with the fragments that have come so far.
  std::size_t assembled = 0;              ///< Bytes in it.

  bool hasRoom(std::uint32_t cost) const {
    return sent - acknowledged.load(std::memory_order_seq_cst) + cost <= kWindowBytes;
  }
  std::uint32_t unreported() const {
    return consumed.load(std::memory_order_relaxed) - reported.load(std::memory_order_relaxed);
  }
  static void raise(std::atomic<std::uint32_t> &count, std::uint32_t to) {
    std::uint32_t now = count.load(std::memory_order_relaxed);
    while (isLater(to, now) && !count.compare_exchange_weak(now, to, std::memory_order_seq_cst)) {
    }
  }
};

} // namespace ompdsm::fabric
