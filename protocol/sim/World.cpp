// World.cpp: messages of the small world: sent, delivered, answered.
#include "protocol/sim/World.h"
#include "protocol/core/Print.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace ompdsm::sim {

World::World(const Litmus &litmus, const Rules &rules)
    : litmus_(litmus), rules_(rules), nodes_(litmus.nodeCount()),
      leases_(litmus.has(Operation::Lease)), holdings_(holdingsOf(litmus)) {}

State World::initial() const {
  State s{};
  for (unsigned n = 0; n < nodes_; ++n) {
    Node &node = s.nodes[n];
    node.clock.stamp();
    for (unsigned b = 0; b < kBlocks; ++b) {
      node.homes[b] = traits(b).home;
      node.blocks[b].state = traits(b).home == n ? BlockState::Exclusive : BlockState::Invalid;
    }
  }
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    s.nodes[nodeOf(t)].clock.goOnline(s.threads[t].quiescentAt);
  for (const Program &program : litmus_.threads)
    for (const Operation &operation : program.operations)
      if (operation.kind == Operation::Wait && operation.byte)
        s.nodes[program.node].following = true;
  return s;
}

void World::moves(const State &s, std::vector<Move> &all) const {
  all.clear();
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (!isDone(s, t))
      all.push_back({true, std::uint8_t(t)});
  for (unsigned i = 0; i < s.messageCount; ++i)
    if (!rules_.channelsAreOrdered || i == 0 ||
        s.messages[i].channel() != s.messages[i - 1].channel())
      all.push_back({false, std::uint8_t(i)});
}

bool World::make(State &s, const Move &move) {
  failure_.clear();
  const bool moved = move.isThread ? advance(s, move.index) : deliver(s, move.index);
  if (moved && failure_.empty())
    checkInvariants(s);
  return moved;
}

std::string World::labelOf(const State &s, const Move &move) const {
  if (move.isThread) {
    constexpr const char *kPhases[] = {"",
                                       " (data)",
                                       " (reply)",
                                       " (adds)",
                                       " (has added)",
                                       " (wants to flush)",
                                       " (next block)",
                                       " (compares)",
                                       " (resumes)",
                                       " (confirmed)",
                                       " (answered)",
                                       " (fetches are over)",
                                       " (foreign copies)",
                                       " (drained)",
                                       " (arrives)",
                                       " (all arrived)",
                                       " (all is here)",
                                       " (all done)"};
    return "node " + std::to_string(nodeOf(move.index)) + ", thread " + std::to_string(move.index) +
           ": " + toString(operationOf(s, move.index)) + kPhases[int(s.threads[move.index].phase)];
  }
  const Message &message = s.messages[move.index];
  std::string text = "node " + std::to_string(message.to) + " gets " + nameOf(message.kind) +
                     " of node " + std::to_string(message.from);
  const bool changes = message.kind == Kind::Put || message.kind == Kind::Update;
  if (classOf(message.kind) == 0 || message.kind == Kind::GetBehind || changes ||
      message.kind == Kind::Data)
    text += ", block " + std::to_string(message.block);
  auto value = [&](unsigned i) { text += " " + std::to_string(message.bytes[i]); };
  if (message.kind == Kind::Data)
    for (unsigned i = 0; i < kBlockBytes; ++i)
      value(i);
  if (changes)
    for (unsigned i = 0; i < kBlockBytes; ++i) {
      if (message.mask >> i & 1)
        value(i);
      else
        text += " -";
    }
  return text;
}

void World::step(State &s, unsigned n, unsigned block, Event event, Context &context) {
  Access access(*this, s, n, block, context);
  ompdsm::step(access, event);
}

void World::send(State &s, Message message) {
  if (message.to >= nodes_ || message.to == message.from)
    return fail("a message without receiver");
  if (!litmus_.most.isAny()) {
    s.gets += message.kind == Kind::Get || message.kind == Kind::GetBehind;
    s.puts += message.kind == Kind::Put;
    s.invalidates += message.kind == Kind::Invalidate && message.block < kBlocks;
    s.dones += message.kind == Kind::Done;
    if (s.gets > litmus_.most.gets || s.puts > litmus_.most.puts ||
        s.invalidates > litmus_.most.invalidates || s.dones > litmus_.most.dones)
      return fail(std::string("more messages than this program may cost: ") + nameOf(message.kind));
  }
  Message *begin = s.messages, *end = begin + s.messageCount;
  Message *place = std::find_if(
      begin, end, [&](const Message &other) { return other.channel() > message.channel(); });
  if (s.messageCount == kMessages ||
      (place - begin >= kMaxQueue && (place - kMaxQueue)->channel() == message.channel()))
    return fail("a queue grows beyond its bound");
  std::copy_backward(place, end, end + 1);
  *place = message;
  ++s.messageCount;
}

void World::sendInvalidate(State &s, unsigned from, unsigned to, unsigned block,
                           bool acknowledged) {
  Message message{};
  message.from = std::uint8_t(from);
  message.to = std::uint8_t(to);
  message.kind = Kind::Invalidate;
  message.block = std::uint8_t(block);
  message.flag = acknowledged;
  s.nodes[from].peers[to].onInvalidateSent(acknowledged);
  send(s, message);
}

