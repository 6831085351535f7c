// Messages.cpp: what steps collected for each node leaves as messages (Outgoing.cpp of the engine),
// and travels.
#include "protocol/sim/simulator/Simulation.h"
#include "protocol/sim/simulator/WireSizes.h"
#include <algorithm>
#include <bit>

namespace ompdsm::simulator {

namespace {
/// Most messages from one node to another at a time; no correct run of these programs comes near.
constexpr unsigned kMostUnderWay = 4096;

/// Of all that travels as Replies do.
bool hasPlace(Kind kind) { return kind >= Kind::Data && kind <= Kind::Done; }

/// One of eight channels, by the seed.
bool takesDetour(std::uint64_t seed, const Message &message) {
  const std::uint64_t channel =
      (std::uint64_t(message.from) << 32 | std::uint64_t(message.to) << 8) + classOf(message.kind);
  return sim::Dice(seed + channel * 0x9e3779b97f4a7c15u).oneIn(8);
}
} // namespace

void Simulation::send(Message message, std::size_t bodyBytes) {
  if (message.to >= nodes_.size() || message.to == message.from)
    fail("a message without receiver");
  Node &sender = nodes_[message.from];
  Peer &peer = sender.peers[message.to];
  if (++peer.underWay > kMostUnderWay)
    fail("a queue grows beyond its bound", {}, &sender);
  if (hasPlace(message.kind))
    message.relayedBefore = peer.posted.onStraight();
  const std::size_t bytes = bodyBytes + wire::kHeader;
  const Network &network = scenario_.network;
  charge(sender, network.overhead);
  const Time leaves = std::max(sender.processorFree, sender.interfaceFree);
  sender.interfaceFree = leaves + network.occupies(bytes);
  Time arrives = leaves + network.streams(bytes) + network.latency;
  if (scenario_.mostDelay)
    arrives += dice_.next() % scenario_.mostDelay;
  if (scenario_.detour && takesDetour(scenario_.seed, message))
    arrives += scenario_.detour;
  Time &last = peer.lastArrival[classOf(message.kind)];
  if (rules_.channelsAreOrdered)
    arrives = std::max(arrives, last);
  last = arrives;
  Traffic &traffic = outcome_.statistics.traffic[unsigned(message.kind)];
  ++traffic.messages;
  traffic.bytes += bytes;

  std::uint32_t index;
  if (free_.empty()) {
    index = std::uint32_t(messages_.size());
    messages_.push_back(std::move(message));
  } else {
    index = free_.back();
    free_.pop_back();
    messages_[index] = std::move(message);
  }
  queue_.push(arrives, index, false);
}

void Simulation::deliver(Message message) {
  Node &node = nodes_[message.to];
  --nodes_[message.from].peers[message.to].underWay;
  charge(node, scenario_.network.overhead);
  if (message.kind == Kind::Multicast)
    onMulticast(message);
  else if (hasPlace(message.kind))
    onStraight(std::move(message));
  else
    handle(std::move(message));
  notify(node);
}

void Simulation::handle(Message message) {
  Node &node = nodes_[message.to];
  Peer &peer = node.peers[message.from];
  switch (message.kind) {
  case Kind::Get:
  case Kind::Put:
  case Kind::Leave:
  case Kind::Atomic:
  case Kind::AtomicPut:
    onRequest(node, std::move(message));
    break;
  case Kind::Data:
    onData(node, message);
    break;
  case Kind::Invalidate:
    onInvalidate(node, message);
    break;
  case Kind::Update:
    onUpdate(node, message);
    break;
  case Kind::InvalidateAck:
    peer.onConfirmed(message.count);
    completeAnswers(node);
    break;
  case Kind::PutAck:
    peer.onPutAck(message.count);
    break;
  case Kind::AtomicReply: {
    SimThread &thread = threads_[message.name];
    thread.atomicOld = message.body->old;
    thread.replied = true;
    --node.requestsInFlight;
    break;
  }
  case Kind::Arrive:
  case Kind::Done:
    receiveReport(node.reports[message.epoch & 1], message);
    break;
  case Kind::Go:
    receiveReport(node.word, message);
    break;
  case Kind::GetBehind:
    node.asksBehind.push_back(std::move(message));
    serveBehindBarrier(node); // if it has left it before
    break;
  case Kind::Order:
  case Kind::Multicast:
    fail("a message without receiver");
  case Kind::Runtime:
    onToken(node, message.from, message.token, message.name, message.tokenBody);
    break;
  }
}

std::size_t Simulation::runBytes(const std::vector<BlockId> &blocks) const {
  std::size_t runs = 0;
  std::uint32_t next = 0;
  for (BlockId block : blocks) {
    const Range &range = space_.block(block).range;
    runs += runs == 0 || range.begin != next;
    next = range.end;
  }
  return runs * wire::kRun;
}

void Simulation::postCollected(Node &node, bool acknowledged) {
  if (!acknowledged)
    postCommonUpdates(node);
  for (auto &[other, outgoing] : node.outgoing) {
    if (!outgoing.contents.empty())
      postData(node, other);
    if (!outgoing.updates.empty())
      postUpdates(node, other, acknowledged);
    if (!outgoing.invalidates.empty())
      postInvalidates(node, other, acknowledged);
    if (!outgoing.changes.empty())
      postPut(node, other, acknowledged);
    if (!outgoing.leaves.empty() && rules_.barriersCountLeaves) {
      node.peers[other].onLeaveSent();
      for (const BlockId block : outgoing.leaves)
        if (rules_.suppliesCrossNoLeaves)
          copyOf(node, block).latestPut = node.peers[other].putsSent.get();
    }
    postRequests(node, other, Kind::Leave, outgoing.leaves);
  }
  postGets(node);
  node.outgoing.clear();
}

void Simulation::postGets(Node &node) {
  for (auto &[home, outgoing] : node.outgoing)
    postRequests(node, home, Kind::Get, outgoing.gets);
}

void Simulation::postRequests(Node &node, NodeId home, Kind kind, std::vector<BlockId> &blocks) {
  if (blocks.empty())
    return;
  Message message{node.self, home, kind};
  message.epoch = kind == Kind::GetBehind ? node.enteredEpoch + 1 : node.completedEpoch;
  auto body = std::make_shared<Body>();
  body->blocks = std::exchange(blocks, {});
  const std::size_t bytes = wire::kRequestHead + runBytes(body->blocks);
  message.body = std::move(body);
  send(std::move(message), bytes);
}

/// Runs of adjacent lines, or whole blocks, of one form.
std::size_t Simulation::changeBytes(const std::vector<Change> &changes) const {
  enum { kNone, kMasked, kWhole, kZeros } form = kNone;
  std::size_t bytes = 0, next = 0;
  const auto extend = [&](auto wanted, std::size_t at, std::size_t end) {
    if (form != wanted || at != next)
      bytes += wire::kContentsRun;
    form = wanted;
    next = end;
  };
  for (const Change &change : changes) {
    const std::size_t begin = space_.block(change.block).range.begin;
    if (change.isWhole) {
      extend(change.isZero() ? kZeros : kWhole, begin, begin + change.bytes.size());
      bytes += change.isZero() ? 0 : change.bytes.size();
      continue;
    }
    for (std::size_t line = 0; line < change.masks.size(); ++line) {
      if (!change.travels(line))
        continue;
      const std::size_t at = begin + line * wire::kLine;
      extend(kMasked, at, at + wire::kLine);
      bytes += wire::kLineMask + std::size_t(std::popcount(change.masks[line]));
    }
  }
  return bytes;
}

void Simulation::postPut(Node &node, NodeId home, bool acknowledged) {
  Outgoing &outgoing = node.outgoing[home];
  Message message{node.self, home, Kind::Put, acknowledged};
  message.epoch = node.completedEpoch;
  auto body = std::make_shared<Body>();
  body->changes = std::exchange(outgoing.changes, {});
  outgoing.changeBytes = 0;
  const std::size_t bytes = wire::kRequestHead + changeBytes(body->changes);
  node.peers[home].onPutSent(acknowledged, std::exchange(outgoing.changesAreTold, false));
  if (!body->changes.empty())
    message.body = std::move(body);
  send(std::move(message), bytes);
}

Message Simulation::takeUpdates(Node &node, NodeId sharer, bool acknowledged) {
  Outgoing &outgoing = node.outgoing[sharer];
  Message message{node.self, sharer, Kind::Update, acknowledged};
  auto body = std::make_shared<Body>();
  body->changes = std::exchange(outgoing.updates, {});
  outgoing.updateBytes = 0;
  message.body = std::move(body);
  message.count = node.peers[sharer].putsProcessed.get();
  message.isSole = std::exchange(outgoing.updatesAreSole, true);
  node.peers[sharer].onInvalidateSent(acknowledged);
  return message;
}

void Simulation::postUpdates(Node &node, NodeId sharer, bool acknowledged) {
  Message message = takeUpdates(node, sharer, acknowledged);
  const std::size_t bytes = wire::kRequestHead + changeBytes(message.body->changes);
  send(std::move(message), bytes);
}

void Simulation::postData(Node &node, NodeId to) {
  Outgoing &outgoing = node.outgoing[to];
  Message message{node.self, to, Kind::Data};
  auto body = std::make_shared<Body>();
  body->contents = std::exchange(outgoing.contents, {});
  outgoing.contentBytes = 0;
  std::size_t bytes = 0;
  std::uint32_t next = 0;
  bool wasZero = false;
  for (const Contents &contents : body->contents) {
    const Range &range = space_.block(contents.block).range;
    const bool zeros = isZero(contents.bytes);
    if (bytes == 0 || range.begin != next || zeros != wasZero)
      bytes += wire::kContentsRun;
    bytes += zeros ? 0 : contents.bytes.size();
    next = range.end;
    wasZero = zeros;
  }
  message.body = std::move(body);
  send(std::move(message), bytes);
}

/// Of nothing, if nothing is collected: after those that are to be confirmed.
void Simulation::postInvalidates(Node &node, NodeId sharer, bool acknowledged) {
  const std::vector<BlockId> all = std::exchange(node.outgoing[sharer].invalidates, {});
  std::size_t at = 0;
  do {
    Message message{node.self, sharer, Kind::Invalidate, acknowledged};
    auto body = std::make_shared<Body>();
    const std::size_t end = std::min(all.size(), at + wire::kMostInvalidatedRuns);
    body->blocks.assign(all.begin() + std::ptrdiff_t(at), all.begin() + std::ptrdiff_t(end));
    at = end;
    const std::size_t bytes = wire::kInvalidateHead + runBytes(body->blocks);
    message.body = std::move(body);
    node.peers[sharer].onInvalidateSent(acknowledged);
    send(std::move(message), bytes);
  } while (at < all.size());
}

} // namespace ompdsm::simulator
