// OfiReceive.cpp: polling, delivering, and telling senders that there is room again.
#include "../Check.h"
#include "OfiNode.h"
#include "SendBuffer.h"
#include <cstddef>
#include <cstdio>
#include <cstring>

namespace ompdsm::fabric {

/// With both rails, TCP is looked at in every so many polls: a look costs a system call, 20 times a
/// look at shm. A sleep looks at both.
static constexpr unsigned kPollsPerTcpPoll = 8;

unsigned OfiNode::poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  if (lastPolled_.load(std::memory_order_relaxed) != channels)
    lastPolled_.store(channels, std::memory_order_relaxed);
  doorbell_.takeAttention();
  const ChannelSet control = channels & channelBit(Channel::Control);
  unsigned delivered = deliverHeld(control, receiver, maxMessages);
  // Control that arrives now waits for none of the other messages that are held.
  if (control != 0 && holdsAny(channels))
    takeArrived(control, receiver, maxMessages, delivered);
  delivered += deliverHeld(channels, receiver, maxMessages - delivered);
  takeArrived(channels, receiver, maxMessages, delivered);
  if (delivered >= maxMessages)
    doorbell_.keepAttention();
  return delivered;
}

/// Delivers what arrives on these channels, until `delivered` is `maxMessages`, and holds the rest.
/// Nothing of these channels is held.
void OfiNode::takeArrived(ChannelSet channels, Receiver &receiver, unsigned maxMessages,
                          unsigned &delivered) {
  for (bool more = true; more && delivered < maxMessages;) {
    more = false;
    for (Rail *rail : {shm_.get(), tcp_.get()}) {
      if (!rail || delivered >= maxMessages)
        continue;
      if (rail == tcp_.get() && (shm_ ? !isTimeForTcp() : !mayReadTcp()))
        continue;
      unsigned count = std::min(maxMessages - delivered, Rail::kBatch);
      more |= drain(*rail, channels, &receiver, count, delivered) == count;
    }
    sendCredits();
  }
}

bool OfiNode::holdsAny(ChannelSet channels) const {
  for (unsigned channel = 0; channel < kChannelCount; ++channel)
    if ((channels & channelBit(Channel(channel))) &&
        heldMessages_[channel].load(std::memory_order_relaxed) != 0)
      return true;
  return false;
}

bool OfiNode::isTimeForTcp() {
  unsigned left = pollsUntilTcp_.load(std::memory_order_relaxed);
  pollsUntilTcp_.store(left == 0 ? kPollsPerTcpPoll - 1 : left - 1, std::memory_order_relaxed);
  return left == 0;
}

unsigned OfiNode::deliverHeld(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  unsigned delivered = 0;
  for (unsigned channel = 0; channel < kChannelCount; ++channel) {
    if (!(channels & channelBit(Channel(channel))))
      continue;
    for (NodeId from = 0;
         from < nodeCount_ && heldMessages_[channel].load(std::memory_order_relaxed) != 0; ++from) {
      HoldQueue &held = peers_[from].flows[channel].held;
      while (!held.isEmpty() && delivered < maxMessages) {
        std::vector<std::byte> message = held.pop();
        heldMessages_[channel].fetch_sub(1, std::memory_order_relaxed);
        ++delivered;
        deliver(from, Channel(channel), message, receiver);
      }
    }
  }
  if (delivered != 0)
    sendCredits();
  return delivered;
}

/// Takes up to `count` completions from the rail; returns how many it took. Control messages of the
/// batch go first. Nothing of these channels is held, so that order is kept.
unsigned OfiNode::drain(Rail &rail, ChannelSet channels, Receiver *receiver, unsigned count,
                        unsigned &delivered) {
  rail.recycle(); // What the provider did not take back the last time.
  Rail::Completion batch[Rail::kBatch];
  unsigned taken = rail.read(batch, count);
  if (taken == 0)
    return 0;
  auto isControl = [](Bytes wire) {
    return wire[offsetof(WireHeader, channel)] == std::byte(Channel::Control);
  };
  for (Rail::Completion &completion : std::span(batch, taken)) {
    if (completion.send)
      completeSend(static_cast<SendBuffer *>(static_cast<void *>(completion.send)));
    if (completion.failed)
      reportFailure(rail.failure());
    OMPDSM_CHECK(completion.received.empty() || completion.received.size() >= sizeof(WireHeader));
    if (!completion.received.empty() && isControl(completion.received))
      receive(completion.received, channels, receiver, delivered);
  }
  for (Rail::Completion &completion : std::span(batch, taken))
    if (!completion.received.empty() && !isControl(completion.received))
      receive(completion.received, channels, receiver, delivered);
  rail.recycle();
  if (&rail == shm_.get())
    ringWaiting();
  return taken;
}

