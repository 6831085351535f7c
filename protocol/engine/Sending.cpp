// Sending.cpp: how what a messenger has queued leaves: joined into packets, as far as the transport
// takes them.
#include "fabric/Check.h"
#include "protocol/engine/MessengerQueue.h"
#include <bit>

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

namespace {
/// Application threads wait above this many queued packets to one node and channel.
constexpr unsigned kRoomPackets = 16;
/// More than any correct run queues: what one request causes, times the nodes, times threads.
constexpr unsigned kMaxQueuedPackets = 1u << 16;
} // namespace

void Messenger::enqueue(Queue &q, const MessageHeader &header, std::span<const Bytes> parts,
                        std::size_t bytes, Parts stay) {
  q.joinable.reset();
  // The first place is for what is queued.
  q.parts.assign({Bytes(), std::as_bytes(std::span(&header, 1))});
  q.parts.insert(q.parts.end(), parts.begin(), parts.end());
  if (!leadOrFollow(q, header, bytes, stay) &&
      (bytes <= kCopiedBytes || !sendLarge(q, q.parts, bytes)))
    append(q, std::span(q.parts).subspan(1), bytes);
  account(q);
}

/// Whether a message of so many bytes may travel in a packet that has some already.
bool Messenger::mayJoin(std::size_t packetBytes, std::size_t bytes) const {
  return options_.joinMessages && packetBytes + bytes <= fabric::kMaxMessageBytes;
}

bool Messenger::send(Queue &q, std::span<const Bytes> packet, std::size_t bytes) {
  q.refused = transport_.trySend(q.to, q.channel, packet, q.urgency) != fabric::SendResult::Sent;
  if (q.refused)
    return false;
  packets_.packets.fetch_add(1, std::memory_order_relaxed);
  packets_.bytes.fetch_add(bytes, std::memory_order_relaxed);
  sizes_.add(bytes);
  return true;
}

void Messenger::popFirst(Queue &q) {
  q.packets.pop_front();
  if (q.packets.empty())
    q.joinable.reset();
  q.left.fetch_add(1, std::memory_order_release); // pairs with drain()
}

bool Messenger::sendFirst(Queue &q) {
  const Bytes packet = q.packets.front();
  if (!send(q, {&packet, 1}, packet.size()))
    return false;
  q.spare = std::move(q.packets.front());
  q.spare.clear();
  popFirst(q);
  return true;
}

/// A message without a copy, behind what is queued; false if it has to be queued, too. The first of
/// its parts is empty.
bool Messenger::sendLarge(Queue &q, std::span<Bytes> message, std::size_t bytes) {
  while (!q.packets.empty()) {
    const std::vector<std::byte> &last = q.packets.back();
    if (q.packets.size() == 1 && mayJoin(last.size(), bytes)) {
      message[0] = last;
      if (!send(q, message, last.size() + bytes))
        return false;
      popFirst(q);
      return true;
    }
    if (!sendFirst(q))
      return false;
  }
  return send(q, message.subspan(1), bytes);
}

void Messenger::append(Queue &q, std::span<const Bytes> message, std::size_t bytes) {
  if (q.packets.empty() || !mayJoin(q.packets.back().size(), bytes)) {
    while (!q.packets.empty() && sendFirst(q)) {
    }
    q.packets.push_back(std::exchange(q.spare, {}));
  }
  std::vector<std::byte> &packet = q.packets.back();
  if (joiningOf(MessageKind(message.front().front())).thingBytes != 0)
    q.joinable = packet.size();
  for (Bytes part : message)
    packet.insert(packet.end(), part.begin(), part.end());
  OMPDSM_CHECK(q.packets.size() <= kMaxQueuedPackets);
}

