// SleepScenarios.cpp: nobody oversleeps, whoever polls, sleeps and wakes.
#include "Checker.h"
#include <mutex>
#include <thread>

namespace ompdsm::test {

using namespace fabric;

/// Nodes pass a message around arguments[0] times, each asleep until it comes.
static std::string sleepingRing(Node &node) {
  std::uint64_t rounds = std::stoull(node.arguments.at(0));
  Checker checker;
  Source source(node, static_cast<NodeId>((node.self + 1) % node.nodes), Channel::Request);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (node.self == 0)
      while (!source.trySend(round % 64 == 63 ? 20000 : 64))
        node.transport.poll(kAllChannels, checker, 16);
    while (checker.received() == round) {
      if (node.transport.poll(kAllChannels, checker, 16) != 0)
        break;
      if (node.area.hasFailed())
        return "another node failed";
      if (!sleepsInTime(node))
        return "a message did not end a sleep";
    }
    if (!checker.reason().empty())
      return checker.reason();
    if (node.self != 0)
      while (!source.trySend(round % 64 == 63 ? 20000 : 64))
        node.transport.poll(kAllChannels, checker, 16);
  }
  return finish(node, checker);
}
static const RegisteredScenario sleepingRingRegistered("sleepingRing", sleepingRing);

/// A second thread of each node wakes the first one, which sleeps, arguments[0] times; also when
/// the wake comes before the sleep.
static std::string wakeEndsSleep(Node &node) {
  std::uint64_t rounds = std::stoull(node.arguments.at(0));
  Checker checker;
  std::atomic<std::uint64_t> woken{0}, wanted{0};
  std::atomic<bool> stop{false};
  std::thread waker([&] {
    for (std::uint64_t round = 1; round <= rounds && !stop.load();) {
      if (wanted.load() < round) {
        std::this_thread::yield();
        continue;
      }
      woken.store(round++);
      node.transport.wake();
    }
  });
  std::string reason;
  for (std::uint64_t round = 1; round <= rounds && reason.empty(); ++round) {
    wanted.store(round);
    while (woken.load() < round && reason.empty()) {
      node.transport.poll(kAllChannels, checker, 16);
      if (woken.load() < round && !sleepsInTime(node))
        reason = "wake() did not end a sleep";
    }
  }
  stop.store(true);
  waker.join();
  return reason.empty() ? finish(node, checker) : reason;
}
static const RegisteredScenario wakeRegistered("wakeEndsSleep", wakeEndsSleep);

/// As before, but a third thread polls all the time: it must not take away what wakes the sleeper.
static std::string wakeEndsSleepWhileAnotherPolls(Node &node) {
  std::uint64_t rounds = std::stoull(node.arguments.at(0));
  Checker checker;
  std::atomic<bool> stop{false};
  std::atomic<bool> overslept{false};
  std::atomic<std::uint64_t> slept{0};
  std::thread sleeper([&] {
    while (!stop.load()) {
      if (!sleepsInTime(node))
        overslept.store(true);
      slept.fetch_add(1);
      slept.notify_all();
    }
  });
  std::thread poller([&] {
    for (unsigned polls = 0; !stop.load(); ++polls) {
      node.transport.poll(kAllChannels, checker, 16);
      if (polls % 64 == 63)
        std::this_thread::yield();
    }
  });
  for (std::uint64_t round = 0; round < rounds && !overslept.load(); ++round) {
    std::uint64_t before = slept.load();
    // The sleep that this ends may have begun before, or be the next one.
    node.transport.wake();
    slept.wait(before);
    for (std::uint64_t i = 0; i < mix(round) % 512; ++i)
      std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  stop.store(true);
  node.transport.wake();
  sleeper.join();
  poller.join();
  return overslept.load() ? "wake() did not end a sleep" : finish(node, checker);
}
static const RegisteredScenario wakeWhileAnotherPollsRegistered("wakeEndsSleepWhileAnotherPolls",
                                                                wakeEndsSleepWhileAnotherPolls);

/// Node 1 polls in one thread while another one sleeps: arguments[0] messages, each sent when the
/// one before was answered, leave the sleeper asleep. Then nobody polls, and one more wakes it.
static std::string pollerSparesSleeper(Node &node) {
  const std::uint64_t rounds = std::stoull(node.arguments.at(0));
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Request);
  std::atomic<std::uint64_t> sleepsEnded{0};
  std::atomic<bool> stop{false}, isPolled{true}, overslept{false};
  std::thread sleeper;
  if (node.self == 1) {
    node.transport.beginPolling();
    sleeper = std::thread([&] {
      while (!stop.load()) {
        if (!sleepsInTime(node))
          overslept.store(true);
        sleepsEnded.fetch_add(1);
        if (!isPolled.load() && node.transport.poll(kAllChannels, checker, 16) != 0)
          return;
      }
    });
  }
  for (std::uint64_t round = 0; round < rounds && !node.area.hasFailed(); ++round) {
    if (node.self == 0)
      source.trySend(64);
    while (checker.received() == round && !node.area.hasFailed())
      node.transport.poll(kAllChannels, checker, 16);
    if (node.self == 1)
      source.trySend(64);
  }
  const std::uint64_t ended = sleepsEnded.load();
  if (node.self == 1) {
    isPolled.store(false);
    node.transport.endPolling();
    node.area.counters[0].store(1);
    if (node.area.hasFailed()) {
      stop.store(true);
      node.transport.wake();
    }
    sleeper.join();
    if (overslept.load())
      return "a message did not end a sleep when nobody polled any more";
    if (ended * 4 > rounds)
      return "a sleep was ended " + std::to_string(ended) + " times by " + std::to_string(rounds) +
             " messages that another thread polled";
  } else {
    while (node.area.counters[0].load() == 0 && !node.area.hasFailed())
      node.transport.poll(kAllChannels, checker, 16);
    source.trySend(64);
  }
  return finish(node, checker);
}
static const RegisteredScenario pollerSparesSleeperRegistered("pollerSparesSleeper",
                                                              pollerSparesSleeper);