void OfiNode::completeSend(SendBuffer *buffer) {
  Flow *flow = buffer->flow;
  releaseBuffer(buffer);
  outstanding_.fetch_sub(1, std::memory_order_seq_cst);
  flow->outstanding.fetch_sub(1, std::memory_order_seq_cst);
  bool ring = flow->refused.load(std::memory_order_seq_cst) &&
              flow->refused.exchange(false, std::memory_order_seq_cst);
  if (tcpRefused_.load(std::memory_order_seq_cst))
    ring |= tcpRefused_.exchange(false, std::memory_order_seq_cst);
  if (ring)
    tellOfRoom();
}

void OfiNode::receive(Bytes wire, ChannelSet channels, Receiver *receiver, unsigned &delivered) {
  WireHeader header;
  std::memcpy(&header, wire.data(), sizeof header);
  OMPDSM_CHECK(header.channel < kChannelCount && header.from < nodeCount_);
  accept(header);
  if (header.kind == WireKind::Urgent)
    rhythm_.onUrgent();
  else if (header.kind != WireKind::Data && header.kind != WireKind::Laid)
    return;
  Flow &flow = peers_[header.from].flows[header.channel];
  Bytes message = wire.subspan(sizeof header);
  if (header.kind == WireKind::Laid) {
    LaidMessage laid;
    OMPDSM_CHECK(flow.peerRing && message.size() == sizeof laid);
    std::memcpy(&laid, message.data(), sizeof laid);
    message = laidAt(flow.peerRing, laid);
  }
  if (receiver && (channels & channelBit(Channel(header.channel)))) {
    ++delivered;
    deliver(header.from, Channel(header.channel), message, *receiver);
  } else {
    flow.held.push(message);
    heldMessages_[header.channel].fetch_add(1, std::memory_order_relaxed);
  }
}

/// Takes the news that every header brings.
void OfiNode::accept(const WireHeader &header) {
  Peer &peer = peers_[header.from];
  for (unsigned i = 0; i < kChannelCount; ++i) {
    Flow &flow = peer.flows[i];
    if (!isLater(header.consumed[i], flow.acknowledged.load(std::memory_order_relaxed)))
      continue;
    Flow::raise(flow.acknowledged, header.consumed[i]);
    if (flow.refused.load(std::memory_order_seq_cst) &&
        flow.refused.exchange(false, std::memory_order_seq_cst))
      tellOfRoom();
  }
  if (header.kind == WireKind::Hello)
    ++peer.hellos;
  if (header.kind == WireKind::Wake)
    takeWake();
}

void OfiNode::deliver(NodeId from, Channel channel, Bytes message, Receiver &receiver) {
  receiver.onMessage(from, channel, message);
  Peer &peer = peers_[from];
  Flow &flow = peer.flows[unsigned(channel)];
  flow.consumed.store(flow.consumed.load(std::memory_order_relaxed) + messageCost(message.size()),
                      std::memory_order_release); // A ring's bytes are read; partner: makeHeader.
  if (!peer.creditDue && flow.unreported() >= kReportBytes) {
    peer.creditDue = true;
    creditsDue_.push_back(from);
  }
}

void OfiNode::sendCredits() {
  std::size_t kept = 0;
  for (NodeId to : creditsDue_) {
    Peer &peer = peers_[to];
    bool due = false; // A message of ours may have told the peer in the meantime.
    for (const Flow &flow : peer.flows)
      due |= flow.unreported() >= kReportBytes;
    if (due && !sendBare(peer, WireKind::Credit, unsigned(Channel::Control), 0))
      creditsDue_[kept++] = to; // Full: again after the ring that was asked for.
    else
      peer.creditDue = false;
  }
  creditsDue_.resize(kept);
}

void OfiNode::ringWaiting() {
  // Partner: requestRing before the second attempt to send. The room was made by the read above.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!doorbell_.someoneWaits())
    return;
  doorbell_.takeWaiting(nodeCount_, [this](NodeId node) {
    if (node != self_ && node < nodeCount_ && peers_[node].isLocal)
      peers_[node].doorbell.ring();
  });
}

void OfiNode::reportFailure(const std::string &reason) {
  if (failureReported_.exchange(true))
    return;
  if (options_.onFailure)
    options_.onFailure(reason);
  else
    std::fprintf(stderr, "ompdsm: node %u: %s\n", unsigned(self_), reason.c_str());
}

} // namespace ompdsm::fabric
