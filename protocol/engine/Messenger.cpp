#include "protocol/engine/Messenger.h"
#include "fabric/Check.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/MessengerQueue.h"
#include "protocol/engine/ShortSlice.h"
#include <csignal>
#include <cstring>
#include <ctime>

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

namespace {
/// Requests are left with their senders while more packets of replies than this are stuck.
constexpr unsigned kStuckReplies = 64;
constexpr unsigned kPollBatch = 16;
/// Who polls sends at most so many bytes of a queue, or one packet, and then looks for what has
/// come: control waits for a packet, not for a window of them.
constexpr std::size_t kBytesBetweenPolls = 32 * 1024;
constexpr std::chrono::milliseconds kLongestSleep(100);
constexpr std::chrono::microseconds kLongestHurry(500);

std::uint64_t nowNanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::uint64_t(t.tv_sec) * 1000000000u + std::uint64_t(t.tv_nsec);
}
} // namespace

class Messenger::Dispatcher final : public fabric::Receiver {
public:
  explicit Dispatcher(Messenger &messenger) : messenger_(messenger) {}
  void onMessage(NodeId from, Channel channel, Bytes packet) override {
    do {
      MessageHeader header;
      Bytes body;
      OMPDSM_CHECK(takeMessage(packet, header, body) && header.kind < kMessageKindCount &&
                   kindChannel(MessageKind(header.kind)) == channel);
      active_ = &messenger_;
      messenger_.receive(from, channel, header, body);
      active_ = nullptr;
    } while (!packet.empty());
    if (++packets_ == kPacketsAnsweredTogether)
      send();
  }
  /// What handlers have posted, with what was queued before it.
  void send() {
    if (std::exchange(packets_, 0) != 0)
      messenger_.pumpAll(kBytesBetweenPolls, /*due=*/true); // the rest after the next poll
  }
  /// Whether the thread runs a handler of the messenger.
  static bool isActive(const Messenger &messenger) { return active_ == &messenger; }

private:
  /// Of those that have come already: what answers them leaves as one packet to each node.
  static constexpr unsigned kPacketsAnsweredTogether = 4;
  Messenger &messenger_;
  unsigned packets_ = 0; ///< Whose handlers may have posted something.
  // A thread's own state.
  inline static thread_local constinit const Messenger *active_ = nullptr;
};

Messenger::Messenger(fabric::Transport &transport, MessengerOptions options)
    : transport_(transport), options_(options),
      streams_(std::size_t(transport.nodeCount()) * fabric::kChannelCount),
      filled_((transport.nodeCount() * fabric::kChannelCount + 63) / 64) {
  for (unsigned to = 0; to < transport.nodeCount(); ++to)
    for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel) {
      queues_.push_back(std::make_unique<Queue>());
      queues_.back()->to = static_cast<NodeId>(to);
      queues_.back()->channel = static_cast<Channel>(channel);
      queues_.back()->number = queues_.size() - 1;
    }
}

Messenger::~Messenger() { stop(); }

void Messenger::setHandler(MessageKind kind, Handler handler) {
  OMPDSM_CHECK(!handlers_[unsigned(kind)]);
  handlers_[unsigned(kind)] = std::move(handler);
}

