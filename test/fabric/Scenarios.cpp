// Scenarios.cpp: what every transport must do: order, independence of channels, back-pressure,
// sizes. Each function runs once on each node; NodeRunner.h says how.
#include "Checker.h"
#include <thread>

namespace ompdsm::test {

using namespace fabric;

static constexpr Channel kChannels[] = {Channel::Control, Channel::Request, Channel::Reply};

/// A transport that accepts more than this without the receiver's help is not bounded.
static constexpr std::uint64_t kMostAccepted = 64u << 20;

/// One step of a node that has nothing to send just now.
static std::string pollOrSleep(Node &node, Checker &checker, ChannelSet channels = kAllChannels) {
  if (node.transport.poll(channels, checker, 16) != 0)
    return checker.reason();
  if (node.area.hasFailed())
    return "another node failed";
  return sleepsInTime(node) ? "" : "a sleep was not ended by what happened";
}

/// Every node sends arguments[0] messages of random sizes to every other one, channels and
/// receivers in random order, and sleeps when it cannot go on.
static std::string storm(Node &node) {
  std::uint64_t count = std::stoull(node.arguments.at(0));
  Checker checker;
  std::vector<Source> sources;
  for (unsigned to = 0; to < node.nodes; ++to)
    for (Channel channel : kChannels)
      if (to != node.self)
        sources.emplace_back(node, static_cast<NodeId>(to), channel);
  std::uint64_t expected = count * sources.size();
  std::uint64_t draw = mix(node.self);
  std::uint64_t sent = 0;
  while (sent < expected || checker.received() < expected) {
    bool progressed = false;
    for (int i = 0; i < 8 && sent < expected; ++i) {
      draw = mix(draw);
      // The first source at or after a random one that is not done.
      std::size_t index = (draw >> 32) % sources.size();
      while (sources[index].sent() == count)
        index = (index + 1) % sources.size();
      std::uint32_t bytes = randomBytes(mix(index * count + sources[index].sent()));
      if (sources[index].trySend(bytes)) {
        ++sent;
        progressed = true;
      }
    }
    progressed |= node.transport.poll(kAllChannels, checker, 16) != 0;
    if (!checker.reason().empty())
      return checker.reason();
    if (!progressed)
      if (std::string reason = pollOrSleep(node, checker); !reason.empty())
        return reason;
  }
  return finish(node, checker);
}
static const RegisteredScenario stormRegistered("storm", storm);

/// Sends until the transport has refused a good many times in a row; false if it takes too much.
static bool fill(Source &source, Node &node, Checker &checker, ChannelSet polled) {
  for (unsigned refused = 0; refused < 200;) {
    if (source.trySend(randomBytes(mix(source.sent()))))
      refused = 0;
    else
      ++refused;
    node.transport.poll(polled, checker, 16);
    if (source.bytesSent() > kMostAccepted)
      return false;
  }
  return true;
}

/// Node 0 fills arguments[0] (a channel) towards node 1, which does not poll it. The other channels
/// flow, in both directions; then everything arrives.
static std::string independence(Node &node) {
  Channel stopped = Channel(std::stoul(node.arguments.at(0)));
  ChannelSet flowing = kAllChannels & static_cast<ChannelSet>(~channelBit(stopped));
  constexpr std::uint64_t kMessages = 2000;
  Checker checker;
  auto other = static_cast<NodeId>(1 - node.self);
  Source stuck(node, other, stopped);
  if (node.self == 0 && !fill(stuck, node, checker, kAllChannels))
    return "a channel that is not polled accepts messages without end";
  // Node 1 polls meanwhile, but not that channel.
  std::uint32_t ticket = node.area.arrive(node.nodes);
  while (!node.area.hasPassed(ticket)) {
    node.transport.poll(flowing, checker, 16);
    node.transport.sleep(std::chrono::microseconds(500));
    if (node.area.hasFailed())
      return "another node failed";
  }
  std::vector<Source> sources;
  for (Channel channel : kChannels)
    if (channel != stopped)
      sources.emplace_back(node, other, channel);
  std::uint64_t expected = kMessages * sources.size();
  std::uint64_t sent = 0;
  auto flowed = [&] {
    std::uint64_t all = 0;
    for (Channel channel : kChannels)
      if (channel != stopped)
        all += checker.received(other, channel);
    return all;
  };
  while (sent < expected || flowed() < expected) {
    bool progressed = false;
    for (Source &source : sources)
      if (source.sent() < kMessages && source.trySend(randomBytes(mix(source.sent())))) {
        ++sent;
        progressed = true;
      }
    if (!progressed)
      if (std::string reason = pollOrSleep(node, checker, flowing); !reason.empty())
        return reason;
  }
  if (checker.received(other, stopped) != 0 && node.self == 1)
    return "a channel was delivered that is not polled";
  if (node.self == 0)
    node.area.counters[0].store(stuck.sent());
  if (std::string reason = finish(node, checker); !reason.empty())
    return reason;
  while (node.self == 1 && checker.received(other, stopped) < node.area.counters[0].load())
    if (std::string reason = pollOrSleep(node, checker); !reason.empty())
      return reason;
  return finish(node, checker);
}
static const RegisteredScenario independenceRegistered("independence", independence);

/// Nobody polls while everybody fills all channels to everybody; then all senders go on to
/// arguments[0] messages, asleep whenever they are refused.
static std::string backPressure(Node &node) {
  std::uint64_t count = std::stoull(node.arguments.at(0));
  Checker checker;
  std::vector<Source> sources;
  for (unsigned to = 0; to < node.nodes; ++to)
    for (Channel channel : kChannels)
      if (to != node.self)
        sources.emplace_back(node, static_cast<NodeId>(to), channel);
  for (Source &source : sources)
    if (!fill(source, node, checker, 0))
      return "a receiver that does not poll accepts messages without end";
  if (!node.meet())
    return "another node failed";
  // Only so much that it cannot all have been accepted before.
  std::uint64_t target = count;
  for (Source &source : sources)
    target = std::max(target, source.sent());
  node.area.counters[node.self].store(target);
  if (!node.meet())
    return "another node failed";
  std::uint64_t expected = 0;
  for (unsigned from = 0; from < node.nodes; ++from)
    expected += from == node.self ? 0 : kChannelCount * node.area.counters[from].load();
  for (bool done = false; !done;) {
    bool progressed = false;
    done = checker.received() == expected;
    for (Source &source : sources) {
      if (source.sent() < target) {
        done = false;
        progressed |= source.trySend(randomBytes(mix(source.sent())));
      }
    }
    if (!done && !progressed)
      if (std::string reason = pollOrSleep(node, checker); !reason.empty())
        return reason;
  }
  return finish(node, checker);
}
static const RegisteredScenario backPressureRegistered("backPressure", backPressure);

/// Node 0 sends the largest messages on Request until no more are taken, and then one on Control,
/// before node 1 polls: it gets that one before the last of the others. If arguments[0] is "held",
/// node 1 has polled Control alone in between.
static std::string controlPassesBulk(Node &node) {
  constexpr unsigned kTurns = 200; // Until what is under way has arrived.
  const bool isHeld = node.arguments.at(0) == "held";
  Checker checker;
  const auto other = static_cast<NodeId>(1 - node.self);
  std::atomic<std::uint64_t> &bulkSent = node.area.counters[0];
  const auto poll = [&](ChannelSet channels) {
    for (unsigned turn = 0; turn < kTurns; ++turn)
      node.transport.poll(channels, checker, 16);
  };
  if (node.self == 0) {
    Source bulk(node, other, Channel::Request), control(node, other, Channel::Control);
    for (unsigned refused = 0; refused < kTurns; node.transport.poll(kAllChannels, checker, 16))
      refused = bulk.trySend(kMaxMessageBytes) ? 0 : refused + 1;
    if (bulk.sent() < 2)
      return "a transport takes no two of the largest messages";
    if (isHeld && !(node.meet() && node.meet()))
      return "another node failed";
    if (!control.trySend(kLabelBytes))
      return "a message on Control was refused because of those on Request";
    poll(kAllChannels);
    bulkSent.store(bulk.sent());
    return finish(node, checker);
  }
  if (isHeld) {
    bool met = node.meet();
    poll(channelBit(Channel::Control));
    if (!met || !node.meet())
      return "another node failed";
  }
  while (bulkSent.load() == 0 && !node.area.hasFailed())
    std::this_thread::yield();
  while (checker.received(other, Channel::Control) == 0)
    if (std::string reason = pollOrSleep(node, checker); !reason.empty())
      return reason;
  if (checker.bulkAtControl() >= bulkSent.load())
    return "a message on Control came behind all of those on Request";
  while (checker.received(other, Channel::Request) < bulkSent.load())
    if (std::string reason = pollOrSleep(node, checker); !reason.empty())
      return reason;
  return finish(node, checker);
}
static const RegisteredScenario controlPassesBulkRegistered("controlPassesBulk", controlPassesBulk);

/// Node 0 sends every size near a limit and every 97th to node 1.
static std::string sizes(Node &node) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t bytes = kLabelBytes; bytes <= kMaxMessageBytes; ++bytes) {
    bool nearLimit = false;
    for (std::uint32_t limit : {64u, 128u, 192u, 256u, 1024u, 4096u, 8192u, 16384u, 65536u,
                                std::uint32_t(kMaxMessageBytes)})
      nearLimit |= bytes + 24 >= limit && bytes <= limit + 8;
    if (nearLimit || bytes % 97 == 0)
      all.push_back(bytes);
  }
  Checker checker;
  Source source(node, static_cast<NodeId>(1 - node.self), Channel::Reply);
  while (node.self == 0 ? source.sent() < all.size() : checker.received() < all.size()) {
    if (node.self == 0 && source.trySend(all[source.sent()]))
      continue;
    if (std::string reason = pollOrSleep(node, checker); !reason.empty())
      return reason;
  }
  return finish(node, checker);
}
static const RegisteredScenario sizesRegistered("sizes", sizes);

