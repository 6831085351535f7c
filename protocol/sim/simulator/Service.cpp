// Service.cpp: what a node does for others, as their home and as a cacher (HomeService.cpp and
// Misses.cpp of the engine).
#include "protocol/core/Eviction.h"
#include "protocol/core/Serving.h"
#include "protocol/sim/simulator/Port.h"
#include "protocol/sim/simulator/WireSizes.h"
#include <algorithm>

namespace ompdsm::simulator {

namespace {
void countDown(std::unordered_map<BlockId, unsigned> &counts, BlockId block) {
  if (--counts[block] == 0)
    counts.erase(block);
}
} // namespace

void Simulation::step(Node &node, BlockId block, Event event, StepContext &context) {
  Port port(*this, node, block, context);
  ompdsm::step(port, event);
}

void Simulation::onRequest(Node &node, Message message) {
  if (message.epoch > node.completedEpoch)
    node.peers[message.from].onLeftBefore();
  const bool reads = message.kind != Kind::Put && message.kind != Kind::Leave;
  const bool othersWait =
      std::any_of(node.held.begin(), node.held.end(),
                  [&](const Message &other) { return other.from == message.from; });
  if (rules_.requestsOfNextEpochWait &&
      mustHoldRequest(message.epoch, node.completedEpoch, reads, node.isDone, othersWait)) {
    node.held.push_back(std::move(message));
    return;
  }
  serve(node, message);
}

void Simulation::serveBehindBarrier(Node &node) {
  std::vector<Message> waiting;
  for (Message &ask : std::exchange(node.asksBehind, {}))
    if (ask.epoch <= node.completedEpoch)
      serve(node, ask);
    else
      waiting.push_back(std::move(ask));
  node.asksBehind = std::move(waiting);
}

void Simulation::serve(Node &node, const Message &message) {
  static const Body kNothing;
  const Body &body = message.body ? *message.body : kNothing;
  const auto isHome = [&](BlockId block) {
    if (homeOf(node, block) != node.self)
      fail(std::string("a ") + nameOf(message.kind) + " at a node that is not the home", block,
           &node);
  };
  std::vector<PlainCounter::Value> before;
  if (!rules_.answersWaitForEarlier)
    for (const Peer &peer : node.peers)
      before.push_back(peer.invalidatesSent.get());
  StepContext context;
  context.node = message.from;
  switch (message.kind) {
  case Kind::Get:
  case Kind::GetBehind:
    for (BlockId block : body.blocks) {
      isHome(block);
      Port port(*this, node, block, context);
      stepGet(port);
    }
    break;
  case Kind::Put:
    for (const Change &change : body.changes) {
      isHome(change.block);
      context.change = &change;
      step(node, change.block, classifyPut(change.isWhole, change.isAway), context);
      if (change.isWhole && !change.isAway)
        countDown(nodes_[message.from].overwritesUnderWay, change.block);
      noteWriter(node, change.block, message.from, message.epoch > node.completedEpoch);
    }
    node.peers[message.from].putsProcessed.add(1);
    if (message.flag)
      answerWhenConfirmed(node, {message.from, Kind::PutAck}, before);
    break;
  case Kind::Leave:
    for (BlockId block : body.blocks) {
      isHome(block);
      Port port(*this, node, block, context);
      stepLeave(port);
    }
    if (rules_.barriersCountLeaves)
      node.peers[message.from].putsProcessed.add(1);
    break;
  default: {
    const BlockId block = space_.blockAt(body.atomic.byte);
    isHome(block);
    std::uint8_t old = 0;
    context.atomic = &body.atomic;
    context.atomicOld = &old;
    step(node, block, classifyAtomic(body.atomic.mayWrite()), context);
    if (body.atomic.mayWrite())
      noteWriter(node, block, message.from, message.epoch > node.completedEpoch);
    if (message.kind == Kind::Atomic)
      answerWhenConfirmed(node, {message.from, Kind::AtomicReply, message.name, old, {}}, before);
    else if (rules_.updatesAreCounted)
      node.peers[message.from].putsProcessed.add(1);
    break;
  }
  }
  postCollected(node, /*acknowledged=*/false);
}

void Simulation::onData(Node &node, const Message &message) {
  node.hasFetched = true;
  for (const Contents &contents : message.body->contents) {
    const Copy &copy = copyOf(node, contents.block);
    const bool writerWaits = copy.record && copy.record->writerWaits;
    const bool readerWaits = copy.record && !copy.record->waiters.empty();
    StepContext context;
    context.data = &contents.bytes;
    noteFilled(node, contents.block);
    const bool watched = !readerWaits && !writerWaits && dice_.oneIn(4);
    step(node, contents.block, classifyData(copy.state, writerWaits, watched), context);
    const std::uint8_t wanted = (readerWaits ? kReadMisses : 0) | (writerWaits ? kWriteMisses : 0);
    if (missBits(copy.state) & wanted)
      fail("a miss ends without its permission", contents.block, &node);
    checkCopy(node, contents.block);
  }
}

void Simulation::onInvalidate(Node &node, const Message &message) {
  StepContext context;
  for (BlockId block : message.body->blocks) {
    step(node, block, Event::Invalidate, context);
    countDown(node.invalidationsUnderWay, block);
    checkCopy(node, block);
  }
  confirmInvalidate(node, message);
}

void Simulation::onUpdate(Node &node, const Message &message) {
  StepContext context;
  const bool watched = message.flag || dice_.oneIn(4);
  for (const Change &change : message.body->changes) {
    const BlockState state = copyOf(node, change.block).state;
    if (state == BlockState::Unread)
      node.unread.push_back(change.block);
    context.change = &change;
    if (change.isRefreshed && state == BlockState::Invalid)
      noteFilled(node, change.block);
    copyOf(node, change.block).isSole = isSoleSharer(state, message.isSole);
    const bool crossed = rules_.pushesCrossNoPuts &&
                         Peer::hasCrossed(copyOf(node, change.block).latestPut, message.count);
    step(node, change.block, classifyUpdate(state, change.isRefreshed, crossed, watched), context);
    checkCopy(node, change.block);
  }
  postCollected(node, /*acknowledged=*/true); // what was discarded
  confirmInvalidate(node, message);
  evictUnread(node, nullptr);
}

void Simulation::confirmInvalidate(Node &node, const Message &message) {
  Peer &home = node.peers[message.from];
  home.invalidatesProcessed.add(1);
  if (!message.flag)
    return;
  Message ack{node.self, message.from, Kind::InvalidateAck};
  ack.count = home.invalidatesProcessed.get();
  send(std::move(ack), wire::kCount);
}

void Simulation::answerWhenConfirmed(Node &node, Answer answer,
                                     const std::vector<PlainCounter::Value> &before) {
  postCollected(node, /*acknowledged=*/true); // the invalidations that this answer depends on
  listAnswerNeeds(node.peers, answer);
  if (!rules_.answersWaitForEarlier) // wrong: only for what this very request has caused
    std::erase_if(answer.needs,
                  [&](const auto &need) { return before[need.first] == need.second; });
  for (const auto &[other, invalidates] : answer.needs)
    if (node.peers[other].mustAsk())
      postInvalidates(node, other, /*acknowledged=*/true);
  node.answers.push_back(std::move(answer));
  if (node.answers.size() > 64 * nodes_.size())
    fail("a queue grows beyond its bound: answers", {}, &node);
  completeAnswers(node);
}

void Simulation::completeAnswers(Node &node) {
  sendConfirmedAnswers(node.answers, node.peers, [&](const Answer &answer) {
    Message reply{node.self, answer.to, answer.kind};
    reply.name = answer.name;
    if (answer.kind == Kind::AtomicReply) {
      auto body = std::make_shared<Body>();
      body->old = answer.old;
      reply.body = std::move(body);
    }
    reply.count = node.peers[answer.to].putsSent.get();
    send(std::move(reply), answer.kind == Kind::AtomicReply ? wire::kAtomicReply : wire::kCount);
  });
}

void Simulation::noteWriter(Node &node, BlockId block, NodeId writer, bool isEarly) {
  if (!space_.areaOf(block).migratable && rules_.untrackedHomesStay)
    return;
  auto &writers = isEarly ? node.earlyWriters : node.writers;
  const auto [entry, isNew] =
      writers.try_emplace(space_.block(block).unit, Writers::of(writer, node.self));
  if (!isNew)
    entry->second.join(writer, node.self);
}

} // namespace ompdsm::simulator