/// Whether a request waits for this node to leave a barrier.
bool World::mustWait(const State &s, const Message &request) const {
  const Node &node = s.nodes[request.to];
  const bool reads = request.kind != Kind::Put && request.kind != Kind::Leave;
  return mustHoldRequest(request.epoch, node.completed, reads, node.isDone, false);
}

bool World::deliver(State &s, unsigned index) {
  const Message message = s.messages[index];
  const unsigned n = message.to;
  Node &node = s.nodes[n];
  Peer &peer = node.peers[message.from];
  if (node.locked && message.kind != Kind::PutAck)
    return false;
  // A request that must be held is not delivered; the engine keeps it in a queue of its own.
  if (classOf(message.kind) == 0 && rules_.requestsOfNextEpochWait &&
      (mustWait(s, message) ||
       (!rules_.requestsWaitBySender &&
        std::any_of(s.messages, s.messages + s.messageCount, [&](const Message &other) {
          return other.to == n && classOf(other.kind) == 0 && mustWait(s, other);
        }))))
    return false;
  if (message.kind == Kind::GetBehind && message.epoch > node.completed)
    return false;
  std::copy(s.messages + index + 1, s.messages + s.messageCount, s.messages + index);
  s.messages[--s.messageCount] = Message{};

  if (classOf(message.kind) == 0 && message.epoch > node.completed)
    peer.onLeftBefore();
  Context context;
  context.node = message.from;
  context.message = &message;
  switch (message.kind) {
  case Kind::Get:
  case Kind::GetBehind:
  case Kind::Put:
  case Kind::Leave:
  case Kind::Atomic:
  case Kind::AtomicPut:
    deliverRequest(s, message);
    break;
  case Kind::Data: {
    node.hasFetched = true;
    const BlockCopy &copy = node.blocks[message.block];
    const bool writerWaits = copy.record.writerWaits;
    const std::uint8_t wanted = copy.record.waiters ? kReadMisses : 0;
    if (rules_.fetchKeepsMemory)
      node.leaving &= std::uint8_t(~(1u << message.block));
    step(s, n, message.block,
         classifyData(copy.state, writerWaits, !wanted && traits(message.block).watched), context);
    if (missBits(copy.state) & (wanted | (writerWaits ? kWriteMisses : 0)))
      fail("a miss ends without its permission");
    break;
  }
  case Kind::Invalidate:
    if (message.block < kBlocks)
      step(s, n, message.block, Event::Invalidate, context);
    confirmInvalidate(s, message);
    break;
  case Kind::Update:
    if (message.whole && rules_.fetchKeepsMemory)
      node.leaving &= std::uint8_t(~(1u << message.block));
    node.blocks[message.block].isSole =
        rules_.onlyHoldersAreSole ? isSoleSharer(node.blocks[message.block].state, message.isSole)
                                  : message.isSole;
    step(s, n, message.block,
         classifyUpdate(node.blocks[message.block].state, message.whole,
                        rules_.pushesCrossNoPuts &&
                            Peer::hasCrossed(node.blocks[message.block].latestPut, message.count),
                        traits(message.block).watched,
                        message.mask != 0 &&
                            Peer::hasCrossed(node.blocks[message.block].latestKept, message.count)),
         context);
    confirmInvalidate(s, message);
    break;
  case Kind::InvalidateAck:
    peer.onConfirmed(message.count);
    completeAnswers(s, n);
    break;
  case Kind::PutAck:
    peer.onPutAck(message.count);
    break;
  case Kind::AtomicReply:
    --node.requestsInFlight;
    finish(s, message.thread);
    break;
  case Kind::Arrive:
  case Kind::Done:
    peer.reports[message.epoch & 1] = message.report;
    break;
  case Kind::Go:
    node.word = message.report;
    break;
  case Kind::Order:
    node.orders |= message.mask;
    break;
  case Kind::Runtime:
  case Kind::Multicast:
    fail("a message without receiver");
    break;
  }
  return true;
}

void World::confirmInvalidate(State &s, const Message &message) {
  Peer &peer = s.nodes[message.to].peers[message.from];
  peer.invalidatesProcessed.add(1);
  if (!message.flag)
    return;
  Message ack{};
  ack.from = message.to;
  ack.to = message.from;
  ack.kind = Kind::InvalidateAck;
  ack.count = peer.invalidatesProcessed.get();
  send(s, ack);
}

