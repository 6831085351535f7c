// Arrivals.cpp: how the reports of all nodes in a barrier come together (core/BarrierTree.h).
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

/// Pages; or a block in one; or a page that stays, with blocks from one line to a page.
static bool isWellFormed(const MovedPages &move) {
  const Address inPage = move.begin % kPageBytes;
  if (move.pages == 0)
    return move.blockShift == 0 && move.lines != 0 && inPage % kLineBytes == 0 &&
           inPage + move.lines * kLineBytes <= kPageBytes;
  if (inPage != 0 || move.lines != 0)
    return false;
  return move.blockShift == 0 || (move.from == move.heir && move.pages == 1 &&
                                  move.blockShift >= kLineShift && move.blockShift <= kPageShift);
}

bool Engine::Impl::isExchanged(MessageKind kind, Join join) const {
  return tellEachOther(nodes, join == Join::Yes, kind == MessageKind::BarrierDone);
}

std::list<Messenger::Group> Engine::Impl::groupsOfReport(MessageKind kind, Join join) {
  std::list<Messenger::Group> groups;
  for (unsigned n = 0; n < nodes; ++n)
    if (tellsAtOnce(self, static_cast<NodeId>(n), nodes, isExchanged(kind, join)))
      groups.emplace_back(messenger, static_cast<NodeId>(n));
  return groups;
}

void Engine::Impl::beginHalf(MessageKind kind, const Report &own, Join join) {
  ++half_;
  const bool isExchange = isExchanged(kind, join);
  for (unsigned n = 0; n < nodes; ++n)
    if (const auto node = static_cast<NodeId>(n); tellsAtOnce(self, node, nodes, isExchange))
      postReport(kind, node, isExchange ? partOf(own, node) : own);
}

Engine::Impl::Report Engine::Impl::meetAll(MessageKind kind, Report own, Join join) {
  const bool isJoin = join == Join::Yes, isExchange = isExchanged(kind, join);
  const bool hasTold = self != 0 && tellsAtOnce(self, parentOf(self), nodes, isExchange);
  // What parent and children have to forget leaves with the report and the word that they wait for.
  for (unsigned n = 0; n < nodes; ++n)
    if (const auto node = static_cast<NodeId>(n);
        node != self &&
        (isExchange || hasTold || (node != parentOf(self) && parentOf(node) != self)))
      messenger.flush(node);
  Report all = awaitReports(reports_[half_ & 1], reportersOf(self, nodes, isExchange));
  all.agreement.join(own.agreement);
  all.moves.insert(all.moves.end(), own.moves.begin(), own.moves.end());
  if (!isExchange) {
    if (!hasTold)
      all.sent.insert(all.sent.end(), own.sent.begin(), own.sent.end());
    if (self != 0) {
      if (!hasTold) {
        postReport(kind, parentOf(self), split(all, self));
        messenger.flush(parentOf(self));
      }
      Report word = awaitReports(word_, 1);
      all.agreement = word.agreement;
      all.moves = std::move(word.moves);
      all.sent.insert(all.sent.end(), word.sent.begin(), word.sent.end());
    }
    forEachChild(self, nodes, [&](NodeId child) {
      Report others = split(all, child);
      std::swap(all.sent, others.sent); // what stays in the child's part of the tree goes there
      postReport(MessageKind::BarrierGo, child, others);
    });
    // The word of a join leaves with the order that comes next, for which its receivers wait.
    if (!isJoin || self != 0)
      messenger.flush();
  }
  for (const Sent<std::uint64_t> &sent : all.sent)
    if (sent.to == self)
      peers_[sent.from].expect(sent.puts, sent.invalidates);
  return all;
}

/// What is sent to one node.
Engine::Impl::Report Engine::Impl::partOf(const Report &report, NodeId to) {
  Report part;
  part.agreement = report.agreement;
  part.moves = report.moves;
  std::copy_if(report.sent.begin(), report.sent.end(), std::back_inserter(part.sent),
               [&](const Sent<std::uint64_t> &sent) { return sent.to == to; });
  return part;
}

