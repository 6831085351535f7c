// Locks.h: mutual exclusion over all threads of all nodes: critical sections, omp locks, guards of
// static objects, and everything else that is keyed by a shared address.
//
// A distributed queue lock. Each lock has a manager node, chosen by its address, that keeps a FIFO
// queue of nodes (the idea of a lock server with one request for each node, as in TreadMarks,
// Keleher et al., USENIX 1994); each node keeps a FIFO queue of its threads. The lock stays at the
// node that had it last, so that taking it again costs no message, until the manager recalls it for
// another. A node hands it on between its threads without a release, when it is recalled at most
// kMaxHandOffs times, and does the release when no thread of its own waits. Every node that is not
// the holder is thus served within nodes * kMaxHandOffs sections.
//
// What a thread is expected to take next is asked for with what it waits for (LockOrder.h), if it
// is there for the taking.
//
// Entry-consistent with the memory protocol: acquire() is an acquire, release() a release, of which
// another node hears by the lock alone: so the thread goes on at once, what it has to send leaves
// with what the node sends next, and nobody is asked to confirm it until the lock is to leave the
// node. Then all are but the node that gets it next; that waits until it has processed what was
// sent to it (PeerCounts.h: Handover), so that between two nodes a lock takes one message behind
// its data, and no answers. (See isReleaseOwed for the hand-on inside a node, and for
// atomic operations that follow.)
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/LockOrder.h"
#include "libompdsm/src/WaitStatistics.h"
#include "protocol/core/Types.h"
#include "protocol/engine/PendingRelease.h"
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ompdsm {

enum class TeamMessage : std::uint8_t;
struct Runtime;
struct ThreadContext;

class LockTable {
public:
  explicit LockTable(Runtime &runtime) : runtime_(runtime) {}
  /// Of waits for locks that were not there.
  const WaitStatistics &statistics() const { return statistics_; }
  void registerHandlers();
  /// Locks that waited for a release to be confirmed may leave (Engine::setConfirmationHandler).
  void onConfirmation();

  /// Blocks until the calling thread owns the lock. Not recursive: a second acquire by the owner
  /// waits for ever, as with libomp.
  void acquire(Address lock);
  bool tryAcquire(Address lock);
  void release(Address lock);
  /// As release(), of a lock that another thread may own: OpenMP forbids that, but with libomp it
  /// works, and programs have locks that the last of several readers unsets. Such a lock is always
  /// let go so. Fatal if no thread owns it.
  void unset(Address lock);
  /// Whether the calling thread owns the lock.
  bool ownedHere(Address lock);

  // Nestable locks: the depth that the caller's ownership has now; 0 from tryAcquireNested when
  // another thread owns it and from releaseNested when it became free.
  int acquireNested(Address lock);
  int tryAcquireNested(Address lock);
  int releaseNested(Address lock);

  static constexpr unsigned kMaxHandOffs = 64;
  /// Locks that are owned or waited for at one time, on one node.
  static constexpr std::size_t kMaxActiveLocks = 1 << 16;
  /// Locks that a node keeps although none of its threads owns them; the oldest go back to their
  /// managers.
  static constexpr std::size_t kMaxKeptLocks = 1 << 14;
  /// Locks that a thread asks for ahead of its need, with the one that it waits for.
  static constexpr unsigned kMostAhead = 8;

private:
  enum class Answer : int { None, Granted, Busy };
  /// What a node asks for. An attempt, and a lock that is asked for ahead of its need, are answered
  /// at once. Unset: that the thread that owns it no longer does.
  enum class Wish : std::uint8_t { Wait, Try, Ahead, Unset };
  struct Request {
    NodeId from = 0;
    Wish wish = Wish::Wait;
  };
  /// What nodes say of a lock.
  struct Body {
    Address lock = 0;
    ReleasePass pass{};     ///< Of a release, and of the grant that comes of it.
    NodeId wanter = 0;      ///< Of a recall, and of a release with a pass: who gets it next.
    Wish wish = Wish::Wait; ///< Of a request and a recall; a release may be Unset.
  };
  /// A thread that wants the lock; on its stack.
  struct Waiter {
    ThreadContext *thread = nullptr;
    ReleasePass pass; ///< Before the answer.
    std::atomic<Answer> answer{Answer::None};
  };
  enum class LockState : std::uint8_t {
    Asked,   ///< The request is under way.
    Owned,   ///< By a thread of this node.
    Kept,    ///< Here, but no thread owns it, and none waits.
    Leaving, ///< On its way back to the manager, when its last release is confirmed.
  };
  /// This node's view of a lock that it holds or has asked for.
  struct LocalLock {
    LockState state = LockState::Asked;
    std::optional<NodeId> wanter; ///< The node that waits for it, and gets it next.
    /// Leaving: who gets it, if nobody can come between, and so waits itself for what it was sent.
    std::optional<NodeId> receiver;
    ReleasePass pass; ///< Kept, as it was asked for ahead: for the first thread that takes it.
    /// Asked for ahead, because it was expected after that lock; until a thread wants it.
    std::optional<Address> askedAfter;
    bool leavesAhead = false;           ///< On its way to a node that does not want it at once;
    std::optional<NodeId> wanterBehind; ///< and this one waits for it.
    bool listed = false;                ///< In kept_.
    ThreadContext *owner = nullptr;
    int depth = 0;
    unsigned handOffs = 0;   ///< Since it was recalled.
    bool wasAwaited = false; ///< Its owner had to wait for another node: that may want it again.
    PendingRelease pending;  ///< The last one.
    std::deque<Waiter *> waiters;

    void own(ThreadContext *thread) {
      state = LockState::Owned;
      askedAfter.reset();
      owner = thread;
      depth = 1;
    }
  };
  /// The manager's view of a lock that some node holds.
  struct ManagedLock {
    NodeId holder = 0;
    bool recalled = false;
    std::deque<Request> queue; ///< One that is answered at once only in front.
  };

  bool wait(Address lock, bool attempt);
  bool isHere(const ReleasePass &pass) const;
  NodeId managerOf(Address lock) const;
  // All of these need mutex_.
  void post(NodeId to, TeamMessage message, const Body &body);
  void ask(Address lock, Wish wish);
  void askAhead(Address lock);
  void tellManager(TeamMessage message, const Body &body);
  bool handOn(LocalLock &entry);
  void leave(Address lock, std::optional<NodeId> receiver);
  void stay(Address lock, LocalLock &entry);
  void sendBackConfirmed(); ///< Those that are leaving and need not wait any more.
  void sendBack(Address lock, LocalLock &entry);
  /// Whether the oldest one that was kept leaves, of which messages were posted.
  bool keep(Address lock, LocalLock &entry);
  void onRecall(Address lock, Request request);
  void onAnswer(Address lock, Answer answer, const ReleasePass &pass = {});
  void manageRequest(Request request, Address lock);
  void manageRelease(NodeId from, const Body &body);
  void manageInUse(Address lock);
  void recall(Address lock, ManagedLock &entry, Request request);
  void reply(NodeId to, Address lock, Answer answer, const ReleasePass &pass = {});
  void answer(Waiter &waiter, Answer answer);
  LocalLock *ownedOnNode(Address lock); ///< Null if no thread of this node owns it.
  LocalLock &ownedBySome(Address lock); ///< Else the job ends.
  LocalLock &owned(Address lock);       ///< By the calling thread.
  void letGo(Address lock);
  void manageUnset(Address lock);
  void onUnset(Address lock);

  Runtime &runtime_;
  WaitStatistics statistics_;
  /// Guards both tables. Held while posting, and while the engine posts what asks for confirmation.
  std::mutex mutex_;
  std::unordered_map<Address, LocalLock> local_;
  std::unordered_map<Address, ManagedLock> managed_;
  std::deque<Address> kept_; ///< Oldest first; some are kept no more.
  std::vector<Address> leaving_;
  LockOrder order_;
  std::atomic<bool> anyLeaving_{false};
};

/// Owns a lock while it lives.
class LockScope {
public:
  LockScope(LockTable &table, Address lock) : table_(table), lock_(lock) { table_.acquire(lock); }
  ~LockScope() { table_.release(lock_); }
  LockScope(const LockScope &) = delete;
  LockScope &operator=(const LockScope &) = delete;

private:
  LockTable &table_;
  const Address lock_;
};

} // namespace ompdsm