/// Messages too short for a label: 1 to 15 bytes, told apart by their content.
static std::string tinyMessages(Node &node) {
  struct Tiny final : Receiver {
    void onMessage(NodeId, Channel, Bytes message) override {
      std::size_t bytes = count++ % 15 + 1;
      isRight &= message.size() == bytes;
      for (std::byte byte : message)
        isRight &= byte == std::byte(bytes);
    }
    unsigned count = 0;
    bool isRight = true;
  } tiny;
  constexpr unsigned kCount = 600;
  for (unsigned sent = 0; node.self == 0 ? sent < kCount : tiny.count < kCount;) {
    std::vector<std::byte> message(sent % 15 + 1, std::byte(sent % 15 + 1));
    Bytes part = message;
    if (node.self == 0 &&
        node.transport.trySend(1, Channel::Control, std::span(&part, 1)) == SendResult::Sent)
      ++sent;
    else if (node.transport.poll(kAllChannels, tiny, 7) == 0 && !sleepsInTime(node))
      return "a sleep was not ended by what happened";
    if (node.area.hasFailed())
      return "another node failed";
  }
  if (!tiny.isRight)
    return "a message of less than 16 bytes is wrong";
  Checker checker;
  return finish(node, checker);
}
static const RegisteredScenario tinyRegistered("tinyMessages", tinyMessages);

