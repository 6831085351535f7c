// IterationFlags.cpp: raising, asking, answering.
#include "libompdsm/src/IterationFlags.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <atomic>

namespace ompdsm {

void IterationFlags::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::FlagRaised), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    note(bodyFrom<Body>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::FlagAsk), [this](NodeId from, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    ask(from, bodyFrom<Body>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::FlagAnswer), [this](NodeId, fabric::Bytes bytes) {
    answer(runtime_.node, bodyFrom<Body>(bytes).waiter);
  });
}

IterationFlags::Body IterationFlags::bodyOf(const SpreadRegion &region, FlaggedLoop loop,
                                            std::uint64_t iteration) {
  return {.region = region.sequence,
          .loop = loop.number * 2 + std::uint64_t(loop.kind),
          .iteration = iteration};
}

NodeId IterationFlags::managerOf(const SpreadRegion &region, const Body &body) {
  return NodeId((body.loop + body.iteration / kRun) % region.layout.nodesInTeam());
}

bool IterationFlags::Loop::isRaised(std::uint64_t iteration) const {
  auto run = raised.find(iteration / kRun);
  return run != raised.end() && run->second[iteration % kRun];
}

void IterationFlags::note(const Body &body) {
  if (body.region < firstActiveRegion_)
    return; // Nobody waited for it.
  Loop &loop = loops_[body.key()];
  loop.raised[body.iteration / kRun].set(body.iteration % kRun);
  std::erase_if(loop.waiting, [&](const Waiter &waiter) {
    const bool due = waiter.iteration == body.iteration;
    if (due)
      answer(waiter.node, waiter.flag);
    return due;
  });
}

void IterationFlags::ask(NodeId from, const Body &body) {
  OMPDSM_CHECK(body.region >= firstActiveRegion_);
  Loop &loop = loops_[body.key()];
  if (loop.isRaised(body.iteration))
    answer(from, body.waiter);
  else
    loop.waiting.push_back({body.iteration, from, body.waiter});
}

void IterationFlags::answer(NodeId node, std::uint64_t flag) {
  if (node != runtime_.node) {
    Body body{.waiter = flag};
    postTeamMessage(*runtime_.messenger, node, TeamMessage::FlagAnswer, {bytesOf(body)});
    return;
  }
  // Release pairs with the acquire in wait(), after which the flag is gone.
  reinterpret_cast<std::atomic<bool> *>(flag)->store(true, std::memory_order_release);
  runtime_.messenger->notify();
}

void IterationFlags::raise(const SpreadRegion &region, FlaggedLoop loop, std::uint64_t iteration) {
  releaseHere();
  const Body body = bodyOf(region, loop, iteration);
  const NodeId manager = managerOf(region, body);
  if (manager != runtime_.node)
    runtime_.messenger->waitForRoom(manager, messageKind(TeamMessage::FlagRaised));
  std::lock_guard lock(mutex_);
  note(body);
  if (manager != runtime_.node)
    postTeamMessage(*runtime_.messenger, manager, TeamMessage::FlagRaised, {bytesOf(body)});
}

void IterationFlags::wait(const SpreadRegion &region, FlaggedLoop loop, std::uint64_t iteration) {
  Body body = bodyOf(region, loop, iteration);
  const NodeId manager = managerOf(region, body);
  std::atomic<bool> answered{false};
  body.waiter = reinterpret_cast<std::uint64_t>(&answered);
  if (std::lock_guard lock(mutex_); loops_[body.key()].isRaised(iteration))
    answered.store(true, std::memory_order_relaxed);
  else if (manager == runtime_.node)
    ask(runtime_.node, body);
  else
    postTeamMessage(*runtime_.messenger, manager, TeamMessage::FlagAsk, {bytesOf(body)});
  // An acquire may wait for messages, too: without the mutex, which handlers of some of them need.
  if (!answered.load(std::memory_order_acquire))
    runtime_.messenger->waitUntil([&answered] { return answered.load(std::memory_order_acquire); });
  acquireHere();
}

void IterationFlags::endRegion(std::uint64_t region) {
  std::lock_guard lock(mutex_);
  firstActiveRegion_ = region + 1;
  loops_.erase(loops_.begin(), loops_.lower_bound({firstActiveRegion_, 0}));
}

} // namespace ompdsm
