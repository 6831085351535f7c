// Arrivals.cpp: how the arrivals of all nodes at a barrier come together (core/BarrierTree.h).
#include "protocol/engine/EngineImpl.h"

namespace ompdsm {

Agreement Engine::Impl::meetAll(Report own, Join join) {
  const std::uint32_t epoch = enteredEpoch_.load(std::memory_order_relaxed);
  const bool isJoin = join == Join::Yes, isExchange = tellEachOther(nodes, isJoin);
  if (isExchange) {
    postReport(MessageKind::BarrierArrive, self ^ 1, own);
    messenger.flush();
  }
  // What parent and children have to forget leaves with the report and the word that they wait for.
  for (unsigned n = 0; n < nodes; ++n)
    if (const auto node = static_cast<NodeId>(n);
        node != self && node != parentOf(self) && parentOf(node) != self)
      messenger.flush(node);
  Report all = awaitReports(reports_[epoch & 1], reportersOf(self, nodes, isJoin));
  all.agreement.join(own.agreement);
  if (!isExchange) {
    all.sent.insert(all.sent.end(), own.sent.begin(), own.sent.end());
    if (self != 0) {
      postReport(MessageKind::BarrierArrive, parentOf(self), split(all, self));
      messenger.flush(parentOf(self));
      Report word = awaitReports(word_, 1);
      all.agreement = word.agreement;
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
  return all.agreement;
}

/// Leaves in `report` what is sent to nodes below `top`, and returns the rest.
Engine::Impl::Report Engine::Impl::split(Report &report, NodeId top) {
  Report rest;
  rest.agreement = report.agreement;
  const auto stays = [&](const Sent<std::uint64_t> &sent) { return isBelow(sent.to, top); };
  std::remove_copy_if(report.sent.begin(), report.sent.end(), std::back_inserter(rest.sent), stays);
  std::erase_if(report.sent, std::not_fn(stays));
  return rest;
}

void Engine::Impl::postReport(MessageKind kind, NodeId to, const Report &report) {
  constexpr std::size_t kMostSent = (Messenger::kMaxBodyBytes - sizeof(BarrierHead)) / kSentBytes;
  std::size_t at = 0;
  do {
    const std::size_t end = std::min(report.sent.size(), at + kMostSent);
    BarrierHead head;
    head.epoch = enteredEpoch_.load(std::memory_order_relaxed);
    head.askNothing = report.agreement.askNothing;
    head.areSettled = report.agreement.areSettled;
    head.tellNobody = report.agreement.tellNobody;
    head.isLast = end == report.sent.size();
    WireWriter body(sizeof(head) + (end - at) * kSentBytes);
    body.put(head);
    for (; at < end; ++at) {
      body.put(report.sent[at].from);
      body.put(report.sent[at].to);
      body.put(report.sent[at].puts);
      body.put(report.sent[at].invalidates);
    }
    messenger.post(to, kind, {body.bytes()}, fabric::Urgency::WhenWaiting);
  } while (at < report.sent.size());
}

Engine::Impl::Report Engine::Impl::awaitReports(Reports &reports, unsigned count) {
  messenger.waitUnflushed(
      [&] { return reports.complete.load(std::memory_order_acquire) == count; });
  Lock guard(lock);
  reports.complete.store(0, std::memory_order_relaxed);
  return std::exchange(reports.report, {});
}

void Engine::Impl::onBarrierArrive(NodeId, fabric::Bytes body) {
  BarrierHead head;
  std::memcpy(&head, body.data(), std::min(sizeof(head), body.size()));
  receiveReport(reports_[head.epoch & 1], body);
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
