#include "protocol/engine/Messenger.h"
#include "fabric/Check.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/MessengerQueue.h"
#include "protocol/engine/ShortSlice.h"
#include <bit>
#include <csignal>
#include <cstring>
#include <ctime>

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

namespace {
/// Application threads wait above this many queued packets to one node and channel.
constexpr unsigned kRoomPackets = 16;
/// Requests are left with their senders while more packets of replies than this are stuck.
constexpr unsigned kStuckReplies = 64;
/// More than any correct run queues: what one request causes, times the nodes, times threads.
constexpr unsigned kMaxQueuedPackets = 1u << 16;
constexpr unsigned kPollBatch = 16;
/// Who polls sends at most so many bytes of a queue, or one packet, and then looks for what has
/// come: control waits for a packet, not for a window of them.
constexpr std::size_t kBytesBetweenPolls = 32 * 1024;
constexpr std::chrono::milliseconds kLongestSleep(100);
/// Messages up to this size are copied, so that those that follow can go with them: a copy takes
/// less than a microsecond, a packet some. Larger ones leave from where they are.
constexpr std::size_t kCopiedBytes = 16 * 1024;

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
    : transport_(transport), options_(options), streams_(transport.nodeCount()),
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

void Messenger::post(NodeId to, MessageKind kind, std::span<const Bytes> parts,
                     fabric::Urgency urgency) {
  ProtocolScope scope;
  OMPDSM_CHECK(to < nodeCount() && to != self());
  MessageHeader header;
  header.kind = static_cast<std::uint8_t>(kind);
  std::size_t bodyBytes = 0;
  for (Bytes part : parts)
    bodyBytes += part.size();
  OMPDSM_CHECK(bodyBytes <= kMaxBodyBytes);
  header.bodyBytes = static_cast<std::uint32_t>(bodyBytes);
  const std::size_t bytes = sizeof(header) + bodyBytes;

  KindCounters &counters = counters_[unsigned(kind)];
  counters.messages.fetch_add(1, std::memory_order_relaxed);
  counters.bytes.fetch_add(bytes, std::memory_order_relaxed);

  Queue &q = queue(to, kindChannel(kind));
  std::lock_guard lock(q.mutex);
  if (kind != MessageKind::Multicast) { // which keeps no order itself
    if (q.channel == Channel::Reply)
      header.relayed = q.posted.onStraight();
    logSend(to, kind);
  }
  // Who is about to wait insists if that takes long.
  if (urgency == fabric::Urgency::Now && options_.asksComputingThreads && attends())
    urgency = fabric::Urgency::WhenSeen;
  q.urgency = std::max(q.urgency, urgency);
  if (Dispatcher::isActive(*this))
    q.isDue = true;
  // The first place is for what is queued.
  q.parts.assign({Bytes(), std::as_bytes(std::span(&header, 1))});
  q.parts.insert(q.parts.end(), parts.begin(), parts.end());
  if (bytes <= kCopiedBytes || !sendLarge(q, q.parts, bytes))
    append(q, std::span(q.parts).subspan(1), bytes);
  account(q);
}

/// Whether a message of so many bytes may travel in a packet that has some already.
bool Messenger::mayJoin(std::size_t packetBytes, std::size_t bytes) const {
  return options_.joinMessages && packetBytes + bytes <= fabric::kMaxMessageBytes;
}

bool Messenger::send(Queue &q, std::span<const Bytes> packet, std::size_t bytes) {
  q.refused = transport_.trySend(q.to, q.channel, packet, q.urgency) != fabric::SendResult::Sent;
  if (q.refused)
    return false;
  packets_.packets.fetch_add(1, std::memory_order_relaxed);
  packets_.bytes.fetch_add(bytes, std::memory_order_relaxed);
  sizes_.add(bytes);
  return true;
}

void Messenger::popFirst(Queue &q) {
  q.packets.pop_front();
  q.left.fetch_add(1, std::memory_order_release); // pairs with drain()
}

bool Messenger::sendFirst(Queue &q) {
  const Bytes packet = q.packets.front();
  if (!send(q, {&packet, 1}, packet.size()))
    return false;
  q.spare = std::move(q.packets.front());
  q.spare.clear();
  popFirst(q);
  return true;
}

/// A message without a copy, behind what is queued; false if it has to be queued, too. The first of
/// its parts is empty.
bool Messenger::sendLarge(Queue &q, std::span<Bytes> message, std::size_t bytes) {
  while (!q.packets.empty()) {
    const std::vector<std::byte> &last = q.packets.back();
    if (q.packets.size() == 1 && mayJoin(last.size(), bytes)) {
      message[0] = last;
      if (!send(q, message, last.size() + bytes))
        return false;
      popFirst(q);
      return true;
    }
    if (!sendFirst(q))
      return false;
  }
  return send(q, message.subspan(1), bytes);
}

void Messenger::append(Queue &q, std::span<const Bytes> message, std::size_t bytes) {
  if (q.packets.empty() || !mayJoin(q.packets.back().size(), bytes)) {
    while (!q.packets.empty() && sendFirst(q)) {
    }
    q.packets.push_back(std::exchange(q.spare, {}));
  }
  std::vector<std::byte> &packet = q.packets.back();
  for (Bytes part : message)
    packet.insert(packet.end(), part.begin(), part.end());
  OMPDSM_CHECK(q.packets.size() <= kMaxQueuedPackets);
}

/// Brings what the messenger knows of the queue up to date.
void Messenger::account(Queue &q) {
  const auto size = static_cast<unsigned>(q.packets.size());
  const bool isFilled = size != 0, isBlocked = isFilled && q.refused;
  if (!isFilled) {
    q.urgency = {};
    q.isDue = false;
  }
  q.size.store(size, std::memory_order_relaxed);
  if (std::exchange(q.isFilled, isFilled) != isFilled) {
    filled_[q.number / 64].fetch_xor(std::uint64_t(1) << q.number % 64, std::memory_order_relaxed);
    filledQueues_.fetch_add(isFilled ? 1u : ~0u, std::memory_order_relaxed);
  }
  if (q.isBlocked.exchange(isBlocked, std::memory_order_relaxed) != isBlocked) {
    blockedQueues_.fetch_add(isBlocked ? 1u : ~0u, std::memory_order_relaxed);
    if (!isBlocked)
      notify(); // whoever is in waitUntilTaken, whichever thread has sent
  }
  const unsigned stuck = isBlocked && q.channel == Channel::Reply ? size : 0;
  blockedReplies_.fetch_add(stuck - std::exchange(q.stuckReplies, stuck),
                            std::memory_order_relaxed);
}

/// Sends packets until so many bytes have left. Whether anything was sent.
bool Messenger::pump(Queue &q, std::size_t mostBytes, bool due) {
  std::size_t sentBytes = 0;
  {
    std::lock_guard lock(q.mutex);
    if (due && !q.isDue && !q.refused)
      return false;
    while (!q.packets.empty() && sentBytes < mostBytes) {
      const std::size_t bytes = q.packets.front().size();
      if (!sendFirst(q))
        break;
      sentBytes += bytes;
    }
    q.refused = !q.packets.empty();
    account(q);
  }
  if (sentBytes != 0)
    notify(); // whoever is in waitForRoom or drain
  return sentBytes != 0;
}

bool Messenger::pumpAll(std::size_t mostBytes, bool due) {
  bool sent = false;
  for (std::size_t word = 0; word < filled_.size(); ++word)
    for (std::uint64_t bits = filled_[word].load(std::memory_order_relaxed); bits; bits &= bits - 1)
      sent |= pump(*queues_[word * 64 + unsigned(std::countr_zero(bits))], mostBytes, due);
  return sent;
}

void Messenger::flush() {
  ProtocolScope scope;
  if (filledQueues_.load(std::memory_order_relaxed) == 0)
    return;
  pumpAll(kAll);
  leaveToService();
}

void Messenger::flush(NodeId to) {
  ProtocolScope scope;
  for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel)
    if (Queue &q = queue(to, static_cast<Channel>(channel));
        q.size.load(std::memory_order_relaxed) != 0)
      pump(q, kAll);
  leaveToService();
}

