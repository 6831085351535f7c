// State.h: one state of the small world. All counters and masks are plain bytes; two states are
// equal if their bytes are.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/core/Quiescence.h"
#include "protocol/sim/Litmus.h"
#include "protocol/sim/MessageKind.h"
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <type_traits>

namespace ompdsm::sim {

inline constexpr unsigned kMessages = 16, kAnswers = 6;
/// Most messages on one channel; no correct run of these programs comes near.
inline constexpr unsigned kMaxQueue = 10;

struct PlainCounter {
  using Value = std::uint8_t;
  Value value;
  Value get() const { return value; }
  void set(Value to) { value = to; }
  Value add(Value count) { return value = std::uint8_t(value + count); }
};
using Need = ReleaseNeed<PlainCounter::Value>;
using Clock = QuiescenceClock<PlainCounter>;
/// What goes with a flag that is given; before, what the release needs that it is about.
struct Given : Handover<PlainCounter::Value> {
  std::uint8_t giver = 0;
  Need needs[kMaxNodes];
};

/// As SharerSet, for few nodes.
class Sharers {
public:
  bool empty() const { return mask_ == 0; }
  bool contains(NodeId node) const { return mask_ >> node & 1; }
  void insert(NodeId node) { mask_ |= std::uint8_t(1u << node); }
  void erase(NodeId node) { mask_ &= std::uint8_t(~(1u << node)); }
  bool isOnly(NodeId node) const { return mask_ == 1u << node; }
  void clear() { mask_ = 0; }
  template <class Visit> void forEach(Visit visit) const {
    for (unsigned mask = mask_; mask; mask &= mask - 1)
      visit(NodeId(std::countr_zero(mask)));
  }

private:
  std::uint8_t mask_;
};

/// As the engine's BlockRecord.
struct Record {
  std::uint8_t graceStamp;
  bool known; ///< There is a record.
  bool twinned, digested, distrusted, writerWaits;
  Sharers sharers;
  std::uint8_t waiters; ///< Threads.
  bool hasTwin() const { return twinned; }
};
/// A value that a thread has added, if it is not 0. As of a store, the next one is all that counts.
struct Sum {
  std::uint8_t value, thread;
};
struct BlockCopy {
  BlockState state;
  std::uint8_t latestPut;   ///< Its number of all to the home, where contents may come unasked.
  std::uint8_t latestKept;  ///< The same of updates that the copy has, where changes may.
  bool isSole, hasSaidSole; ///< There is one sharer: it has heard, and the home has said.
  std::uint8_t leased;      ///< Bytes: while it may be read, it serves atomic loads of them.
  Sum sums[kBlockBytes];    ///< That threads have added, and that have not left.
  Record record;
  /// Twin: or what there is a digest of.
  std::uint8_t memory[kBlockBytes], twin[kBlockBytes], snapshot[kBlockBytes];
};

/// What a node that arrives, or is done, has ever sent to each; the word of node 0: what each has
/// sent to one.
struct Report {
  bool isThere, askNothing, areSettled, tellNobody;
  std::uint8_t puts[kMaxNodes], invalidates[kMaxNodes];
  std::uint8_t heirs[kBlocks]; ///< Of who is done: of units that move, + 1; the home of what it has
                               ///< recalled.
};
struct Peer : PeerCounts<PlainCounter> {
  Report reports[2]; ///< Of it, by half of a barrier: it may be one ahead.
};
struct Node {
  BlockCopy blocks[kBlocks];
  std::array<Peer, kMaxNodes> peers;
  Clock clock;
  std::uint8_t homes[kBlocks];
  std::uint8_t writers[kBlocks];      ///< The set of core/BarrierRules.h, or kStays; by unit.
  std::uint8_t earlyWriters[kBlocks]; ///< The same of the next epoch.
  std::uint8_t dirty, foreignCopies;  ///< Sets of blocks.
  std::uint8_t leaving;      ///< Blocks that were given up and whose memory is still there.
  std::uint8_t leavingStamp; ///< Since when, at the latest.
  std::uint8_t untrackedDirty, untrackedFetching, requestsInFlight;
  std::uint8_t flusher;            ///< Thread + 1 that flushes the dirty list.
  bool locked, lockQuiet;          ///< Between the halves of a block's flush.
  std::uint8_t entered, completed; ///< Epochs.
  std::uint8_t half;               ///< Of all barriers: the one that the node is in.
  Report own, word;                ///< What this node reports there; what it hears of all.
  std::uint8_t orders;             ///< Flags that were told to this node alone.
  bool following;                  ///< It waits for such a flag.
  bool hasFetched;                 ///< Since it arrived last.
  bool isDone;                     ///< In the barrier that it is in.
  bool mayMove;                    ///< It has promised to ask nothing.
  bool hasMoved;                   ///< Some home did, in the barrier that it has left last.
  static constexpr std::uint8_t kStays = 0xff;
  static constexpr std::uint8_t kKept = 0x80; ///< One of them has updated a copy, too.
};

/// What a thread is doing inside of its current operation.
enum class Phase : std::uint8_t {
  Ready,
  AwaitsData,
  AwaitsReply,
  Adds,       ///< Has seen that sums are kept,
  Settles,    ///< and has added to them.
  WantsFlush, ///< Its turn to flush.
  Flushes,
  FlushesBlock, ///< Between the halves.
  Postponed,    ///< Until fetches have ended.
  AwaitsAcks,
  AwaitsPeers,   ///< In an acquire during a barrier.
  AwaitsFetches, ///< Of untracked blocks, in an acquire.
  DropsCopies,   ///< Foreign ones, in an acquire.
  Drains,        ///< Before a barrier: until nothing of the node is asked.
  Arrives,
  AwaitsReports, ///< Of all, in both halves,
  AwaitsSent,    ///< and what was sent here before.
};
struct Thread {
  std::uint8_t pc;
  Phase phase;
  std::uint8_t awaits;          ///< Blocks.
  bool acquiring;               ///< In the acquire that is, or ends, its operation.
  std::uint8_t work, postponed; ///< Blocks that its flush has still to visit; that come later.
  std::uint8_t seen;            ///< Of X, by atomic operations of its own, or that it has heard of.
  PlainCounter quiescentAt;
  Need needs[kMaxNodes];
};

struct Message {
  std::uint8_t from, to;
  Kind kind;
  std::uint8_t block; ///< kBlocks: of none.
  std::uint8_t mask;  ///< Bytes of a Put or an Update.
  std::uint8_t bytes[kBlockBytes];
  std::uint8_t count, epoch, thread;
  /// Put, Invalidate, Update: wants an answer. Data: zeros, which are not sent. Atomic, AtomicPut:
  /// writes.
  bool flag;
  bool whole;    ///< Put, Update: of all bytes. AtomicPut: its node has stored there since.
  bool away;     ///< Put: of all bytes, and the sender keeps no copy.
  bool kept;     ///< AtomicPut: the sender has done it to its copy.
  bool raises;   ///< AtomicPut: the greater value stays.
  bool isSole;   ///< Update: the receiver is the only sharer.
  Report report; ///< Arrive, Done, Go.
  /// Atomic, AtomicPut: what it makes of the byte.
  std::uint8_t resultOf(std::uint8_t old) const {
    return raises ? std::max(old, bytes[0]) : bytes[0];
  }
  /// Sorts by channel.
  unsigned channel() const { return (from * kMaxNodes + to) * 3u + classOf(kind); }
};

/// As std::vector and std::deque, in place.
template <class T, unsigned kMost> struct Few {
  T items[kMost];
  std::uint8_t count;
  bool empty() const { return count == 0; }
  bool isFull() const { return count == kMost; }
  void push_back(const T &item) { items[count++] = item; }
  template <class... Values> void emplace_back(Values... values) {
    items[count++] = T{static_cast<std::uint8_t>(values)...};
  }
  const T &front() const { return items[0]; }
  void pop_front() {
    std::copy(items + 1, items + count, items);
    items[--count] = T{};
  }
  const T *begin() const { return items; }
  const T *end() const { return items + count; }
};
struct AnswerNeed {
  std::uint8_t node, invalidates;
};
struct Answer {
  std::uint8_t to;
  Kind kind;
  std::uint8_t thread;
  Few<AnswerNeed, kMaxNodes> needs;
};

struct State {
  Node nodes[kMaxNodes];
  Thread threads[kMaxThreads];
  Message messages[kMessages];              ///< Sorted by channel; within one, first in first out.
  Few<Answer, kAnswers> answers[kMaxNodes]; ///< That the homes have still to send.
  std::uint8_t messageCount;
  std::uint8_t flags, locks;
  std::uint8_t told;          ///< What threads had seen of X when they released something.
  Given given[8];             ///< By flag.
  std::uint8_t truth[kBytes]; ///< The last value that any thread stored, or kUndefined.
  std::uint8_t raw[kBytes];   ///< The same of uninstrumented code.
  std::uint8_t gets, puts, invalidates, dones; ///< Sent so far, in programs that limit them.
  static constexpr std::uint8_t kUndefined = 0xff;
};
static_assert(std::has_unique_object_representations_v<State>);

} // namespace ompdsm::sim
