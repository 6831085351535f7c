// Doorbell.h: how nodes of one host wake each other, since libfabric's shm provider cannot sleep.
//
// Each node owns one page of shared memory (SharedFile.h). The owner says there that it sleeps; a
// peer that has sent something rings, but only then. The protocol on both sides is store, full
// fence, load (Dekker), so one of the two always sees the other.
#pragma once
#include "../Transport.h"
#include "SharedFile.h"
#include <atomic>
#include <cstddef>
#include <sys/types.h>

namespace ompdsm::fabric {

/// The shared page. Futexes and atomics are address-free.
struct DoorbellPage {
  static constexpr unsigned kMaxNodes = 65536;
  /// Counts rings; the futex word. Any thread of any node increments it.
  alignas(64) std::atomic<std::uint32_t> rings;
  /// 1 while a thread of the owner sleeps or is about to; the ringer takes it back to 0.
  std::atomic<std::uint32_t> sleeping;
  /// Threads of the owner that poll in a loop: senders need not ring for them.
  std::atomic<std::uint32_t> pollers;
  /// 1 when something was left to those who poll that has to be seen soon.
  std::atomic<std::uint32_t> pressing;
  /// Threads of the owner that wait without polling: senders ring for everything.
  std::atomic<std::uint32_t> waiters;
  /// 1 when a bit of `waiting` may be set.
  alignas(64) std::atomic<std::uint32_t> anyWaiting;
  /// Bit n: node n was refused by the owner's full queue and wants a ring when the owner has made
  /// progress.
  alignas(64) std::atomic<std::uint64_t> waiting[kMaxNodes / 64];
  /// 1 when a peer has sent something and not rung: a thread of the owner that computes may look.
  /// On a page of its own, which the owner maps a second time where its program reads it.
  struct alignas(4096) AttentionPage {
    std::byte before[kAttentionOffset];
    std::atomic<std::uint32_t> flag;
  };
  AttentionPage attention;
};

/// A mapping of a node's page, the own one or a peer's.
class Doorbell {
public:
  Doorbell() = default;
  Doorbell(const Doorbell &) = delete;
  Doorbell &operator=(const Doorbell &) = delete;

  static Status create(Doorbell &doorbell);
  /// Maps the page that the node with process id `pid` created as its file descriptor `fd`.
  static Status open(pid_t pid, int fd, Doorbell &doorbell);

  int fileDescriptor() const { return file_.descriptor(); }

  // --- For peers of the owner.
  /// After sending: wakes the owner if it sleeps and nobody there polls, and it is urgent or
  /// somebody waits. What is to be seen sets the attention flag instead if nobody waits. True if
  /// that may be seen late, and the sender may come to insist.
  bool ringAfterSend(Urgency urgency);
  /// Wakes the owner if it has not taken the attention flag back yet, or when nobody there polls
  /// any more.
  void ringIfUnseen();
  /// Wakes the owner if it sleeps, and keeps it from its next sleep otherwise. True if it slept.
  bool ring();
  /// Before trying once more to send to an owner whose queue was full: asks for a ring.
  void requestRing(NodeId self);

  // --- For the owner.
  std::uint32_t rings() const { return page_->rings.load(std::memory_order_seq_cst); }
  static constexpr std::size_t kAttentionPage = offsetof(DoorbellPage, attention);
  /// Before a look at what has come.
  void takeAttention() {
    // Partner: those who set them, when what they are about can be seen.
    if (page_->attention.flag.load(std::memory_order_relaxed) != 0)
      page_->attention.flag.exchange(0, std::memory_order_seq_cst);
    if (page_->pressing.load(std::memory_order_relaxed) != 0)
      page_->pressing.exchange(0, std::memory_order_seq_cst);
  }
  /// After a look that may have left something.
  void keepAttention() {
    page_->pressing.store(1, std::memory_order_seq_cst);
    raiseAttention();
  }
  void raiseAttention() { page_->attention.flag.store(1, std::memory_order_seq_cst); }
  /// To be asked by who removes the last poller: whether what nobody has seen has to be, soon.
  bool isPressing() const {
    return page_->pressing.load(std::memory_order_seq_cst) != 0 ||
           page_->waiters.load(std::memory_order_seq_cst) != 0;
  }
  /// What has come is left to those who poll, if anybody does: the last of them wakes the sleeper
  /// for what they have not seen.
  bool leaveToPollers();
  /// Announces a sleep; what the caller looks at after it cannot change without a ring.
  void announceSleep();
  void cancelSleep() { page_->sleeping.store(0, std::memory_order_relaxed); }
  /// For speed only: who must not be missed by a sleeper rings first.
  bool isSleeping() const { return page_->sleeping.load(std::memory_order_seq_cst) != 0; }
  /// Sleeps in the kernel while rings() == `seen`.
  void waitWhile(std::uint32_t seen, std::chrono::microseconds timeout);
  /// True if that is the first one.
  bool addPoller() { return page_->pollers.fetch_add(1, std::memory_order_seq_cst) == 0; }
  /// True if that was the last one.
  bool removePoller() { return page_->pollers.fetch_sub(1, std::memory_order_seq_cst) == 1; }
  void addWaiter() { page_->waiters.fetch_add(1, std::memory_order_seq_cst); }
  void removeWaiter() { page_->waiters.fetch_sub(1, std::memory_order_relaxed); }
  bool hasPollers() const { return page_->pollers.load(std::memory_order_seq_cst) != 0; }
  bool someoneWaits() const { return page_->anyWaiting.load(std::memory_order_relaxed) != 0; }
  /// Calls `visit(node)` for every peer that requested a ring, and forgets the requests.
  template <class Visitor> void takeWaiting(unsigned nodeCount, Visitor visit) {
    page_->anyWaiting.store(0, std::memory_order_seq_cst);
    for (unsigned word = 0; word * 64 < nodeCount; ++word)
      for (std::uint64_t bits = page_->waiting[word].exchange(0, std::memory_order_seq_cst); bits;
           bits &= bits - 1)
        visit(static_cast<NodeId>(word * 64 + unsigned(__builtin_ctzll(bits))));
  }

private:
  static Status map(const SharedFile &file, Doorbell &doorbell);
  SharedFile file_; ///< Only in the owner: peers need it open there.
  Mapping mapping_;
  DoorbellPage *page_ = nullptr; ///< In the mapping.
};

} // namespace ompdsm::fabric
