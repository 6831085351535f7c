// Flow.h: one channel between this node and a peer: the window towards it, and what of its messages
// has been delivered here.
#pragma once
#include "../Check.h"
#include "HoldQueue.h"
#include "MessageRing.h"
#include <atomic>
#include <mutex>

namespace ompdsm::fabric {

struct Flow {
  // --- Towards the peer. Any thread sends; the mutex makes the order of sends that of the window.
  std::mutex sendMutex;   ///< Guards what follows, to `ring`. Held across the provider's send.
  std::uint32_t sent = 0; ///< Cumulative cost.
  std::uint32_t window = kWindowBytes;        ///< Most cost that is not delivered.
  bool hasWaited = false;                     ///< For the window, since the last message.
  RingWriter ring;                            ///< If the peer is local.
  std::atomic<std::uint32_t> acknowledged{0}; ///< Cumulative cost that the peer has delivered.
  std::atomic<std::uint32_t> outstanding{0};  ///< Sends whose buffers the provider still has.
  /// A sender was refused for want of window or buffers and must hear when there is room.
  std::atomic<bool> refused{false};

  // --- From the peer. Written by the polling thread; `consumed` is read by senders.
  std::atomic<std::uint32_t> consumed{0}; ///< Cumulative cost delivered here.
  std::atomic<std::uint32_t> reported{0}; ///< Latest value of `consumed` that was sent to the peer.
  HoldQueue held;                         ///< Whole messages of a channel that is not polled.
  const std::byte *peerRing = nullptr;    ///< If the peer is local.

  bool hasRoom(std::uint32_t cost) const {
    return sent - acknowledged.load(std::memory_order_seq_cst) + cost <= window;
  }
  bool isAllDelivered() const { return sent == acknowledged.load(std::memory_order_acquire); }
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