void World::deliverRequest(State &s, const Message &message) {
  const unsigned n = message.to;
  Node &node = s.nodes[n];
  if (message.block < kBlocks && node.homes[message.block] != n)
    return fail(std::string("a ") + nameOf(message.kind) + " at a node that is not the home");
  const std::array<Peer, kMaxNodes> before = node.peers;
  Context context;
  context.node = message.from;
  context.message = &message;
  switch (message.kind) {
  case Kind::Get:
  case Kind::GetBehind: {
    context.acknowledged = false;
    Access access(*this, s, n, message.block, context);
    stepGet(access);
    break;
  }
  case Kind::Put:
    context.acknowledged = message.flag;
    if (message.block < kBlocks) {
      step(s, n, message.block, classifyPut(message.whole, message.away), context);
      noteWriter(s, n, message.block, message.from, message.epoch > node.completed);
    }
    node.peers[message.from].putsProcessed.add(1);
    if (message.flag)
      answer(s, n, message.from, Kind::PutAck, 0, before);
    break;
  case Kind::Leave: {
    Access access(*this, s, n, message.block, context);
    stepLeave(access);
    if (rules_.barriersCountLeaves)
      node.peers[message.from].putsProcessed.add(1);
    break;
  }
  default:
    step(s, n, message.block, classifyAtomic(message.flag, message.kept), context);
    if (!context.executed)
      fail("an atomic operation is not done");
    if (message.flag)
      noteWriter(s, n, message.block, message.from, message.epoch > node.completed,
                 message.kept && rules_.keepersOfCopiesAreAlone);
    if (message.kind == Kind::Atomic)
      answer(s, n, message.from, Kind::AtomicReply, message.thread, before);
    else if (rules_.updatesAreCounted)
      node.peers[message.from].putsProcessed.add(1);
    break;
  }
}

void World::noteWriter(State &s, unsigned n, unsigned block, std::uint8_t writer, bool isEarly,
                       bool isKept) {
  if (!traits(block).migratable && rules_.untrackedHomesStay)
    return;
  const NodeId wide = writer == Node::kStays ? kUnitStays : writer;
  Node &node = s.nodes[n];
  std::uint8_t &entry = (isEarly ? node.earlyWriters : node.writers)[unitOf(block)];
  Writers writers = writersOf(entry);
  if (entry == 0)
    writers = Writers::of(wide, NodeId(n), isKept);
  else
    writers.join(wide, NodeId(n), isKept);
  const unsigned kept = writers.areKept ? Node::kKept : 0u;
  entry = writers.mayMove() ? std::uint8_t(1u << writers.lower | 1u << writers.higher | kept)
                            : Node::kStays;
}

Writers World::writersOf(std::uint8_t entry) {
  if (entry == 0 || entry == Node::kStays)
    return {};
  const unsigned nodes = entry & ~unsigned(Node::kKept);
  return {NodeId(std::countr_zero(nodes)), NodeId(std::bit_width(nodes) - 1),
          (entry & Node::kKept) != 0};
}

/// Tells some nodes that they may go on, behind a release towards them.
void World::order(State &s, unsigned from, const Operation &operation) {
  for (unsigned to = 0; to < nodes_; ++to)
    if (operation.byte >> to & 1) {
      Message message{};
      message.from = std::uint8_t(from);
      message.to = std::uint8_t(to);
      message.kind = Kind::Order;
      message.block = kBlocks;
      message.mask = std::uint8_t(1u << operation.value);
      if (rules_.ordersFollowReleases)
        send(s, message);
      else
        s.nodes[to].orders |= message.mask;
    }
}

/// A Put of nothing, after those that are to be answered.
void World::askForPuts(State &s, unsigned from, unsigned to) {
  Message message{};
  message.from = std::uint8_t(from);
  message.to = std::uint8_t(to);
  message.kind = Kind::Put;
  message.block = kBlocks;
  message.epoch = s.nodes[from].completed;
  message.flag = true;
  s.nodes[from].peers[to].onPutSent(true, /*tellsOthers=*/false);
  send(s, message);
}

void World::answer(State &s, unsigned n, unsigned to, Kind kind, unsigned thread,
                   const std::array<Peer, kMaxNodes> &before) {
  Answer answer{};
  answer.to = std::uint8_t(to);
  answer.kind = kind;
  answer.thread = std::uint8_t(thread);
  listAnswerNeeds(peersOf(s, n), answer);
  if (!rules_.answersWaitForEarlier) // wrong: only for what this very request has caused
    for (const auto all = std::exchange(answer.needs, {}); AnswerNeed need : all)
      if (before[need.node].invalidatesSent.get() != need.invalidates)
        answer.needs.push_back(need);
  for (AnswerNeed need : answer.needs)
    if (s.nodes[n].peers[need.node].mustAsk())
      sendInvalidate(s, n, need.node, kBlocks, true);
  if (s.answers[n].isFull())
    return fail("a queue grows beyond its bound: answers");
  s.answers[n].push_back(answer);
  completeAnswers(s, n);
}

void World::completeAnswers(State &s, unsigned n) {
  sendConfirmedAnswers(s.answers[n], peersOf(s, n), [&](const Answer &answer) {
    Message reply{};
    reply.from = std::uint8_t(n);
    reply.to = answer.to;
    reply.kind = answer.kind;
    reply.thread = answer.thread;
    reply.count = s.nodes[n].peers[answer.to].putsSent.get();
    send(s, reply);
  });
}

bool World::othersOffline(const State &s, unsigned n, unsigned except) const {
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (nodeOf(t) == n && t != except && !Clock::isQuiet(s.threads[t].quiescentAt, Clock::kOffline))
      return false;
  return true;
}

} // namespace ompdsm::sim
