// OfiSend.cpp: trySend: windows, and the two ways of sending: copied into pool buffers for TCP; for
// local peers injected, or laid into a ring that they read.
#include "../Check.h"
#include "OfiNode.h"
#include "SendBuffer.h"
#include <cstring>
#include <utility>

namespace ompdsm::fabric {

static_assert(sizeof(Operation) + 2 * sizeof(void *) <= 128 - sizeof(WireHeader));

/// Most of what a TCP provider injects: 64 to 255 bytes.
static constexpr std::size_t kMostInjected = 256;

static void writeParts(std::span<const Bytes> parts, std::byte *to) {
  for (Bytes part : parts) {
    if (!part.empty())
      std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
}

/// Writes the header and the concatenation of `parts` to `to`.
static void write(const WireHeader &header, std::span<const Bytes> parts, std::byte *to) {
  std::memcpy(to, &header, sizeof header);
  writeParts(parts, to + sizeof header);
}

SendResult OfiNode::trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                            Urgency urgency) {
  OMPDSM_CHECK(to != self_ && to < nodeCount_);
  std::size_t messageBytes = 0;
  for (Bytes part : parts)
    messageBytes += part.size();
  OMPDSM_CHECK(messageBytes >= 1 && messageBytes <= kMaxMessageBytes);
  std::uint32_t cost = messageCost(messageBytes);
  Peer &peer = peers_[to];
  Flow &flow = peer.flows[unsigned(channel)];

  std::lock_guard lock(flow.sendMutex);
  if (isRefused(flow, cost)) {
    // Partner: accept() and completeSend() first make room, then look at `refused`.
    flow.refused.store(true, std::memory_order_seq_cst);
    flow.hasWaited = true;
    if (isRefused(flow, cost))
      return refuse(peer);
  }
  WireHeader header = makeHeader(peer, WireKind::Data, unsigned(channel));
  bool sent = peer.isLocal ? sendLocal(peer, flow, header, parts, messageBytes, urgency)
                           : sendBuffered(peer, flow, header, parts, messageBytes, urgency);
  if (!sent)
    return refuse(peer);
  flow.sent += cost;
  noteReported(peer, header);
  return SendResult::Sent;
}

/// What fills the peer's window or queue may have been sent without waking it.
SendResult OfiNode::refuse(Peer &peer) {
  if (peer.isLocal)
    peer.doorbell.ringAfterSend(Urgency::Now);
  return SendResult::WouldBlock;
}

bool OfiNode::isRefused(const Flow &flow, std::uint32_t cost) const {
  return !flow.hasRoom(cost) || flow.outstanding.load(std::memory_order_seq_cst) >= kMaxOutstanding;
}

WireHeader OfiNode::makeHeader(const Peer &peer, WireKind kind, unsigned channel) const {
  WireHeader header;
  header.from = self_;
  header.channel = static_cast<std::uint8_t>(channel);
  header.kind = kind;
  for (unsigned i = 0; i < kChannelCount; ++i)
    header.consumed[i] = peer.flows[i].consumed.load(std::memory_order_acquire);
  return header;
}

void OfiNode::noteReported(Peer &peer, const WireHeader &header) {
  for (unsigned i = 0; i < kChannelCount; ++i)
    if (peer.flows[i].reported.load(std::memory_order_relaxed) != header.consumed[i])
      Flow::raise(peer.flows[i].reported, header.consumed[i]);
}

bool OfiNode::sendLocal(Peer &peer, Flow &flow, WireHeader header, std::span<const Bytes> parts,
                        std::size_t messageBytes, Urgency urgency) {
  if (messageBytes > kMostInLetter) {
    const LaidMessage laid = flow.ring.place(messageBytes, flow.isAllDelivered());
    writeParts(parts, flow.ring.at(laid));
    header.kind = WireKind::Laid;
    const Bytes where = std::as_bytes(std::span(&laid, 1));
    if (!sendInjected<sizeof header + sizeof laid>(peer, header, {&where, 1}, sizeof laid))
      return false;
    flow.ring.advance(laid);
  } else if (!sendInjected<sizeof header + kMostInLetter>(peer, header, parts, messageBytes)) {
    return false;
  }
  ringAfterSend(peer, urgency);
  return true;
}

/// As one message of at most `Most` bytes, of which no completion wakes anybody.
template <std::size_t Most>
bool OfiNode::sendInjected(Peer &peer, const WireHeader &header, std::span<const Bytes> parts,
                           std::size_t messageBytes) {
  alignas(64) std::byte wire[Most];
  write(header, parts, wire);
  return inject(peer, endpointOf(peer, Channel(header.channel)),
                {wire, sizeof header + messageBytes});
}

bool OfiNode::sendBuffered(Peer &peer, Flow &flow, WireHeader header, std::span<const Bytes> parts,
                           std::size_t messageBytes, Urgency urgency) {
  if (std::exchange(flow.hasWaited, false) || urgency != Urgency::WhenWaiting)
    header.kind = WireKind::Urgent;
  std::size_t wireBytes = sizeof header + messageBytes;
  if (wireBytes <= std::min(peer.rail->injectBytes(), kMostInjected))
    return sendInjected<kMostInjected>(peer, header, parts, messageBytes);
  SendBuffer *buffer = acquireBuffer(flow, wireBytes);
  if (!buffer) {
    blindRetry_.store(true, std::memory_order_relaxed); // Out of memory: nobody will tell.
    return false;
  }
  write(header, parts, buffer->bytes());
  // Counted before the send: its completion may be read before the send returns.
  flow.outstanding.fetch_add(1, std::memory_order_relaxed);
  outstanding_.fetch_add(1, std::memory_order_seq_cst);
  unsigned endpoint = endpointOf(peer, Channel(header.channel));
  bool sent = sendOrAskForRoom(peer, 1, [&] {
    return peer.rail->send(endpoint, peer.addresses[endpoint], {buffer->bytes(), wireBytes},
                           buffer->operation);
  });
  if (!sent) {
    outstanding_.fetch_sub(1, std::memory_order_relaxed);
    flow.outstanding.fetch_sub(1, std::memory_order_relaxed);
    releaseBuffer(buffer);
  }
  return sent;
}

void OfiNode::ringAfterSend(Peer &peer, Urgency urgency) {
  if (!peer.doorbell.ringAfterSend(urgency))
    return;
  peer.unseen.store(true, std::memory_order_relaxed);
  anyUnseen_.store(true, std::memory_order_release); // pairs with insist()
}

void OfiNode::insist() {
  if (!anyUnseen_.load(std::memory_order_relaxed) ||
      !anyUnseen_.exchange(false, std::memory_order_acquire))
    return;
  for (Peer &peer : peers_)
    if (peer.unseen.exchange(false, std::memory_order_relaxed))
      peer.doorbell.ringIfUnseen();
}

OfiNode::SendBuffer *OfiNode::acquireBuffer(Flow &flow, std::size_t wireBytes) {
  for (const auto &pool : pools_)
    if (SendBuffer::kHeaderBytes + wireBytes <= pool->bufferBytes()) {
      std::byte *memory = pool->acquire();
      return memory ? new (memory) SendBuffer{{}, &flow, pool.get()} : nullptr;
    }
  checkFailed("a message fits the largest buffer", __FILE__, __LINE__);
}

void OfiNode::releaseBuffer(SendBuffer *buffer) {
  buffer->pool->release(reinterpret_cast<std::byte *>(buffer));
}

template <class Attempt>
bool OfiNode::sendOrAskForRoom(Peer &peer, std::uint32_t ownOutstanding, Attempt attempt) {
  Rail::Outcome outcome = attempt();
  if (outcome == Rail::Outcome::Again) {
    if (peer.isLocal)
      peer.doorbell.requestRing(self_);
    else
      tcpRefused_.store(true, std::memory_order_seq_cst);
    outcome = attempt();
    if (outcome == Rail::Outcome::Again && !peer.isLocal &&
        outstanding_.load(std::memory_order_seq_cst) == ownOutstanding)
      blindRetry_.store(true, std::memory_order_relaxed);
  }
  // A peer that cannot be sent to any more is as one whose queue stays full (Transport.h): the
  // verdict that it is dead is Bootstrap's.
  if (outcome == Rail::Outcome::Failed)
    blindRetry_.store(true, std::memory_order_relaxed);
  return outcome == Rail::Outcome::Done;
}

bool OfiNode::inject(Peer &peer, unsigned endpoint, Bytes message) {
  return sendOrAskForRoom(
      peer, 0, [&] { return peer.rail->inject(endpoint, peer.addresses[endpoint], message); });
}

bool OfiNode::sendBare(Peer &peer, WireKind kind, unsigned channel, unsigned endpoint) {
  WireHeader header = makeHeader(peer, kind, channel);
  if (!inject(peer, endpoint, std::as_bytes(std::span(&header, 1))))
    return false;
  noteReported(peer, header);
  if (peer.isLocal)
    peer.doorbell.ringAfterSend(Urgency::Now);
  return true;
}

} // namespace ompdsm::fabric
