#include "protocol/engine/Messenger.h"
#include "fabric/Check.h"
#include "protocol/engine/EventLog.h"
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace ompdsm {

using fabric::Bytes;
using fabric::Channel;

namespace {
struct Header {
  std::uint8_t kind = 0;
  std::uint8_t zero = 0;
  std::uint16_t reserved = 0;
  std::uint32_t bodyBytes = 0;
};
static_assert(sizeof(Header) == Messenger::kHeaderBytes);

/// Application threads wait above this many queued messages to one node and channel.
constexpr unsigned kRoomMessages = 16;
/// Requests are left with their senders while more replies than this are stuck.
constexpr unsigned kStuckReplies = 64;
/// More than any correct run queues: what one request causes, times the nodes, times threads.
constexpr unsigned kMaxQueuedMessages = 1u << 16;
constexpr unsigned kPollBatch = 16;

std::uint64_t nowNanoseconds() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return std::uint64_t(t.tv_sec) * 1000000000u + std::uint64_t(t.tv_nsec);
}

/// A slice of its own lets the service thread preempt computing threads for its short work. Needs no
/// privilege; kernels without it answer with an error that does not matter.
void askForShortSlice() {
  struct {
    std::uint32_t size, policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t runtime, deadline, period;
  } attributes{};
  attributes.size = sizeof(attributes);
  attributes.runtime = 100000;
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
} // namespace

Channel kindChannel(MessageKind kind) {
  switch (kind) {
  case MessageKind::Get:
  case MessageKind::Put:
  case MessageKind::Leave:
  case MessageKind::Atomic:
    return Channel::Request;
  case MessageKind::Data:
  case MessageKind::Invalidate:
  case MessageKind::Update:
  case MessageKind::InvalidateAck:
  case MessageKind::PutAck:
  case MessageKind::AtomicReply:
    return Channel::Reply;
  default:
    return Channel::Control;
  }
}

std::string nameOf(MessageKind kind) {
  constexpr const char *kNames[] = {"Get",
                                    "Put",
                                    "Atomic",
                                    "Data",
                                    "Invalidate",
                                    "InvalidateAck",
                                    "PutAck",
                                    "AtomicReply",
                                    "BarrierArrive",
                                    "BarrierDone",
                                    "Leave",
                                    "Update"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : "Runtime" + std::to_string(index);
}

/// Messages that the transport would not take yet, in order.
struct Messenger::Queue {
  NodeId to = 0;
  Channel channel = Channel::Control;
  std::mutex mutex; ///< Guards the sending order. Rank: below the engine's lock; above nothing.
  std::deque<std::vector<std::byte>> messages;
  std::atomic<unsigned> size{0};
};

class Messenger::Dispatcher final : public fabric::Receiver {
public:
  explicit Dispatcher(Messenger &messenger) : messenger_(messenger) {}
  void onMessage(NodeId from, Channel channel, Bytes message) override {
    Header header;
    OMPDSM_CHECK(message.size() >= sizeof(header));
    std::memcpy(&header, message.data(), sizeof(header));
    OMPDSM_CHECK(header.kind < kMessageKindCount);
    OMPDSM_CHECK(header.bodyBytes == message.size() - sizeof(header));
    const Handler &handler = messenger_.handlers_[header.kind];
    OMPDSM_CHECK(handler);
    if (EventLog *events = messenger_.options_.events)
      events->writeMessage(RecordKind::Receive, from, unsigned(channel),
                           nameOf(MessageKind(header.kind)));
    handler(from, message.subspan(sizeof(header)));
  }

private:
  Messenger &messenger_;
};

Messenger::Messenger(fabric::Transport &transport, MessengerOptions options)
    : transport_(transport), options_(options) {
  for (unsigned to = 0; to < transport.nodeCount(); ++to)
    for (unsigned channel = 0; channel < fabric::kChannelCount; ++channel) {
      queues_.push_back(std::make_unique<Queue>());
      queues_.back()->to = static_cast<NodeId>(to);
      queues_.back()->channel = static_cast<Channel>(channel);
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

void Messenger::post(NodeId to, MessageKind kind, std::initializer_list<Bytes> parts) {
  ProtocolScope scope;
  OMPDSM_CHECK(to < nodeCount() && to != self());
  constexpr std::size_t kMaxParts = 7;
  OMPDSM_CHECK(parts.size() <= kMaxParts);
  Header header;
  header.kind = static_cast<std::uint8_t>(kind);
  std::array<Bytes, kMaxParts + 1> all;
  std::size_t used = 1, bodyBytes = 0;
  for (Bytes part : parts)
    if (!part.empty()) {
      all[used++] = part;
      bodyBytes += part.size();
    }
  OMPDSM_CHECK(bodyBytes <= kMaxBodyBytes);
  header.bodyBytes = static_cast<std::uint32_t>(bodyBytes);
  all[0] = std::as_bytes(std::span(&header, 1));
  std::span<const Bytes> message(all.data(), used);

  KindCounters &counters = counters_[unsigned(kind)];
  counters.messages.fetch_add(1, std::memory_order_relaxed);
  counters.bytes.fetch_add(sizeof(header) + bodyBytes, std::memory_order_relaxed);

  Queue &q = queue(to, kindChannel(kind));
  std::lock_guard lock(q.mutex);
  if (options_.events)
    options_.events->writeMessage(RecordKind::Send, to, unsigned(q.channel), nameOf(kind));
  if (q.messages.empty() &&
      transport_.trySend(to, q.channel, message) == fabric::SendResult::Sent)
    return;
  std::vector<std::byte> &copy = q.messages.emplace_back();
  copy.reserve(sizeof(header) + bodyBytes);
  for (Bytes part : message)
    copy.insert(copy.end(), part.begin(), part.end());
  OMPDSM_CHECK(q.messages.size() <= kMaxQueuedMessages);
  q.size.store(static_cast<unsigned>(q.messages.size()), std::memory_order_relaxed);
  queuedMessages_.fetch_add(1, std::memory_order_relaxed);
  if (q.channel == Channel::Reply)
    queuedReplies_.fetch_add(1, std::memory_order_relaxed);
}

bool Messenger::pump(Queue &q) {
  if (q.size.load(std::memory_order_relaxed) == 0)
    return false;
  unsigned sent = 0;
  {
    std::lock_guard lock(q.mutex);
    while (!q.messages.empty()) {
      Bytes message = q.messages.front();
      if (transport_.trySend(q.to, q.channel, {&message, 1}) != fabric::SendResult::Sent)
        break;
      q.messages.pop_front();
      ++sent;
    }
    q.size.store(static_cast<unsigned>(q.messages.size()), std::memory_order_relaxed);
  }
  queuedMessages_.fetch_sub(sent, std::memory_order_relaxed);
  if (q.channel == Channel::Reply)
    queuedReplies_.fetch_sub(sent, std::memory_order_relaxed);
  return sent != 0;
}

void Messenger::flush() {
  ProtocolScope scope;
  if (queuedMessages_.load(std::memory_order_relaxed) == 0)
    return;
  bool sent = false;
  for (auto &q : queues_)
    sent |= pump(*q);
  if (sent)
    notify();
  // What is still queued goes out when the service thread makes progress; it must not sleep on it
  // unaware.
  if (queuedMessages_.load(std::memory_order_relaxed) != 0)
    transport_.wake();
}

void Messenger::waitForRoom(NodeId to, MessageKind kind) {
  Queue &q = queue(to, kindChannel(kind));
  if (q.size.load(std::memory_order_relaxed) < kRoomMessages)
    return;
  waitUntil([&] { return q.size.load(std::memory_order_relaxed) < kRoomMessages; });
}

void Messenger::holdRequests(bool held) {
  if (requestsHeld_.exchange(held, std::memory_order_relaxed) && !held)
    transport_.wake(); // what waited on the channel arrived before the service thread slept
}

bool Messenger::repliesStuck() const {
  return queuedReplies_.load(std::memory_order_relaxed) > kStuckReplies;
}

bool Messenger::makeProgress() {
  std::unique_lock lock(pollMutex_, std::try_to_lock);
  return lock.owns_lock() && pollOnce();
}

bool Messenger::pollOnce() {
  bool sent = false;
  if (queuedMessages_.load(std::memory_order_relaxed) != 0)
    for (auto &q : queues_)
      sent |= pump(*q);
  if (sent)
    notify();
  fabric::ChannelSet channels = fabric::kAllChannels;
  if (requestsHeld_.load(std::memory_order_relaxed) || repliesStuck())
    channels &= static_cast<fabric::ChannelSet>(~fabric::channelBit(Channel::Request));
  Dispatcher dispatcher(*this);
  return transport_.poll(channels, dispatcher, kPollBatch) != 0 || sent;
}

void Messenger::serve() {
  pthread_setname_np(pthread_self(), "ompdsm-service");
  askForShortSlice();
  for (;;) {
    {
      // Not makeProgress: if another thread polls just now, what woke this one (a message that its
      // handler has queued, say) may come too late for that poll, and nobody would wake this one again.
      std::lock_guard lock(pollMutex_);
      if (pollOnce())
        continue;
    }
    if (stopping_.load(std::memory_order_acquire) &&
        queuedMessages_.load(std::memory_order_relaxed) == 0)
      return;
    std::uint64_t before = nowNanoseconds();
    transport_.sleep(std::chrono::milliseconds(100));
    idleNanoseconds_.fetch_add(nowNanoseconds() - before, std::memory_order_relaxed);
  }
}

void Messenger::notify() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (waiters_.load(std::memory_order_seq_cst) == 0)
    return;
  // Taking the mutex orders this after a waiter that has seen its condition false goes to sleep.
  { std::lock_guard lock(waitMutex_); }
  changed_.notify_all();
}

std::uint64_t Messenger::nowMicroseconds() { return nowNanoseconds() / 1000; }

} // namespace ompdsm
