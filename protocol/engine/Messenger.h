// Messenger.h: typed messages between nodes over a Transport, with progress and waiting.
//
// Guarantees: post() never blocks and keeps the order per (node, channel of the kind); handlers run
// one at a time, on whichever thread makes progress (the service thread, or a thread that waits in
// waitUntil), without any lock of the messenger held. A handler must not wait. Everything that is
// queued is bounded; post() ends the process when the bound of a kind's channel is exceeded, so
// application threads ask waitForRoom() first where they send in bulk.
//
// What is posted to a node and channel until the next flush() leaves as one packet, as far as it
// fits into one message of the transport. Handlers need not flush: after the packets that they
// handle, if several have come, up to four, the queues leave to which they have posted; what other
// threads have posted waits for these. Nor need who waits in waitUntil. What nobody flushes leaves
// with what is posted next, at the latest after a tenth of a second, or sooner (hurry).
#pragma once
#include "protocol/core/Multicast.h"
#include "protocol/engine/CoreContention.h"
#include "protocol/engine/MessageKind.h"
#include "protocol/engine/Packet.h"
#include "protocol/engine/ProtocolScope.h"
#include "protocol/engine/SizeHistogram.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <sched.h>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace ompdsm {

class EventLog;

struct MessengerOptions {
  /// How long a waiting thread polls before it sleeps, in microseconds; 0 where the host has more
  /// runnable threads than cores.
  unsigned spinMicroseconds = 1000;
  /// What is posted together leaves together; else each message is a packet of its own.
  bool joinMessages = true;
  /// Who is about to wait leaves it to computing threads of others to see what it has sent, first.
  bool asksComputingThreads = true;
  bool serviceThread = true;  ///< False in single-threaded unit tests that call makeProgress.
  EventLog *events = nullptr; ///< Null: no trace.
};

struct KindCounters {
  std::atomic<std::uint64_t> messages{0}; ///< Sent.
  std::atomic<std::uint64_t> bytes{0};    ///< Sent, headers included.
};
/// What a message-passing program would call its messages.
struct PacketCounters {
  std::atomic<std::uint64_t> packets{0}; ///< That the transport has taken.
  std::atomic<std::uint64_t> bytes{0};   ///< In them.
};

class Messenger {
  struct Queue;

public:
  using Handler = std::function<void(NodeId from, fabric::Bytes body)>;

  Messenger(fabric::Transport &transport, MessengerOptions options);
  ~Messenger();
  Messenger(const Messenger &) = delete;
  Messenger &operator=(const Messenger &) = delete;

  NodeId self() const { return transport_.self(); }
  unsigned nodeCount() const { return transport_.nodeCount(); }
  bool joinsMessages() const { return options_.joinMessages; }

  /// Before start(). One handler for each kind that this node may receive.
  void setHandler(MessageKind kind, Handler handler);
  void start(); ///< Starts the service thread (signals blocked, 100 us scheduler slice).
  /// Ends the service thread. What is queued is lost: who it is for may have ended already.
  void stop();
  /// Blocks an application thread until all that has been posted to `to`, which goes on, has left.
  void drain(NodeId to);

