// FlagAnswers.cpp: flags of iterations between nodes: who asks for them, and what is answered.
#include "libompdsm/src/IterationFlags.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include <algorithm>

namespace ompdsm {

void IterationFlags::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::FlagAsk), [this](NodeId from, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onAsk(from, bodyFrom<AskBody>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::FlagAnswer), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onAnswer(bodyFrom<AnswerBody>(bytes));
  });
}

void IterationFlags::setLate(Loop &loop, bool isLate) {
  if (loop.isLate != isLate)
    lateLoops_.fetch_add(isLate ? 1u : -1u, std::memory_order_relaxed);
  loop.isLate = isLate;
}

void IterationFlags::onAsk(NodeId from, const AskBody &body) {
  if (isOver(body.key()))
    return; // Another node has answered.
  unasked_ = {};
  Loop &loop = loops_[body.key()];
  Asker asker{
      .node = from, .thread = body.thread, .iteration = body.iteration, .ahead = body.ahead};
  std::erase_if(loop.askers, [&](const Asker &known) {
    return known.node == from && known.thread == asker.thread;
  });
  if (handOver(body.key(), loop, asker))
    return;
  loop.askers.push_back(asker);
  if (!asker.waits || !loop.flags.isOwn(asker.iteration))
    return;
  setLate(loop, true);
  runtime_.messenger->notify(); // A thread that waits may release.
  if (body.isUrgent)
    releaseThread_.demand();
}

void IterationFlags::answerReleased(const Key &key, Loop &loop) {
  bool isLate = false;
  std::erase_if(loop.askers, [&](Asker &asker) {
    if (asker.node == runtime_.node)
      return false;
    if (handOver(key, loop, asker))
      return true;
    isLate |= asker.waits && loop.flags.isOwn(asker.iteration);
    return false;
  });
  setLate(loop, isLate);
}

/// What is released of that which a thread of another node has asked for. Returns whether that is
/// all.
bool IterationFlags::handOver(const Key &key, Loop &loop, Asker &asker) {
  const std::uint64_t count = loop.flags.countReleased(asker.iteration);
  if (count == 0)
    return false;
  Unconfirmed answer{.to = asker.node,
                     .body = {key.first, key.second, {asker.iteration, count, {}}},
                     .release = latest_};
  runtime_.engine->askFor(answer.release, asker.node);
  unconfirmed_.push_back(std::move(answer));
  anyUnconfirmed_.store(true, std::memory_order_relaxed);
  // With the fence in onConfirmation: either it sees the list, or the confirmation is seen here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  sendConfirmed();
  if (count > asker.ahead)
    return true;
  asker.iteration += count;
  asker.ahead -= count;
  asker.waits = false;
  return false;
}

void IterationFlags::onConfirmation() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!anyUnconfirmed_.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock(mutex_);
  sendConfirmed();
}

void IterationFlags::sendConfirmed() {
  std::erase_if(unconfirmed_, [this](Unconfirmed &answer) {
    if (!runtime_.engine->isConfirmed(answer.release, answer.to))
      return false;
    answer.body.arrival.pass = {runtime_.node, answer.release.handoverTo(answer.to)};
    // Who waits polls or is woken; who has asked ahead looks when it needs it.
    runtime_.messenger->post(answer.to, messageKind(TeamMessage::FlagAnswer),
                             {bytesOf(answer.body)}, fabric::Urgency::WhenWaiting);
    return true;
  });
  anyUnconfirmed_.store(!unconfirmed_.empty(), std::memory_order_relaxed);
}

void IterationFlags::onAnswer(const AnswerBody &body) {
  const Key key{body.region, body.loop};
  if (isOver(key))
    return; // It was asked for ahead, and nobody needed it.
  Loop &loop = loops_[key];
  learn(loop);
  loop.arrivals.push_back(body.arrival);
  std::erase_if(loop.askers, [&](const Asker &asker) {
    if (asker.node != runtime_.node || !body.arrival.has(asker.iteration))
      return false;
    answer(asker, body.arrival);
    return true;
  });
}

} // namespace ompdsm