void Messenger::wakeIfBlocked() {
  // What is still queued goes out when the service thread makes progress; it must not sleep on it
  // unaware.
  if (blockedQueues_.load(std::memory_order_relaxed) != 0)
    transport_.wake();
}

void Messenger::waitForRoom(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  if (q.size.load(std::memory_order_relaxed) < kRoomPackets)
    return;
  waitUntil([&] { return q.size.load(std::memory_order_relaxed) < kRoomPackets; });
}

void Messenger::waitUntilTaken(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  if (q.isBlocked.load(std::memory_order_relaxed))
    waitUntil([&] { return !q.isBlocked.load(std::memory_order_relaxed); });
}

void Messenger::drain(NodeId to) {
  std::array<std::uint64_t, fabric::kChannelCount> last;
  for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel) {
    Queue &q = queue(to, static_cast<Channel>(channel));
    std::lock_guard lock(q.mutex);
    last[channel] = q.left.load(std::memory_order_relaxed) + q.packets.size();
  }
  waitUntil([&] {
    for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel)
      if (queue(to, static_cast<Channel>(channel)).left.load(std::memory_order_acquire) <
          last[channel])
        return false;
    return true;
  });
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
    std::uint64_t before = nowNanoseconds();
    transport_.sleep(kLongestSleep);
    const std::uint64_t slept = nowNanoseconds() - before;
    idleNanoseconds_.fetch_add(slept, std::memory_order_relaxed);
    if (std::chrono::nanoseconds(slept) >= kLongestSleep - std::chrono::milliseconds(1))
      flush(); // what waits for company has waited long enough
  }
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