  /// Whether what a message refers to stays as it is while a Group of its receiver lives.
  enum class Parts : bool { MayChange, Stay };
  /// Queues a message whose body is the concatenation of `parts` (total at most kMaxBodyBytes). A
  /// large one leaves at once, with what is queued before it; if its parts stay, at the end of the
  /// group, with what is posted after it. What is for those who wait (Urgency) does not wake a
  /// service thread that would compete with computing threads for their cores.
  void post(NodeId to, MessageKind kind, std::span<const fabric::Bytes> parts,
            fabric::Urgency urgency = fabric::Urgency::Now, Parts stay = Parts::MayChange);
  void post(NodeId to, MessageKind kind, std::initializer_list<fabric::Bytes> parts,
            fabric::Urgency urgency = fabric::Urgency::Now, Parts stay = Parts::MayChange) {
    post(to, kind, std::span(parts.begin(), parts.size()), urgency, stay);
  }
  /// The same message to several nodes, of a kind that travels on Reply, by a tree: they pass it on
  /// (core/Multicast.h). Each gets it as if it had been posted to it. At most mostBodyBytes(their
  /// number). `passing`: to those who pass it on.
  void postToAll(std::span<const NodeId> receivers, MessageKind kind,
                 std::span<const fabric::Bytes> parts, fabric::Urgency urgency,
                 fabric::Urgency passing);
  void postToAll(std::span<const NodeId> receivers, MessageKind kind,
                 std::initializer_list<fabric::Bytes> parts, fabric::Urgency urgency,
                 fabric::Urgency passing) {
    postToAll(receivers, kind, std::span(parts.begin(), parts.size()), urgency, passing);
  }
  static constexpr std::size_t mostBodyBytes(std::size_t receivers) {
    return kMaxBodyBytes - sizeof(MulticastHead) - receivers * sizeof(MulticastReceiver);
  }
  /// Sends what is queued as far as the transport takes it; the rest follows by itself. Called
  /// after each group of posts, on the thread that has posted.
  void flush();
  /// The same of what goes to one node.
  void flush(NodeId to);
  /// What is queued leaves within half a millisecond, whatever its thread does, and wakes those
  /// whom it is for.
  void hurry();
  /// Whether something is, that has not left by itself.
  bool isInHurry() const { return hurriedAt_.load(std::memory_order_relaxed) != 0; }
  /// Before start(). What the service thread calls when it is time to (remindIn). It may post.
  void setReminder(std::function<void()> reminder) { reminder_ = std::move(reminder); }
  /// That is in so long, or when it was to be already.
  void remindIn(std::chrono::microseconds time);
  /// In a handler: what is queued for `to` leaves with what the handler posts, though its thread
  /// has not flushed yet. For those who tell others of it.
  void sendSoon(NodeId to);
  /// Blocks an application thread (never a handler) until the queue to `to` is short again.
  void waitForRoom(NodeId to, MessageKind kind);
  /// The same until the transport has taken what it refused: large messages that are posted before
  /// are copied into the queue.
  void waitUntilTaken(NodeId to, MessageKind kind);

  /// Whether the transport has refused anything that is queued.
  bool isBlocked() const { return blockedQueues_.load(std::memory_order_relaxed) != 0; }

  /// While `held`, Request messages stay with their senders (back-pressure).
  void holdRequests(bool held);

  /// Polls once if no other thread does; true if something was delivered.
  bool makeProgress();

  /// A computing thread has seen that another node waits: makes progress, unless it is the protocol
  /// already that the thread executes.
  void attend();
  /// How often threads did.
  std::uint64_t attended() const { return attended_.load(std::memory_order_relaxed); }

  /// When who sleeps looks again, though nobody notifies: its condition is true by then.
  using WakeTime = std::optional<std::chrono::steady_clock::time_point>;
  /// Blocks until `condition()` is true. It is evaluated many times, also with the messenger's
  /// innermost mutex held: it must not wait, and must not take a mutex under which anybody calls
  /// notify(). It must become true by a handler (or another thread) that calls notify() afterwards.
  template <class Condition> void waitUntil(Condition condition, WakeTime wakeTime = {}) {
    ProtocolScope scope;
    if (condition())
      return;
    flush();
    waitUnflushed(condition, wakeTime);
  }
  /// The same, but what the thread has posted stays for what it will post when the condition is
  /// true.
  template <class Condition> void waitUnflushed(Condition condition, WakeTime wakeTime = {}) {
    ProtocolScope scope;
    if (condition() || spinUntil(condition))
      return;
    const bool attends = Attendance::current_;
    transport_.insist();
    transport_.beginWaiting();
    if (attends) {
      wakeIfBlocked();
      transport_.endPolling();
    }
    std::unique_lock lock(waitMutex_);
    waiters_.fetch_add(1, std::memory_order_seq_cst);
    while (!condition()) {
      if (wakeTime)
        changed_.wait_until(lock, *wakeTime);
      else
        changed_.wait(lock);
    }
    waiters_.fetch_sub(1, std::memory_order_relaxed);
    lock.unlock();
    transport_.endWaiting();
    if (attends)
      transport_.beginPolling();
  }
  /// The same for at most so long. Returns whether the condition is true.
  template <class Condition> bool waitAtMost(std::chrono::microseconds time, Condition condition) {
    const auto end = std::chrono::steady_clock::now() + time;
    waitUntil([&] { return condition() || std::chrono::steady_clock::now() >= end; }, end);
    return condition();
  }
  /// Wakes the threads in waitUntil so that they evaluate their conditions again.
  void notify();

