// Traffic.cpp: messages about a block, and what holds of it on all nodes.
#include "protocol/core/Print.h"
#include "protocol/sim/replay/Replayer.h"

namespace ompdsm::sim {

using What = BlockMessage::What;

static bool isReply(What what) { return what >= What::Data; }
/// Whether it makes the receiver see what a release has changed.
static bool tellsOfChanges(What what) { return what == What::Invalidate || what == What::Update; }

/// The next message of the pair, which must be of this kind.
BlockMessage *Replayer::front(ModelBlock &block, NodeId from, NodeId to, What what) {
  auto &queue = (isReply(what) ? block.replies : block.requests)[{from, to}];
  while (!queue.empty() && queue.front().mayBeTaken && what != What::Update)
    queue.pop_front();
  const std::string pair = " of node " + std::to_string(from) + " is handled";
  if (queue.empty()) {
    fail(std::string(nameOf(what)) + pair + ", but none is under way");
    return nullptr;
  }
  if (queue.front().what != what) {
    fail(std::string(nameOf(what)) + pair + ", but " + nameOf(queue.front().what) +
         " was sent before it");
    return nullptr;
  }
  return &queue.front();
}

/// Takes it off; with the contents that were sent, or a part of them.
void Replayer::take(ModelBlock &block, NodeId from, NodeId to, What what,
                    const ContentsDigest *contents) {
  BlockMessage *message = front(block, from, to, what);
  if (!message)
    return;
  if (contents) {
    message->contents.lines -= contents->lines;
    message->contents.sum -= contents->sum;
    if (message->contents.lines > std::uint64_t(1) << 32 ||
        (message->contents.lines == 0 && message->contents.sum != 0))
      return fail(std::string(nameOf(what)) + " of node " + std::to_string(from) +
                  " brings other contents than were sent");
    if (message->contents.lines != 0)
      return; // The rest is in the next message.
  }
  const std::vector<Obligations::Held> held = std::move(message->held);
  (isReply(what) ? block.replies : block.requests)[{from, to}].pop_front();
  if (what == What::Put) {
    // Whoever reads what an earlier Invalidate makes stale would not see it (trap 7).
    joinUnderWay(block, to, held);
    for (const Obligations::Held &put : held)
      obligations_.removePut(put);
  } else {
    for (const Obligations::Held &one : held)
      obligations_.removeInvalidate(one, to);
  }
}

void Replayer::receive(ModelBlock &block, NodeId node, const EventRecord &record) {
  if (record.kind == RecordKind::Forget)
    return take(block, record.peer, node, What::Leave, nullptr);
  if (record.kind == RecordKind::Serve)
    return take(block, record.peer, node, What::Get, nullptr);
  if (record.peer == kNoPeer || record.kind != RecordKind::Step || !record.journal.event)
    return;
  const Event event = *record.journal.event;
  if (event == Event::Get) // of a trace from when it was a step
    take(block, record.peer, node, What::Get, nullptr);
  else if (event == Event::Invalidate)
    take(block, record.peer, node, What::Invalidate, nullptr);
  else if (event == Event::Update || event == Event::UpdateWatched || event == Event::Refresh ||
           event == Event::Discard)
    takeUpdate(block, record.peer, node, record);
  else if (event == Event::AtomicUpdate || event == Event::AtomicUpdateKept ||
           event == Event::AtomicRead)
    take(block, record.peer, node, What::Atomic, nullptr);
  for (const Noted &noted : record.journal.notes)
    if (noted.note == Note::Overwrite || noted.note == Note::Merge) {
      const ContentsDigest data{0, noted.numbers[0]};
      take(block, record.peer, node, What::Data, &data);
    }
}

/// Updates of a block that were collected one after the other arrive as one: what a home keeps
/// until it has all Puts of a barrier. Makes the first one as many as have so many lines.
void Replayer::joinUpdates(ModelBlock &block, NodeId from, NodeId to, std::uint64_t lines) {
  std::deque<BlockMessage> &queue = block.replies[{from, to}];
  while (queue.size() > 1 && queue.front().contents.lines < lines &&
         queue[0].what == What::Update && queue[1].what == What::Update) {
    queue[0].contents += queue[1].contents;
    queue[0].held.insert(queue[0].held.end(), queue[1].held.begin(), queue[1].held.end());
    queue.erase(queue.begin() + 1);
  }
}

/// With the contents that were sent, unless the copy is not valid any more.
void Replayer::takeUpdate(ModelBlock &block, NodeId from, NodeId to, const EventRecord &record) {
  for (const Noted &noted : record.journal.notes)
    if (noted.note == Note::Apply) {
      const ContentsDigest changes{noted.numbers[0], noted.numbers[1]};
      joinUpdates(block, from, to, changes.lines);
      return take(block, from, to, What::Update, &changes);
    }
  // A copy that is not valid takes nothing of it, so how many have come is not known.
  take(block, from, to, What::Update, nullptr);
  for (BlockMessage &message : block.replies[{from, to}]) {
    if (message.what != What::Update)
      break;
    message.mayBeTaken = true;
    for (const Obligations::Held &one : std::exchange(message.held, {}))
      obligations_.removeInvalidate(one, to);
  }
}

void Replayer::post(ModelBlock &block, NodeId from, NodeId to, BlockMessage message) {
  (isReply(message.what) ? block.replies : block.requests)[{from, to}].push_back(
      std::move(message));
}

/// All that is being invalidated of the block has to be done for what is held.
void Replayer::joinUnderWay(ModelBlock &block, NodeId home,
                            const std::vector<Obligations::Held> &held) {
  for (auto &[pair, queue] : block.replies)
    for (BlockMessage &message : queue)
      if (pair.first == home && tellsOfChanges(message.what))
        for (const Obligations::Held &one : held)
          message.held.push_back(obligations_.joinInvalidate(one, pair.second, block.begin));
}

void Replayer::send(ModelBlock &block, NodeId node, const EventRecord &record) {
  for (const Noted &noted : record.journal.notes) {
    const NodeId to = NodeId(noted.numbers[0]);
    switch (noted.note) {
    case Note::SendGet:
      post(block, node, to, {What::Get, {}, {}, false});
      break;
    case Note::SendPut:
    case Note::SendWhole:
    case Note::SendAway:
      if (noted.numbers[1] != 0) // Of nothing, nothing is sent.
        post(block, node, to,
             {What::Put,
              {noted.numbers[1], noted.numbers[2]},
              {obligations_.addPut(node, block.begin)},
              noted.note == Note::SendWhole});
      break;
    case Note::SendSums:
      for (std::uint64_t i = 0; i < noted.numbers[1]; ++i)
        post(block, node, to, {What::Atomic, {}, {}, false});
      break;
    case Note::SendLeave:
      post(block, node, to, {What::Leave, {}, {}, false});
      break;
    case Note::SendTwin:
    case Note::SendMemory:
      post(block, node, to, {What::Data, {0, noted.numbers[1]}, {}, false});
      break;
    case Note::SendInvalidate:
      post(block, node, to,
           {What::Invalidate, {}, {obligations_.addInvalidate(node, to, block.begin)}, false});
      break;
    case Note::SendUpdate:
      post(block, node, to,
           {What::Update,
            {noted.numbers[1], noted.numbers[2]},
            {obligations_.addInvalidate(node, to, block.begin)},
            false});
      break;
    default:
      break;
    }
  }
  // After what it has made stale is under way.
  for (const Noted &noted : record.journal.notes)
    if (noted.note == Note::Apply && isHomeState(record.before)) {
      const ContentsDigest changes{noted.numbers[0], noted.numbers[1]};
      take(block, record.peer, node, What::Put, &changes);
    }
}

/// G1: nobody writes to a home's memory while it is Shared, but by a Put or an atomic operation.
void Replayer::checkUnwritten(ModelBlock &block, const EventRecord &record) {
  if (block.area->untracked || !isHomeState(record.before))
    return;
  for (const Noted &noted : record.journal.notes)
    switch (noted.note) {
    case Note::Apply:
    case Note::Execute:
    case Note::TakeWhole:
      block.contents.reset();
      break;
    case Note::Changed:
      if (noted.numbers[0])
        block.contents.reset();
      break;
    case Note::SendTwin:
      block.contents = noted.numbers[1];
      break;
    case Note::SendMemory:
      if (record.before == BlockState::Exclusive)
        block.contents.reset();
      else if (record.before != BlockState::Shared)
        break;
      if (block.contents.value_or(noted.numbers[1]) != noted.numbers[1])
        return fail("G1: the home's memory has changed while nobody could write to it");
      block.contents = noted.numbers[1];
      break;
    default:
      break;
    }
  if (record.after == BlockState::Exclusive || !isHomeState(record.after))
    block.contents.reset();
}

void Replayer::changeHome(ModelBlock &block, NodeId node, const EventRecord &record) {
  if (record.journal.event == Event::Cede) {
    block.heir = record.peer;
    block.copies[node].record = ModelRecord(); // As the engine erases it.
  } else if (record.journal.event == Event::Adopt) {
    if (block.heir != node)
      return fail("a node takes a block over that was not given to it");
    block.home = node;
    block.heir.reset();
  }
}

void Replayer::checkEverywhere(const ModelBlock &block) {
  const ModelCopy &home = block.copies[block.home];
  if (block.heir)
    return; // Between two homes; nobody asks, as all have promised.
  for (unsigned n = 0; n < nodes_; ++n) {
    const BlockState state = block.copies[n].state;
    if (isHomeState(state) != (n == block.home))
      return fail("node " + std::to_string(n) + " has the block in " + nameOf(state) +
                  ", but its home is node " + std::to_string(block.home));
    if (n == block.home || (missBits(state) & kReadMisses) || state == BlockState::Whole ||
        home.record.sharers.contains(NodeId(n)))
      continue;
    bool told = false;
    for (const auto &[pair, queue] : block.replies)
      for (const BlockMessage &message : queue)
        told |= pair.second == n && message.what == What::Invalidate;
    if (const auto sent = block.requests.find({NodeId(n), block.home});
        sent != block.requests.end())
      for (const BlockMessage &message : sent->second)
        told |= message.whole;
    if (!told)
      return fail(
          "node " + std::to_string(n) +
          " can read the block, but its home does not know, and no Invalidate is under way");
  }
}

bool Replayer::finish() {
  for (const auto &[key, block] : blocks_)
    for (const auto &[pair, queue] : block.requests)
      for (const BlockMessage &message : queue)
        if (message.what == What::Put)
          failAt(block.begin, "all nodes have ended, but a Put of node " +
                                  std::to_string(pair.first) + " to node " +
                                  std::to_string(pair.second) + " was not applied");
  return failure_.empty();
}

} // namespace ompdsm::sim
