// Outgoing.cpp: what steps collected for each node leaves as messages.
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

namespace {
/// A block with which no other one of its size fits into a message leaves from where it is.
constexpr std::size_t kAloneBytes = Messenger::kMaxBodyBytes / 2;

/// What nobody waits to have answered or confirmed is needed at the receiver's next acquire, and
/// precedes what that waits for.
constexpr fabric::Urgency urgencyOf(bool isAwaited) {
  return isAwaited ? fabric::Urgency::Now : fabric::Urgency::WhenWaiting;
}
/// Calls post(some of the runs), once at least, as often as messages are needed for them.
template <class Post> void forEachPiece(fabric::Bytes runs, Post &&post) {
  constexpr std::size_t kPiece = 4096 * kWireRunBytes;
  do {
    const fabric::Bytes piece = runs.first(std::min(runs.size(), kPiece));
    runs = runs.subspan(piece.size());
    post(piece);
  } while (!runs.empty());
}
} // namespace

void Engine::Impl::appendData(const BlockRef &block, NodeId to, const std::byte *contents,
                              Contents taken) {
  sizing_.onSent(block.begin, block.bytes);
  if (block.bytes > kAloneBytes && !isZero(contents, block.bytes)) {
    if (!data_[to].empty())
      postData(to);
    const auto bytes = static_cast<std::uint32_t>(block.bytes);
    const DataHead head{block.begin, bytes, bytes};
    messenger.post(to, MessageKind::Data,
                   {std::as_bytes(std::span(&head, 1)), {contents, block.bytes}}, dataUrgency_);
    return;
  }
  // The blocks of a page that somebody fetches whole arrive in one message.
  const std::size_t wanted =
      block.begin % kPageBytes == 0 ? std::max<std::size_t>(block.bytes, kPageBytes) : block.bytes;
  if (!data_[to].hasRoom(wanted, mostBytesForAll()))
    postData(to);
  data_[to].addBlock(block.begin, {contents, block.bytes}, taken);
}

void Engine::Impl::postCollected(Confirmation confirmation, Invalidates which) {
  const bool keeps = which == Invalidates::Later && confirmation == Confirmation::Counted &&
                     messenger.joinsMessages() && !hasMuchCollected();
  hasKept_ = false;
  for (unsigned n = 0; n < nodes; ++n) {
    NodeId node = static_cast<NodeId>(n);
    if (!data_[n].empty())
      postData(node);
    if (!updates_[n].empty())
      postUpdates(node, confirmation, Messenger::Parts::Stay); // the writer is not used again
    if (keeps)
      hasKept_ |= !invalidateRuns_[n].empty();
    else if (!invalidateRuns_[n].empty())
      postInvalidates(node, confirmation);
    if (!puts_[n].empty())
      postPut(node, confirmation);
    postSums(node);
  }
  postLeaves();
  postGets();
}

void Engine::Impl::postKept() {
  if (hasKept_)
    postCollected(Confirmation::Counted);
}

void Engine::Impl::postLeaves() {
  for (unsigned n = 0; n < nodes; ++n)
    if (!leaveRuns_[n].empty())
      postRequests(MessageKind::Leave, static_cast<NodeId>(n), leaveRuns_[n]);
}

bool Engine::Impl::postGets() {
  bool any = false;
  for (unsigned n = 0; n < nodes; ++n)
    if (!getRuns_[n].empty()) {
      postRequests(MessageKind::Get, static_cast<NodeId>(n), getRuns_[n]);
      any = true;
    }
  return any;
}

void Engine::Impl::postRequests(MessageKind kind, NodeId home, RunCollector &runs) {
  postSums(home); // what is fetched has them
  WireWriter writer(runs.count() * kWireRunBytes);
  runs.writeTo(writer);
  runs.clear();
  RequestHead head{completedEpoch_, 0};
  forEachPiece(writer.bytes(), [&](fabric::Bytes piece) {
    if (kind == MessageKind::Leave)
      noteLeaves(home, piece);
    messenger.post(home, kind, {std::as_bytes(std::span(&head, 1)), piece},
                   urgencyOf(/*isAwaited=*/kind == MessageKind::Get));
  });
}

void Engine::Impl::noteLeaves(NodeId home, fabric::Bytes runs) {
  peers_[home].onLeaveSent();
  WireReader reader(runs);
  for (WireRun run; readRun(reader, run);)
    forEachBlock(run.begin, run.bytes, [&](const BlockRef &block) {
      latestPuts_.onPut(block.begin, block.area->blockShift, peers_[home].putsSent.get());
    });
}