/// Node 0 sends large messages as fast as they are taken and sleeps whenever it is refused; node 1
/// takes few at a time.
static std::string blockedSenderSleeps(Node &node) {
  std::uint64_t count = std::stoull(node.arguments.at(0));
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Request);
  while (node.self == 0 ? source.sent() < count : checker.received() < count) {
    if (node.self == 0 && source.trySend(source.sent() % 5 == 0 ? 300 : 60000))
      continue;
    if (node.transport.poll(kAllChannels, checker, 2) != 0)
      continue;
    if (node.area.hasFailed())
      return "another node failed";
    if (!sleepsInTime(node))
      return node.self == 0 ? "room for a refused message did not end a sleep"
                            : "a message did not end a sleep";
  }
  return finish(node, checker);
}
static const RegisteredScenario blockedRegistered("blockedSenderSleeps", blockedSenderSleeps);

/// Node 0 sends arguments[0] large messages and polls when it is refused, while another of its
/// threads sleeps: that room was made for a message leaves the sleeper asleep, until the one who
/// polls has gone.
static std::string roomSparesSleeper(Node &node) {
  const std::uint64_t count = std::stoull(node.arguments.at(0));
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Request);
  if (node.self == 1) {
    while (checker.received() < count && !node.area.hasFailed())
      if (node.transport.poll(kAllChannels, checker, 2) != 0) // slower than the sender
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    return finish(node, checker);
  }
  std::atomic<std::uint64_t> sleepsEnded{0};
  std::atomic<bool> stop{false}, overslept{false};
  node.transport.beginPolling();
  std::thread sleeper([&] {
    while (!stop.load()) {
      if (!sleepsInTime(node))
        overslept.store(true);
      sleepsEnded.fetch_add(1);
    }
  });
  std::uint64_t refused = 0;
  while (source.sent() < count && !node.area.hasFailed())
    if (!source.trySend(60000)) {
      ++refused;
      while (!source.trySend(60000) && !node.area.hasFailed())
        node.transport.poll(kAllChannels, checker, 16);
    }
  const std::uint64_t ended = sleepsEnded.load();
  stop.store(true);
  node.transport.endPolling();
  sleeper.join();
  if (overslept.load())
    return "nobody was told of the room when those who polled had gone";
  if (refused < count / 8)
    return "the program is wrong: little was refused";
  if (ended * 4 > refused)
    return "a sleep was ended " + std::to_string(ended) + " times by the room for " +
           std::to_string(refused) + " messages, though another thread polled";
  return finish(node, checker);
}
static const RegisteredScenario roomRegistered("roomSparesSleeper", roomSparesSleeper);

/// Until a node has counted so far, or one has failed.
static void await(const Node &node, const std::atomic<std::uint64_t> &counter,
                  std::uint64_t count) {
  while (counter.load() < count && !node.area.hasFailed())
    std::this_thread::yield();
}

/// Node 0 sends messages that are for those who wait, arguments[0] together, and then an urgent
/// one; in every other round a thread of node 1 waits for the former, or for both. Its sleeper
/// alone polls.
static std::string waitersAreWoken(Node &node) {
  constexpr std::uint64_t kRounds = 200;
  const std::uint64_t together = std::stoull(node.arguments.at(0));
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Reply);
  std::atomic<std::uint64_t> &sent = node.area.counters[0], &seen = node.area.counters[1];
  if (node.self == 0) {
    for (std::uint64_t round = 1; round <= kRounds && !node.area.hasFailed(); ++round) {
      const bool isUrgent = round % 2;
      for (std::uint64_t i = 1; i <= together; ++i)
        if (!source.trySend(64, i == together && isUrgent ? Urgency::Now : Urgency::WhenWaiting))
          return "a small message was refused";
      sent.store(round);
      await(node, seen, round * together);
      pollAll(node, checker);
    }
    return finish(node, checker);
  }
  std::atomic<bool> overslept{false};
  std::thread sleeper([&] {
    while (checker.received() < kRounds * together && !node.area.hasFailed()) {
      if (!sleepsInTime(node))
        overslept.store(true);
      pollAll(node, checker);
      seen.store(checker.received());
    }
  });
  for (std::uint64_t round = 1; round <= kRounds && !node.area.hasFailed(); ++round) {
    const bool isUrgent = round % 2;
    if (round % 4 < 2) // What has come by then must be seen, too.
      await(node, sent, round);
    if (!isUrgent)
      node.transport.beginWaiting();
    await(node, seen, round * together);
    if (!isUrgent)
      node.transport.endWaiting();
  }
  sleeper.join();
  if (overslept.load())
    return "an urgent message, or one for which a thread waited, did not end a sleep";
  return finish(node, checker);
}
static const RegisteredScenario waitersRegistered("waitersAreWoken", waitersAreWoken);