/// Leaves in `report` what is sent to nodes below `top`, and returns the rest of that.
Engine::Impl::Report Engine::Impl::split(Report &report, NodeId top) {
  Report rest;
  rest.agreement = report.agreement;
  rest.moves = report.moves;
  const auto stays = [&](const Sent<std::uint64_t> &sent) { return isBelow(sent.to, top); };
  std::remove_copy_if(report.sent.begin(), report.sent.end(), std::back_inserter(rest.sent), stays);
  std::erase_if(report.sent, std::not_fn(stays));
  return rest;
}

void Engine::Impl::postReport(MessageKind kind, NodeId to, const Report &report) {
  constexpr std::size_t kRoom = Messenger::kMaxBodyBytes - sizeof(BarrierHead);
  std::span moves(report.moves);
  std::span sent(report.sent);
  do {
    const std::span moved = moves.first(std::min(moves.size(), kRoom / sizeof(MovedPages)));
    const std::size_t rest = kRoom - moved.size_bytes();
    const std::span told = sent.first(std::min(sent.size(), rest / kSentBytes));
    moves = moves.subspan(moved.size());
    sent = sent.subspan(told.size());
    BarrierHead head;
    head.half = half_;
    head.moves = static_cast<std::uint16_t>(moved.size());
    head.askNothing = report.agreement.askNothing;
    head.areSettled = report.agreement.areSettled;
    head.tellNobody = report.agreement.tellNobody;
    head.isLast = moves.empty() && sent.empty();
    WireWriter body(sizeof(head) + moved.size_bytes() + told.size() * kSentBytes);
    body.put(head);
    for (const MovedPages &move : moved)
      body.put(move);
    for (const Sent<std::uint64_t> &pair : told) {
      body.put(pair.from);
      body.put(pair.to);
      body.put(pair.puts);
      body.put(pair.invalidates);
    }
    messenger.post(to, kind, {body.bytes()}, fabric::Urgency::WhenWaiting);
  } while (!moves.empty() || !sent.empty());
}

Engine::Impl::Report Engine::Impl::awaitReports(Reports &reports, unsigned count) {
  messenger.waitUnflushed(
      [&] { return reports.complete.load(std::memory_order_acquire) == count; });
  Lock guard(lock);
  reports.complete.store(0, std::memory_order_relaxed);
  return std::exchange(reports.report, {});
}

void Engine::Impl::onBarrierReport(NodeId, fabric::Bytes body) {
  BarrierHead head;
  std::memcpy(&head, body.data(), std::min(sizeof(head), body.size()));
  receiveReport(reports_[head.half & 1], body);
  messenger.notify();
}

void Engine::Impl::onBarrierGo(NodeId, fabric::Bytes body) {
  receiveReport(word_, body);
  messenger.notify();
}

void Engine::Impl::receiveReport(Reports &reports, fabric::Bytes body) {
  Lock guard(lock);
  WireReader reader(body);
  BarrierHead head;
  OMPDSM_CHECK(reader.get(head));
  reports.report.agreement.join({head.askNothing != 0, head.areSettled != 0, head.tellNobody != 0});
  for (unsigned i = 0; i < head.moves; ++i) {
    MovedPages move;
    OMPDSM_CHECK(reader.get(move) && move.from < nodes && move.heir < nodes && isWellFormed(move));
    reports.report.moves.push_back(move);
  }
  while (!reader.atEnd()) {
    Sent<std::uint64_t> sent;
    OMPDSM_CHECK(reader.get(sent.from) && reader.get(sent.to) && reader.get(sent.puts) &&
                 reader.get(sent.invalidates) && sent.from < nodes && sent.to < nodes);
    reports.report.sent.push_back(sent);
  }
  if (head.isLast)
    reports.complete.fetch_add(1, std::memory_order_release); // pairs with awaitReports
}

} // namespace ompdsm