/// Brings what the messenger knows of the queue up to date.
void Messenger::account(Queue &q) {
  const auto size = static_cast<unsigned>(q.packets.size() + (q.leader.bytes != 0));
  const bool isFilled = size != 0, isBlocked = !q.packets.empty() && q.refused;
  if (!isFilled) {
    q.urgency = {};
    q.isDue = false;
  }
  q.size.store(size, std::memory_order_relaxed);
  if (std::exchange(q.isFilled, isFilled) != isFilled) {
    filled_[q.number / 64].fetch_xor(std::uint64_t(1) << q.number % 64, std::memory_order_relaxed);
    filledQueues_.fetch_add(isFilled ? 1u : ~0u, std::memory_order_relaxed);
  }
  if (q.isBlocked.exchange(isBlocked, std::memory_order_relaxed) != isBlocked) {
    blockedQueues_.fetch_add(isBlocked ? 1u : ~0u, std::memory_order_relaxed);
    if (!isBlocked)
      notify(); // whoever is in waitUntilTaken, whichever thread has sent
  }
  const unsigned stuck = isBlocked && q.channel == Channel::Reply ? size : 0;
  blockedReplies_.fetch_add(stuck - std::exchange(q.stuckReplies, stuck),
                            std::memory_order_relaxed);
}

/// Sends packets until so many bytes have left. Whether anything was sent.
bool Messenger::pump(Queue &q, std::size_t mostBytes, bool due) {
  std::size_t sentBytes = 0;
  {
    std::lock_guard lock(q.mutex);
    if (due && !q.isDue && !q.refused)
      return false;
    if (q.leader.bytes != 0) {
      const std::size_t bytes = q.leader.bytes;
      sendLeader(q);
      sentBytes += q.packets.empty() ? bytes : 0;
    }
    while (!q.packets.empty() && sentBytes < mostBytes) {
      const std::size_t bytes = q.packets.front().size();
      if (!sendFirst(q))
        break;
      sentBytes += bytes;
    }
    q.refused = !q.packets.empty();
    account(q);
  }
  if (sentBytes != 0)
    notify(); // whoever is in waitForRoom or drain
  return sentBytes != 0;
}

bool Messenger::pumpAll(std::size_t mostBytes, bool due) {
  bool sent = false;
  for (std::size_t word = 0; word < filled_.size(); ++word)
    for (std::uint64_t bits = filled_[word].load(std::memory_order_relaxed); bits; bits &= bits - 1)
      sent |= pump(*queues_[word * 64 + unsigned(std::countr_zero(bits))], mostBytes, due);
  return sent;
}

void Messenger::flush() {
  ProtocolScope scope;
  if (filledQueues_.load(std::memory_order_relaxed) == 0)
    return;
  pumpAll(kAll);
  leaveToService();
}

void Messenger::flush(NodeId to) {
  ProtocolScope scope;
  for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel)
    if (Queue &q = queue(to, static_cast<Channel>(channel));
        q.size.load(std::memory_order_relaxed) != 0)
      pump(q, kAll);
  leaveToService();
}

void Messenger::sendSoon(NodeId to) {
  for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel)
    if (Queue &q = queue(to, static_cast<Channel>(channel));
        q.size.load(std::memory_order_relaxed) != 0) {
      std::lock_guard lock(q.mutex);
      q.isDue = true;
    }
}

void Messenger::wakeIfBlocked() {
  // What is still queued goes out when the service thread makes progress; it must not sleep on it
  // unaware.
  if (blockedQueues_.load(std::memory_order_relaxed) != 0)
    transport_.wake();
}

void Messenger::waitForRoom(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  if (q.size.load(std::memory_order_relaxed) < kRoomPackets)
    return;
  waitUntil([&] { return q.size.load(std::memory_order_relaxed) < kRoomPackets; });
}

void Messenger::waitUntilTaken(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  if (q.isBlocked.load(std::memory_order_relaxed))
    waitUntil([&] { return !q.isBlocked.load(std::memory_order_relaxed); });
}

void Messenger::drain(NodeId to) {
  std::array<std::uint64_t, fabric::kChannelCount> last;
  for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel) {
    Queue &q = queue(to, static_cast<Channel>(channel));
    std::lock_guard lock(q.mutex);
    last[channel] = q.left.load(std::memory_order_relaxed) + q.packets.size();
  }
  waitUntil([&] {
    for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel)
      if (queue(to, static_cast<Channel>(channel)).left.load(std::memory_order_acquire) <
          last[channel])
        return false;
    return true;
  });
}

} // namespace ompdsm
