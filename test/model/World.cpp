// World.cpp: messages, steps of the tables, and what their actions do in the small world.
#include "test/model/World.h"

namespace ompdsm::model {

State World::initial() {
  State s{};
  for (unsigned n = 0; n < kNodes; ++n)
    s.nodes[n].state = n ? BlockState::Invalid : BlockState::Exclusive;
  return s;
}

void World::flush(State &s, unsigned n, bool quiet, Context &context) {
  Node &node = s.nodes[n];
  FlushSituation situation;
  for (unsigned b = 0; b < kBytes; ++b)
    context.mask |= std::uint8_t((node.snapshot[b] != node.twin[b]) << b);
  situation.changed = context.mask != 0;
  situation.distrusted = node.distrusted;
  situation.unshared = node.sharers == 0;
  situation.quiet = quiet;
  step(s, n, classifyFlush(node.state, situation), context);
}

bool World::deliver(State &s, const Move &move) {
  unsigned n = move.cacher;
  Queue &queue = s.queues[n][move.direction][move.requests];
  const Message message = queue.messages[move.index];
  unsigned to = move.direction ? n : 0;
  if (s.nodes[to].locked)
    return false;
  std::copy(queue.messages + move.index + 1, queue.messages + queue.size,
            queue.messages + move.index);
  queue.messages[--queue.size] = Message{};
  Node &node = s.nodes[to];
  Context context;
  context.node = n;
  context.data = message.bytes;
  context.mask = message.mask;
  context.byte = message.byte;
  Message reply{};
  reply.thread = message.thread;
  const Node before = node;
  auto caused = [&] { // the nodes that this request has invalidated
    std::uint8_t set = 0;
    for (unsigned other = 1; other < kNodes; ++other)
      set |= std::uint8_t((node.invalidatesSent[other] != before.invalidatesSent[other]) << other);
    return set;
  };
  switch (message.kind) {
  case Kind::Get:
    step(s, 0, Event::Get, context);
    break;
  case Kind::Put:
    step(s, 0, Event::Put, context);
    reply.kind = Kind::PutAck;
    answer(s, n, reply, caused());
    break;
  case Kind::Atomic:
    context.value = message.bytes[0];
    step(s, 0, classifyAtomic(message.mask), context);
    if (!context.executed)
      fail("an atomic operation is not done");
    if (!message.mask)
      expect(node.memory[message.byte], message.bytes[0]);
    reply.kind = Kind::AtomicReply;
    answer(s, n, reply, caused());
    break;
  case Kind::Data:
    step(s, n, classifyData(node.writerWaits), context);
    break;
  case Kind::Invalidate:
    step(s, n, Event::Invalidate, context);
    reply.kind = Kind::InvalidateAck;
    reply.count = ++node.invalidatesProcessed;
    send(s, n, 0, reply);
    break;
  case Kind::InvalidateAck:
    node.invalidatesConfirmed[n] = std::max(node.invalidatesConfirmed[n], message.count);
    completeAnswers(s);
    break;
  case Kind::PutAck:
    ++node.acksReceived;
    break;
  case Kind::AtomicReply:
    finish(s, message.thread);
    break;
  }
  return true;
}

void World::step(State &s, unsigned n, Event event, Context &context) {
  BlockState before = s.nodes[n].state;
  outcome_.reached[std::size_t(before)][std::size_t(event)] = true;
  const Transition &transition = rules_.cell(before, event);
  if (!transition.possible)
    return fail(std::string("impossible: ") + nameOf(event) + " in " + nameOf(before));
  for (Action action : transition.actions)
    perform(s, n, action, context);
  s.nodes[n].state = transition.next;
}

void World::perform(State &s, unsigned n, Action action, Context &context) {
  Node &node = s.nodes[n];
  Message message{};
  bool needsTwin = action == Action::DropTwin || action == Action::RenewTwin ||
                   action == Action::MergeData || action == Action::SendTwin ||
                   action == Action::NoteServed;
  if (needsTwin && !node.hasTwin)
    return fail("a twin is used where there is none");
  switch (action) {
  case Action::None:
    break;
  case Action::RequestData:
    message.kind = Kind::Get;
    send(s, n, 0, message);
    break;
  case Action::AwaitDataForWrite:
    node.writerWaits = true;
    [[fallthrough]];
  case Action::AwaitData:
    node.waiters |= 1u << context.thread;
    context.awaits = true;
    break;
  case Action::ApplyData:
    std::copy_n(context.data, kBytes, node.memory);
    break;
  case Action::MergeData:
    for (unsigned b = 0; b < kBytes; ++b)
      if (context.data[b] != node.twin[b])
        node.memory[b] = node.twin[b] = context.data[b];
    break;
  case Action::WakeWaiters:
    for (unsigned t = 0; t < kThreads; ++t)
      if (node.waiters >> t & 1)
        finish(s, t);
    node.waiters = 0;
    node.writerWaits = false;
    break;
  case Action::MakeTwin:
    if (node.hasTwin)
      return fail("a twin is made where there is one");
    std::copy_n(node.memory, kBytes, node.twin);
    node.hasTwin = node.listed = true;
    node.distrusted = false;
    break;
  case Action::DistrustTwin:
    node.distrusted = true;
    break;
  case Action::RenewTwin:
    std::copy_n(node.snapshot, kBytes, node.twin);
    break;
  case Action::DropTwin:
    std::fill_n(node.twin, kBytes, std::uint8_t(0));
    node.hasTwin = node.listed = node.distrusted = false;
    break;
  case Action::StampGrace:
    node.quiet = 0;
    break;
  case Action::SendPut:
    message.kind = Kind::Put;
    message.mask = context.mask;
    std::copy_n(node.snapshot, kBytes, message.bytes);
    ++node.acksWanted;
    send(s, n, 0, message);
    break;
  case Action::Postpone:
    context.postponed = true;
    break;
  case Action::AddSharer:
    node.sharers |= 1u << context.node;
    break;
  case Action::SendTwin:
  case Action::SendMemory:
    message.kind = Kind::Data;
    std::copy_n(action == Action::SendTwin ? node.twin : node.memory, kBytes, message.bytes);
    send(s, 0, context.node, message);
    break;
  case Action::NoteServed:
    node.distrusted |= !std::equal(node.memory, node.memory + kBytes, node.twin);
    break;
  case Action::ApplyPut:
    for (unsigned b = 0; b < kBytes; ++b)
      if (context.mask >> b & 1) {
        node.memory[b] = context.data[b];
        if (node.hasTwin)
          node.twin[b] = context.data[b];
      }
    break;
  case Action::ExecuteAtomic:
    context.executed = true;
    if (!context.mask) // a load
      break;
    node.memory[context.byte] = context.value;
    if (node.hasTwin)
      node.twin[context.byte] = context.value;
    break;
  case Action::InvalidateOthers:
    invalidate(s, int(context.node));
    break;
  case Action::InvalidateAll:
    invalidate(s, -1);
    node.distrusted = false;
    break;
  }
}

void World::send(State &s, unsigned from, unsigned to, const Message &message) {
  Queue &queue = s.queues[from + to][from == 0][isRequest(message.kind)];
  if (queue.size == kQueue)
    return fail("more messages than any correct run sends");
  queue.messages[queue.size++] = message;
}

void World::invalidate(State &s, int except) {
  Node &home = s.nodes[0];
  for (unsigned n = 1; n < kNodes; ++n)
    if ((home.sharers >> n & 1) && int(n) != except) {
      Message message{};
      message.kind = Kind::Invalidate;
      ++home.invalidatesSent[n];
      send(s, 0, n, message);
      home.sharers &= std::uint8_t(~(1u << n));
    }
}

void World::answer(State &s, unsigned to, Message message, std::uint8_t caused) {
  if (s.answerCount == kAnswers)
    return fail("more answers wait than any correct run has");
  Answer &answer = s.answers[s.answerCount++];
  answer.to = std::uint8_t(to);
  answer.message = message;
  for (unsigned n = 1; n < kNodes; ++n)
    if (rules_.answersWaitForEarlier || (caused >> n & 1))
      answer.needs[n] = s.nodes[0].invalidatesSent[n];
  completeAnswers(s);
}

void World::completeAnswers(State &s) {
  while (s.answerCount) {
    for (unsigned n = 1; n < kNodes; ++n)
      if (s.nodes[0].invalidatesConfirmed[n] < s.answers[0].needs[n])
        return;
    send(s, 0, s.answers[0].to, s.answers[0].message);
    std::copy(s.answers + 1, s.answers + s.answerCount, s.answers);
    s.answers[--s.answerCount] = Answer{};
  }
}

} // namespace ompdsm::model