/// Every node but 0 sends to node 0 with four threads on one channel each, and a fifth thread
/// polls.
static std::string manySenders(Node &node) {
  constexpr unsigned kThreads = 4;
  std::uint64_t count = std::stoull(node.arguments.at(0));
  Checker checker;
  if (node.self == 0) {
    std::uint64_t expected = count * kThreads * (node.nodes - 1);
    while (checker.received() < expected)
      if (std::string reason = pollOrSleep(node, checker); !reason.empty())
        return reason;
    return finish(node, checker);
  }
  std::atomic<unsigned> running{kThreads};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      Source source(node, 0, kChannels[thread % kChannelCount], static_cast<std::uint8_t>(thread));
      while (source.sent() < count && !node.area.hasFailed())
        if (!source.trySend(randomBytes(mix(source.sent() + thread))))
          std::this_thread::yield();
      running.fetch_sub(1);
      node.transport.wake();
    });
  std::string reason;
  while (running.load() != 0 && reason.empty())
    reason = pollOrSleep(node, checker);
  if (!reason.empty())
    node.area.fail(reason);
  for (std::thread &thread : threads)
    thread.join();
  return reason.empty() ? finish(node, checker) : reason;
}
static const RegisteredScenario manySendersRegistered("manySenders", manySenders);

} // namespace ompdsm::test
