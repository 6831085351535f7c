// OfiFragments.cpp: messages over shm travel as injected fragments of at most 4 KiB.
//
// The provider would send what is larger by a kernel copy between processes (5 to 6 us for 64 KiB,
// not before the sender's copy is complete, only where ptrace is allowed) or by segments that need
// the sender awake. Fragments are copied on both sides at once (measured in README.md), leave
// nothing outstanding at the sender, and need no permission.
#include "../Check.h"
#include "OfiNode.h"
#include <algorithm>
#include <cstring>

namespace ompdsm::fabric {

namespace {

/// Walks over the concatenation of `parts`.
class Cursor {
public:
  explicit Cursor(std::span<const Bytes> parts) : parts_(parts) {}
  void copy(std::byte *to, std::size_t bytes) {
    while (bytes != 0) {
      Bytes part = parts_[index_].subspan(offset_);
      std::size_t count = std::min(part.size(), bytes);
      if (count != 0)
        std::memcpy(to, part.data(), count);
      to += count;
      bytes -= count;
      offset_ += count;
      if (count == part.size()) {
        ++index_;
        offset_ = 0;
      }
    }
  }

private:
  std::span<const Bytes> parts_;
  std::size_t index_ = 0, offset_ = 0;
};

} // namespace

/// Injects one fragment; `bytes` starts with room for the header.
bool OfiNode::injectFragment(Peer &peer, WireHeader header, std::span<std::byte> bytes,
                             bool isLast) {
  header.kind = isLast ? WireKind::Data : WireKind::Part;
  std::memcpy(bytes.data(), &header, sizeof header);
  return inject(peer, 0, bytes);
}

bool OfiNode::sendFragments(Peer &peer, Flow &flow, const WireHeader &header,
                            std::span<const Bytes> parts, std::size_t messageBytes,
                            Urgency urgency) {
  if (flow.rest.memory && !sendRest(peer, flow, unsigned(header.channel)))
    return false;
  alignas(64) std::byte bytes[sizeof(WireHeader) + kFragmentBytes];
  Cursor cursor(parts);
  for (std::size_t left = messageBytes; left != 0;) {
    std::size_t count = std::min(left, kFragmentBytes);
    cursor.copy(bytes + sizeof header, count);
    bool sent = injectFragment(peer, header, {bytes, sizeof header + count}, count == left);
    if (!sent && left == messageBytes)
      return false;
    if (!sent) {
      // The message has begun, so it counts as sent: poll and the next send go on with it.
      flow.rest = {pools_.back()->acquire(), 0, left};
      OMPDSM_CHECK(flow.rest.memory != nullptr);
      std::memcpy(flow.rest.memory, bytes + sizeof header, count);
      cursor.copy(flow.rest.memory + count, left - count);
      rests_.fetch_add(1, std::memory_order_seq_cst);
      break;
    }
    // Early, so that a sleeping receiver wakes up while the other fragments are copied.
    if (left == messageBytes)
      ringAfterSend(peer, urgency);
    left -= count;
  }
  if (messageBytes > kFragmentBytes)
    ringAfterSend(peer, urgency);
  return true;
}

/// Goes on with the rest of a message; true if none is left. Under the flow's sendMutex.
bool OfiNode::sendRest(Peer &peer, Flow &flow, unsigned channel) {
  FragmentRest &rest = flow.rest;
  WireHeader header = makeHeader(peer, WireKind::Part, channel);
  alignas(64) std::byte bytes[sizeof(WireHeader) + kFragmentBytes];
  bool sentAny = false;
  while (rest.begin != rest.end) {
    std::size_t count = std::min(rest.end - rest.begin, kFragmentBytes);
    std::memcpy(bytes + sizeof header, rest.memory + rest.begin, count);
    if (!injectFragment(peer, header, {bytes, sizeof header + count},
                        rest.begin + count == rest.end))
      break;
    rest.begin += count;
    sentAny = true;
  }
  if (sentAny) {
    noteReported(peer, header);
    peer.doorbell.ringAfterSend(Urgency::Now); // somebody waits for room
  }
  if (rest.begin != rest.end)
    return false;
  pools_.back()->release(rest.memory);
  rest = {};
  rests_.fetch_sub(1, std::memory_order_relaxed);
  // Whoever was refused because of the rest was also promised a ring by its receiver, but that may
  // have come before this.
  ringSelf();
  return true;
}

void OfiNode::sendRests() {
  if (rests_.load(std::memory_order_seq_cst) == 0)
    return;
  for (Peer &peer : peers_)
    for (unsigned channel = 0; peer.isLocal && channel < kChannelCount; ++channel) {
      Flow &flow = peer.flows[channel];
      // Whoever has the lock is sending, and sends the rest first.
      std::unique_lock lock(flow.sendMutex, std::try_to_lock);
      if (lock.owns_lock() && flow.rest.memory)
        sendRest(peer, flow, channel);
    }
}

/// Puts a fragment to those that came before; true with the whole message if it was the last one.
bool OfiNode::assemble(Flow &flow, bool isLast, Bytes fragment, Bytes &message) {
  if (isLast && !flow.assembly) {
    message = fragment;
    return true;
  }
  if (!flow.assembly) {
    flow.assembly = pools_.back()->acquire();
    OMPDSM_CHECK(flow.assembly != nullptr);
  }
  OMPDSM_CHECK(flow.assembled + fragment.size() <= kMaxMessageBytes);
  std::memcpy(flow.assembly + flow.assembled, fragment.data(), fragment.size());
  flow.assembled += fragment.size();
  message = {flow.assembly, flow.assembled};
  return isLast;
}

/// Gives back the memory of a message that assemble() completed, when it has been delivered.
void OfiNode::finishAssembly(Flow &flow) {
  if (!flow.assembly)
    return;
  pools_.back()->release(flow.assembly);
  flow.assembly = nullptr;
  flow.assembled = 0;
}

} // namespace ompdsm::fabric