  /// While it lives, its thread is going to wait soon, or calls makeProgress now and then: what
  /// arrives need not wake the service thread, which would compete with it for locks and cores. May
  /// be nested.
  class Attendance {
  public:
    explicit Attendance(Messenger &messenger) : messenger_(messenger), outer_(current_) {
      if (outer_ || messenger.options_.spinMicroseconds == 0)
        return;
      current_ = this;
      messenger.transport_.beginPolling();
    }
    ~Attendance() {
      if (current_ != this)
        return;
      current_ = outer_;
      if (messenger_.transport_.wantsLook())
        (void)messenger_.tryPoll();
      // What other nodes may not have seen: somebody may wait for what they answer.
      messenger_.transport_.insist();
      messenger_.wakeIfBlocked();
      messenger_.transport_.endPolling();
    }
    Attendance(const Attendance &) = delete;
    Attendance &operator=(const Attendance &) = delete;

  private:
    friend class Messenger;
    Messenger &messenger_;
    Attendance *const outer_;
    // A thread's own state.
    inline static thread_local constinit Attendance *current_ = nullptr;
  };

  /// While it lives, messages to `to` on Reply whose parts stay wait for what is posted after them,
  /// as small ones do that are copied: so what follows a large one goes with it. Its end sends it.
  /// Small messages on Request go with them, too. Back-pressure does not reach these: who posts
  /// them bounds their number.
  class Group {
  public:
    Group(Messenger &messenger, NodeId to);
    ~Group();
    Group(const Group &) = delete;
    Group &operator=(const Group &) = delete;

  private:
    Messenger &messenger_;
    Queue &queue_;
  };

  const KindCounters &counters(MessageKind kind) const { return counters_[unsigned(kind)]; }
  const PacketCounters &packets() const { return packets_; }
  /// Of what the transport has taken.
  const SizeHistogram &sizes() const { return sizes_; }
  /// Time that the service thread slept, in nanoseconds.
  std::uint64_t idleNanoseconds() const { return idleNanoseconds_.load(std::memory_order_relaxed); }