/// Node 0 sends messages that are to be seen, and insists: none of them may be left to a sleep of
/// node 1, of which nobody looks at the flag in every other round.
static std::string insistingWakes(Node &node) {
  constexpr std::uint64_t kRounds = 200;
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Reply);
  std::atomic<std::uint64_t> &sent = node.area.counters[0], &seen = node.area.counters[1];
  if (node.self == 0) {
    for (std::uint64_t round = 1; round <= kRounds && !node.area.hasFailed(); ++round) {
      if (!source.trySend(64, Urgency::WhenSeen))
        return "a small message was refused";
      sent.store(round);
      if (round % 2)
        node.transport.insist();
      await(node, seen, round);
      pollAll(node, checker);
    }
    return finish(node, checker);
  }
  PollInTurns poll(node, checker, seen);
  std::atomic<bool> overslept{false};
  std::thread sleeper([&] {
    while (seen.load() < kRounds && !node.area.hasFailed()) {
      if (!sleepsInTime(node))
        overslept.store(true);
      poll();
    }
  });
  // As a thread that computes.
  for (std::uint64_t round = 2; round <= kRounds && !node.area.hasFailed(); round += 2) {
    await(node, sent, round);
    poll();
  }
  node.transport.wake();
  sleeper.join();
  if (overslept.load())
    return "a message that was insisted on did not end a sleep";
  return finish(node, checker);
}
static const RegisteredScenario insistingRegistered("insistingWakes", insistingWakes);

/// As the messenger uses a transport: a service thread polls and sleeps; an application thread
/// sends requests, polls for the replies while it waits, and stops polling at any moment. A mutex
/// serialises polling.
static std::string serviceAndPoller(Node &node) {
  std::uint64_t rounds = std::stoull(node.arguments.at(0));
  struct Service final : Receiver {
    explicit Service(Node &node) : node(node) {}
    void onMessage(NodeId from, Channel channel, Bytes message) override {
      if (channel == Channel::Reply) {
        replies.fetch_add(1);
        return;
      }
      // Not refused for long: there is at most one request of each node under way.
      for (unsigned tries = 0; tries < 10000; ++tries)
        if (node.transport.trySend(from, Channel::Reply, std::span(&message, 1)) ==
            SendResult::Sent)
          return;
      refused.fetch_add(1);
    }
    Node &node;
    std::atomic<std::uint64_t> replies{0}, refused{0};
  } service(node);
  std::mutex pollMutex;
  std::atomic<bool> stop{false};
  std::atomic<bool> overslept{false};
  std::atomic<std::uint64_t> answered{0};
  std::thread thread([&] {
    while (!stop.load()) {
      unsigned delivered = 0;
      {
        std::lock_guard lock(pollMutex);
        delivered = node.transport.poll(kAllChannels, service, 16);
      }
      answered.store(service.replies.load());
      answered.notify_all();
      if (delivered == 0 && !stop.load() && !sleepsInTime(node))
        overslept.store(true);
    }
  });
  std::string reason;
  std::vector<std::byte> message(200);
  Bytes part = message;
  for (std::uint64_t round = 1; round <= rounds && reason.empty(); ++round) {
    auto to = static_cast<NodeId>((node.self + 1 + round % (node.nodes - 1)) % node.nodes);
    while (node.transport.trySend(to, Channel::Request, std::span(&part, 1)) != SendResult::Sent)
      std::this_thread::yield();
    // Polls a little, or not at all, then leaves it to the service thread.
    node.transport.beginPolling();
    for (std::uint64_t i = 0; i < mix(round) % 64 && service.replies.load() < round; ++i)
      if (std::unique_lock lock(pollMutex, std::try_to_lock); lock.owns_lock())
        node.transport.poll(kAllChannels, service, 16);
    node.transport.endPolling();
    while (service.replies.load() < round && reason.empty()) {
      std::uint64_t seen = answered.load();
      if (service.replies.load() < round && seen < round)
        answered.wait(seen);
      if (overslept.load() || node.area.hasFailed())
        reason = "a message did not end a sleep, or another node failed";
    }
  }
  if (service.refused.load() != 0)
    reason = "a reply was refused although the channel is empty";
  if (!reason.empty())
    node.area.fail(reason);
  node.meet(); // The service thread serves the others until they are done.
  stop.store(true);
  node.transport.wake();
  thread.join();
  return reason;
}
static const RegisteredScenario serviceRegistered("serviceAndPoller", serviceAndPoller);

} // namespace ompdsm::test