void Engine::Impl::postPut(NodeId home, Confirmation confirmation) {
  const bool isCounted = confirmation == Confirmation::Counted;
  const bool ack = !isCounted && confirmation != Confirmation::Deferred;
  const bool isTold = std::exchange(peers_[home].putIsTold, false);
  peers_[home].onPutSent(ack, isTold);
  messenger.post(home, MessageKind::Put,
                 puts_[home].finish(RequestHead{completedEpoch_, ack, isCounted, isTold}),
                 urgencyOf(ack));
  puts_[home].clear();
}

void Engine::Impl::postSums(NodeId home) {
  sums_[home].post([&](OutgoingSums::Message &sums) {
    peers_[home].onPutSent(/*wantsAck=*/false, /*tellsOthers=*/true);
    RequestHead head{completedEpoch_, 0};
    head.operation = sums.kind.operation;
    head.numberBytes = sums.kind.bytes;
    messenger.post(home, MessageKind::Sums, sums.lines.finish(head),
                   urgencyOf(/*isAwaited=*/false));
  });
}

/// Which nodes are to get what `to` is, this included, if it goes to them by a tree; else that node
/// alone. Valid until the next call.
template <class Writer>
std::span<const NodeId> Engine::Impl::receiversOfSame(const std::vector<Writer> &writers,
                                                      NodeId to) {
  receivers_.assign(1, to);
  const Writer &first = writers[to];
  if (!multicasts_ || !isWorthATree(nodes - 1, first.size()))
    return receivers_;
  for (unsigned n = 0; n < nodes; ++n)
    if (n != to && n != self && first.isSame(writers[n]))
      receivers_.push_back(static_cast<NodeId>(n));
  if (!isWorthATree(receivers_.size(), first.size()))
    receivers_.resize(1);
  return receivers_;
}

void Engine::Impl::postUpdates(NodeId sharer, Confirmation confirmation, Messenger::Parts stay) {
  // Who may be computing, or has to answer, is not asked to pass it on.
  if (confirmation == Confirmation::Counted && !gathers_.isOfMost(site(), nodes))
    if (const auto receivers = receiversOfSame(updates_, sharer); receivers.size() > 1)
      return postCommonUpdate(receivers);
  bool ack = confirmation == Confirmation::Acknowledged;
  peers_[sharer].onInvalidateSent(ack);
  const UpdateHead head{std::uint32_t(peers_[sharer].putsProcessed.get()), ack,
                        ack || confirmation == Confirmation::Deferred, siteOf(confirmation)};
  messenger.post(sharer, MessageKind::Update, updates_[sharer].finish(head), urgencyOf(ack), stay);
  updates_[sharer].clear();
}

void Engine::Impl::postCommonUpdate(std::span<const NodeId> receivers) {
  UpdateHead head;
  head.putsProcessed = static_cast<std::uint32_t>(receivers.size());
  head.site = siteOf(Confirmation::Counted);
  std::vector<ReceiverPuts> puts;
  for (const NodeId to : receivers) {
    peers_[to].onInvalidateSent(/*wantsAck=*/false);
    puts.push_back({std::uint32_t(peers_[to].putsProcessed.get()), to, 0});
  }
  const auto body = updates_[receivers.front()].finish(head);
  std::vector<fabric::Bytes> parts{body.front().first(sizeof(head)), std::as_bytes(std::span(puts)),
                                   body.front().subspan(sizeof(head))};
  parts.insert(parts.end(), body.begin() + 1, body.end());
  // All of them have to come to this barrier before anybody leaves it.
  messenger.postToAll(receivers, MessageKind::CommonUpdate, parts, fabric::Urgency::WhenWaiting,
                      fabric::Urgency::WhenWaiting);
  for (const NodeId to : receivers)
    updates_[to].clear();
}

void Engine::Impl::postData(NodeId to) {
  const auto receivers = receiversOfSame(data_, to);
  if (receivers.size() > 1) // who waits for it cannot tell who has to pass it on
    messenger.postToAll(receivers, MessageKind::Data, data_[to].parts(), dataUrgency_,
                        fabric::Urgency::Now);
  else
    messenger.post(to, MessageKind::Data, data_[to].parts(), dataUrgency_);
  for (const NodeId node : receivers)
    data_[node].clear();
}

void Engine::Impl::postInvalidates(NodeId sharer, Confirmation confirmation) {
  bool ack = confirmation == Confirmation::Acknowledged;
  WireWriter writer(invalidateRuns_[sharer].count() * kWireRunBytes);
  invalidateRuns_[sharer].writeTo(writer);
  invalidateRuns_[sharer].clear();
  InvalidateHead head{ack};
  forEachPiece(writer.bytes(), [&](fabric::Bytes piece) {
    peers_[sharer].onInvalidateSent(ack);
    messenger.post(sharer, MessageKind::Invalidate, {std::as_bytes(std::span(&head, 1)), piece},
                   urgencyOf(ack));
  });
}

} // namespace ompdsm