  static constexpr std::size_t kHeaderBytes = sizeof(MessageHeader);
  static constexpr std::size_t kMaxBodyBytes = fabric::kMaxMessageBytes - kHeaderBytes;

private:
  class Dispatcher;
  template <class Condition> bool spinUntil(Condition &condition) {
    if (options_.spinMicroseconds == 0)
      return false;
    const bool attends = Attendance::current_;
    if (!attends)
      transport_.beginPolling(); // messages need not wake the service thread meanwhile
    bool met = false;
    unsigned busyRounds = 0;
    const std::uint64_t begin = nowMicroseconds();
    // Who serves others goes on: to wake the service thread for each of them takes longer.
    std::uint64_t busyAt = begin;
    for (std::uint64_t now = begin; !met && now < busyAt + mostMicroseconds(now);) {
      if (now >= begin + kMicrosecondsUnseen)
        transport_.insist();
      if (now >= busyAt + kMicrosecondsAlone)
        contention_.yield(now, nowMicroseconds);
      bool serves = false;
      for (int round = 0; round < 16 && !met; ++round) {
        const Polled polled = tryPoll();
        met = condition();
        busyRounds = polled == Polled::Busy ? busyRounds + 1 : 0;
        serves |= polled == Polled::Something;
        if (met || polled == Polled::Something)
          continue;
        if (busyRounds > kPatientRounds)
          sched_yield();
        else
          __builtin_ia32_pause();
      }
      now = nowMicroseconds();
      if (serves)
        busyAt = now;
    }
    if (!attends)
      transport_.endPolling();
    leaveToService();
    return met;
  }
  static std::uint64_t nowMicroseconds();
  /// For how long who waits polls.
  unsigned mostMicroseconds(std::uint64_t now) const {
    return contention_.isSeen(now) ? std::min(options_.spinMicroseconds, kMicrosecondsAlone)
                                   : options_.spinMicroseconds;
  }
  /// For so long who waits leaves it to computing threads of others to see what it has sent: some
  /// iterations of an outer loop. To wake a thread there takes as long.
  static constexpr std::uint64_t kMicrosecondsUnseen = 10;
  /// Who waits longer lets others have the core between looks, if there are any.
  static constexpr unsigned kMicrosecondsAlone = 100;
  bool attends() const { return Attendance::current_ && &Attendance::current_->messenger_ == this; }
  void serve();
  bool pollOnce(); ///< Under pollMutex_.
  enum class Polled {
    Nothing,
    Something,
    Busy, ///< Another thread polls.
  };
  /// Polls once if no other thread does. Who goes on afterwards calls leaveToService.
  Polled tryPoll();
  /// Some microseconds. Who polls may need the core of one who waits for it: the service thread,
  /// say, when it has got the lock that it waited for.
  static constexpr unsigned kPatientRounds = 64;
  Queue &queue(NodeId to, fabric::Channel channel);
  void logSend(NodeId to, MessageKind kind);
  bool joinLast(NodeId to, MessageKind kind, std::span<const fabric::Bytes> parts,
                fabric::Urgency urgency);
  /// Of a message that leaves in another way, in its channel's order: how many are before it.
  std::uint32_t takePlace(NodeId to, MessageKind kind);
  // Receiving.cpp, under pollMutex_:
  struct Held {
    MessageKind kind;
    std::vector<std::byte> body;
  };
  void receive(NodeId from, fabric::Channel channel, const MessageHeader &header,
               fabric::Bytes body);
  void takeRelayed(NodeId origin, MessageKind kind, std::uint32_t before, fabric::Bytes body);
  StreamOrder<Held> &stream(NodeId from, fabric::Channel channel);
  void takeHeld(NodeId from, StreamOrder<Held> &order);
  void handle(NodeId from, MessageKind kind, fabric::Bytes body);
  // Multicast.cpp:
  void pass(const MulticastHead &head, std::span<const MulticastReceiver> receivers,
            std::span<const fabric::Bytes> body);
  void receiveMulticast(fabric::Bytes body); ///< Under pollMutex_.
  // Grouping.cpp:
  bool isGrouped(NodeId to);
  void postPiggyback(NodeId to, MessageKind kind, std::span<const fabric::Bytes> parts,
                     fabric::Urgency urgency);
  void receivePiggyback(NodeId from, fabric::Bytes body); ///< Under pollMutex_.
  // Grouping.cpp, Sending.cpp, under the queue's mutex:
  bool mayJoin(std::size_t packetBytes, std::size_t bytes) const;
  void enqueue(Queue &queue, const MessageHeader &header, std::span<const fabric::Bytes> parts,
               std::size_t bytes, Parts stay);
  bool send(Queue &queue, std::span<const fabric::Bytes> packet, std::size_t bytes);
  bool sendFirst(Queue &queue);
  void popFirst(Queue &queue);
  bool leadOrFollow(Queue &queue, const MessageHeader &header, std::size_t bytes, Parts stay);
  void sendLeader(Queue &queue);
  bool sendLarge(Queue &queue, std::span<fabric::Bytes> message, std::size_t bytes);
  void append(Queue &queue, std::span<const fabric::Bytes> message, std::size_t bytes);
  void account(Queue &queue);
  static constexpr std::size_t kAll = ~std::size_t(0);
  /// `due`: only what was refused before, or what handlers have posted.
  bool pump(Queue &queue, std::size_t mostBytes, bool due = false);
  /// Of each queue; whether anything was sent.
  bool pumpAll(std::size_t mostBytes, bool due = false);
  void wakeIfBlocked();
  /// The same, unless the thread attends, and polls again by itself.
  void leaveToService() {
    if (!attends())
      wakeIfBlocked();
  }
  bool repliesStuck() const;

  fabric::Transport &transport_;
  const MessengerOptions options_;
  std::array<Handler, kMessageKindCount> handlers_;
  std::array<KindCounters, kMessageKindCount> counters_;
  PacketCounters packets_;
  SizeHistogram sizes_;
  std::vector<std::unique_ptr<Queue>> queues_; ///< By node and channel.
  std::vector<StreamOrder<Held>> streams_;     ///< By sender and channel. Under pollMutex_.
  /// Which queues are not empty: a bit each. Changed under the queue's mutex.
  std::vector<std::atomic<std::uint64_t>> filled_;
  std::atomic<unsigned> filledQueues_{0};
  std::atomic<unsigned> blockedQueues_{0};  ///< Of which the transport has refused a packet.
  std::atomic<unsigned> blockedReplies_{0}; ///< Packets of such queues.
  std::atomic<bool> requestsHeld_{false};
  CoreContention contention_;
  std::mutex pollMutex_; ///< One poller at a time; held while handlers run. Rank: outermost.
  std::mutex waitMutex_; ///< Guards sleeping in waitUntil only. Rank: innermost.
  std::condition_variable changed_;
  std::atomic<unsigned> waiters_{0};
  std::atomic<std::uint64_t> idleNanoseconds_{0}, attended_{0};
  std::atomic<std::uint64_t> hurriedAt_{0}; ///< In nanoseconds; 0: nothing is in a hurry.
  std::function<void()> reminder_;
  std::atomic<std::uint64_t> remindAt_{0}; ///< In nanoseconds; 0: not.
  std::atomic<bool> stopping_{false};
  std::thread service_;
};

} // namespace ompdsm