void Messenger::start() {
  if (!options_.serviceThread)
    return;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  service_ = std::thread([this] { serve(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Messenger::stop() {
  if (!service_.joinable())
    return;
  stopping_.store(true, std::memory_order_release);
  transport_.wake();
  service_.join();
}

Messenger::Queue &Messenger::queue(NodeId to, Channel channel) {
  return *queues_[std::size_t(to) * fabric::kChannelCount + unsigned(channel)];
}

void Messenger::logSend(NodeId to, MessageKind kind) {
  if (options_.events)
    options_.events->writeMessage(RecordKind::Send, to, unsigned(kindChannel(kind)), nameOf(kind));
}

std::uint32_t Messenger::takePlace(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  std::lock_guard lock(q.mutex);
  logSend(to, kind);
  q.joinable.reset();
  return q.posted.onRelayed();
}

void Messenger::post(NodeId to, MessageKind kind, std::span<const Bytes> parts,
                     fabric::Urgency urgency, Parts stay) {
  ProtocolScope scope;
  OMPDSM_CHECK(to < nodeCount() && to != self());
  if (joiningOf(kind).thingBytes != 0 && joinLast(to, kind, parts, urgency))
    return;
  MessageHeader header;
  header.kind = static_cast<std::uint8_t>(kind);
  std::size_t bodyBytes = 0;
  for (Bytes part : parts)
    bodyBytes += part.size();
  OMPDSM_CHECK(bodyBytes <= kMaxBodyBytes);
  header.bodyBytes = static_cast<std::uint32_t>(bodyBytes);
  const std::size_t bytes = sizeof(header) + bodyBytes;

  Queue &q = queue(to, kindChannel(kind));
  const bool isWrapped = kind == MessageKind::Multicast || kind == MessageKind::Piggyback;
  if (kind != MessageKind::Piggyback) {
    KindCounters &counters = counters_[unsigned(kind)];
    counters.messages.fetch_add(1, std::memory_order_relaxed);
    counters.bytes.fetch_add(bytes, std::memory_order_relaxed);
    if (q.channel == Channel::Request && bytes <= kCopiedBytes && isGrouped(to))
      return postPiggyback(to, kind, parts, urgency);
  }

  std::lock_guard lock(q.mutex);
  if (!isWrapped) { // what is wrapped keeps its own order
    header.relayed = q.posted.onStraight();
    logSend(to, kind);
  }
  // Who is about to wait insists if that takes long.
  if (urgency == fabric::Urgency::Now && options_.asksComputingThreads && attends())
    urgency = fabric::Urgency::WhenSeen;
  q.urgency = std::max(q.urgency, urgency);
  if (Dispatcher::isActive(*this))
    q.isDue = true;
  enqueue(q, header, parts, bytes, stay);
}

/// Whether what is to be posted has joined the message before it, which waits to leave
/// (Joining). Its head is the first of its parts.
bool Messenger::joinLast(NodeId to, MessageKind kind, std::span<const Bytes> parts,
                         fabric::Urgency urgency) {
  const Bytes head = parts.front();
  OMPDSM_CHECK(head.size() == joiningOf(kind).headBytes);
  Queue &q = queue(to, kindChannel(kind));
  std::lock_guard lock(q.mutex);
  if (!q.joinable)
    return false;
  std::vector<std::byte> &packet = q.packets.back();
  std::byte *const last = packet.data() + *q.joinable;
  MessageHeader header;
  std::memcpy(&header, last, sizeof(header));
  std::size_t bytes = 0;
  for (Bytes part : parts.subspan(1))
    bytes += part.size();
  if (header.kind != static_cast<std::uint8_t>(kind) ||
      std::memcmp(last + sizeof(header), head.data(), head.size()) != 0 ||
      !mayJoin(packet.size(), bytes))
    return false;
  logSend(to, kind);
  header.bodyBytes += static_cast<std::uint32_t>(bytes);
  std::memcpy(last, &header, sizeof(header));
  for (Bytes part : parts.subspan(1))
    packet.insert(packet.end(), part.begin(), part.end());
  q.urgency = std::max(q.urgency, urgency);
  q.isDue |= Dispatcher::isActive(*this);
  counters_[unsigned(kind)].bytes.fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void Messenger::holdRequests(bool held) {
  if (requestsHeld_.exchange(held, std::memory_order_relaxed) && !held)
    transport_.wake(); // what waited on the channel arrived before the service thread slept
}

bool Messenger::repliesStuck() const {
  return blockedReplies_.load(std::memory_order_relaxed) > kStuckReplies;
}

bool Messenger::makeProgress() {
  const Polled polled = tryPoll();
  leaveToService();
  return polled == Polled::Something;
}

void Messenger::attend() {
  if (ProtocolScope::isActive())
    return;
  ProtocolScope scope;
  attended_.fetch_add(1, std::memory_order_relaxed);
  makeProgress();
}

Messenger::Polled Messenger::tryPoll() {
  std::unique_lock lock(pollMutex_, std::try_to_lock);
  if (!lock.owns_lock())
    return Polled::Busy;
  return pollOnce() ? Polled::Something : Polled::Nothing;
}

bool Messenger::pollOnce() {
  const bool sent = blockedQueues_.load(std::memory_order_relaxed) != 0 &&
                    pumpAll(kBytesBetweenPolls, /*due=*/true);
  fabric::ChannelSet channels = fabric::kAllChannels;
  if (requestsHeld_.load(std::memory_order_relaxed) || repliesStuck())
    channels &= static_cast<fabric::ChannelSet>(~fabric::channelBit(Channel::Request));
  Dispatcher dispatcher(*this);
  const bool received = transport_.poll(channels, dispatcher, kPollBatch) != 0;
  dispatcher.send();
  return received || sent;
}

void Messenger::serve() {
  pthread_setname_np(pthread_self(), "ompdsm-service");
  askForShortSlice();
  for (;;) {
    {
      // Not makeProgress: if another thread polls just now, what woke this one (a message that its
      // handler has queued, say) may come too late for that poll, and nobody would wake this one
      // again.
      std::lock_guard lock(pollMutex_);
      if (pollOnce())
        continue;
    }
    if (stopping_.load(std::memory_order_acquire))
      return;
    const std::uint64_t before = nowNanoseconds();
    std::chrono::microseconds longest = kLongestSleep;
    if (const std::uint64_t since = hurriedAt_.load()) {
      const auto waited = std::chrono::nanoseconds(before - std::min(before, since));
      if (waited >= kLongestHurry) {
        hurriedAt_.exchange(0); // first: what is queued from now on is in a hurry again
        flush();
        transport_.insist();
        continue;
      }
      longest = std::chrono::ceil<std::chrono::microseconds>(kLongestHurry - waited);
    }
    if (const std::uint64_t at = remindAt_.load()) {
      if (before >= at) {
        remindAt_.exchange(0); // first: it may ask to be reminded again
        reminder_();
        continue;
      }
      const std::chrono::nanoseconds left(at - before);
      longest = std::min(longest, std::chrono::ceil<std::chrono::microseconds>(left));
    }
    transport_.sleep(longest);
    const std::uint64_t slept = nowNanoseconds() - before;
    idleNanoseconds_.fetch_add(slept, std::memory_order_relaxed);
    if (std::chrono::nanoseconds(slept) >= kLongestSleep - std::chrono::milliseconds(1))
      flush(); // what waits for company has waited long enough
  }
}

void Messenger::hurry() {
  // What was queued before is seen by who resets it, or this sees that it was reset.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::uint64_t none = 0;
  if (hurriedAt_.load() == 0 && hurriedAt_.compare_exchange_strong(none, nowNanoseconds()))
    transport_.wake();
}

void Messenger::remindIn(std::chrono::microseconds time) {
  std::uint64_t none = 0;
  const std::uint64_t at = nowNanoseconds() + std::uint64_t(std::chrono::nanoseconds(time).count());
  if (remindAt_.load() == 0 && remindAt_.compare_exchange_strong(none, at))
    transport_.wake(); // it may sleep for longer
}

void Messenger::notify() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (waiters_.load(std::memory_order_seq_cst) == 0)
    return;
  // Taking the mutex orders this after a waiter that has seen its condition false goes to sleep.
  {
    std::lock_guard lock(waitMutex_);
  }
  changed_.notify_all();
}

std::uint64_t Messenger::nowMicroseconds() { return nowNanoseconds() / 1000; }

} // namespace ompdsm
