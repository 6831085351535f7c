// Node.h: what a simulated node knows, and the messages between nodes. As the engine's, but with
// maps by block, so that a thousand nodes with many blocks fit.
#pragma once
#include "protocol/core/BarrierRules.h"
#include "protocol/core/Multicast.h"
#include "protocol/core/Quiescence.h"
#include "protocol/core/SharerSet.h"
#include "protocol/sim/MessageKind.h"
#include "protocol/sim/simulator/Program.h"
#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

namespace ompdsm::simulator {

using sim::Kind;
using Bytes = std::vector<std::uint8_t>;

struct PlainCounter {
  using Value = std::uint32_t;
  Value value = 0;
  Value get() const { return value; }
  void set(Value to) { value = to; }
  Value add(Value count) { return value += count; }
};
using Need = ReleaseNeed<PlainCounter::Value>;
using Clock = QuiescenceClock<PlainCounter>;

/// A miss waits until so many blocks have arrived.
struct MissWaiter {
  unsigned remaining = 0;
};

/// As the engine's BlockRecord.
struct Record {
  bool distrusted = false, writerWaits = false;
  std::uint64_t graceStamp = 0;
  SharerSet sharers;
  Bytes twin, served; ///< Served: what there is a digest of.
  std::vector<MissWaiter *> waiters;
  bool hasTwin() const { return !twin.empty(); }
};
/// What a node has of a block; of most it has nothing, and that is then Exclusive or Invalid.
struct Copy {
  BlockState state = BlockState::Invalid;
  Bytes memory;
  std::unique_ptr<Record> record;
  PlainCounter::Value latestPut = 0;        ///< Its number of all to the home; 0: none.
  bool isSole = false, hasSaidSole = false; ///< As the explorer's.
};

// --- Messages.

/// Contents of zeros do not travel.
inline bool isZero(const Bytes &bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

/// Bytes of a block that a node changed: a mask for each line.
struct Change {
  BlockId block;
  bool isDistrusted; ///< Its first line travels, with or without bytes.
  bool isWhole;      ///< All of the block; there are no masks.
  bool isAway;       ///< It was overwritten, and the sender keeps no copy.
  bool isRefreshed;  ///< Whatever has changed; else all of a whole one has.
  std::vector<std::uint64_t> masks;
  Bytes bytes; ///< Of the whole block.
  friend bool operator==(const Change &, const Change &) = default;
  bool has(std::size_t byte) const { return isWhole || (masks[byte / 64] >> byte % 64 & 1); }
  bool isZero() const { return simulator::isZero(bytes); }
  bool travels(std::size_t line) const { return masks[line] || (line == 0 && isDistrusted); }
  std::size_t lines() const {
    std::size_t count = 0;
    for (std::size_t line = 0; line < masks.size(); ++line)
      count += travels(line);
    return count;
  }
  std::size_t count() const {
    std::size_t bits = 0;
    for (std::uint64_t mask : masks)
      bits += std::size_t(std::popcount(mask));
    return bits;
  }
};
struct Contents {
  BlockId block;
  Bytes bytes;
};
struct HomeMove {
  UnitId unit;
  NodeId from, heir;
};
struct AtomicOperation {
  enum Kind : std::uint8_t { Load, Add, Set };
  Kind kind;
  std::uint8_t operand;
  std::uint32_t byte;
  bool mayWrite() const { return kind != Load; }
  std::uint8_t resultOf(std::uint8_t old) const {
    return kind == Load ? old : kind == Add ? std::uint8_t(old + operand) : operand;
  }
};
/// What the runtime above the protocol says of a lock or a flag.
enum class Token : std::uint8_t { LockRequest, LockGrant, LockRecall, LockReturn, Flag };
struct TokenBody {
  NodeId node = 0; ///< Of a recall: who wants the lock. Of a grant or return: who has released.
  Handover<PlainCounter::Value> handover{}; ///< What the next holder has to process of it.
};

/// What some nodes say who have arrived at a barrier, or are done there.
struct Report {
  Agreement agreement;
  std::vector<Sent<PlainCounter::Value>> sent;
  std::vector<HomeMove> moves; ///< Of who is done.
};

struct Message;
struct Body {
  Report report;               ///< Arrive, Done, Go.
  std::vector<BlockId> blocks; ///< Get, Leave, Invalidate.
  std::vector<Change> changes;
  std::vector<Contents> contents;
  AtomicOperation atomic{};
  std::uint8_t old = 0; ///< AtomicReply.
  /// Multicast: to each of its receivers, the first of which is who gets it, and the bytes of one.
  std::vector<Message> group;
  std::size_t groupBytes = 0;
};
struct Message {
  NodeId from = 0, to = 0;
  Kind kind = Kind::Get;
  /// Put, Invalidate, Update: wants an answer. Arrive, Done, Go: the last of a report.
  bool flag = false;
  bool isSole = false; ///< Update: the receiver is the only sharer of all blocks.
  Token token{};
  TokenBody tokenBody{};
  std::uint32_t epoch = 0, count = 0;
  std::uint32_t name = 0; ///< A thread that waits for a reply; a lock or a flag.
  /// Its place (core/Multicast.h), by way of others, or straight.
  std::uint32_t messagesBefore = 0;
  std::uint16_t relayedBefore = 0;
  std::shared_ptr<const Body> body{};
};

/// What steps have collected for one node, until it is posted.
struct Outgoing {
  std::vector<BlockId> gets, leaves, invalidates;
  std::vector<Change> changes, updates;
  std::vector<Contents> contents;
  std::size_t changeBytes = 0, updateBytes = 0, contentBytes = 0;
  bool changesAreTold = false; ///< The home may have to tell others of some.
  bool updatesAreSole = true;  ///< The node is the only sharer of all of those blocks.
  bool isEmpty() const {
    return gets.empty() && leaves.empty() && invalidates.empty() && changes.empty() &&
           updates.empty() && contents.empty();
  }
};

struct Answer {
  NodeId to = 0;
  Kind kind = Kind::PutAck;
  std::uint32_t name = 0;
  std::uint8_t old = 0;
  std::vector<std::pair<NodeId, PlainCounter::Value>> needs{};
};

// --- The node.

struct Peer : PeerCounts<PlainCounter> {
  std::uint16_t underWay = 0;              ///< Messages to it.
  Time lastArrival[sim::kClassCount] = {}; ///< Of a message to it, by class.
  StreamCounts posted;                     ///< To it, of what multicasts have a place among;
  StreamOrder<Message> stream;             ///< the same of it.
};

/// A unit of another node's memory of which there is some here, as in the engine's CachedUnits.
struct CachedUnit {
  bool isQueued = false; ///< To be given up some time; not taken for it since the last fetch.
  bool isAgain = false;  ///< Fetched into since it was queued: gets a second chance.
};

struct SimThread;
/// A thread that waits for a condition of its node.
struct Waiting {
  SimThread *thread;
  bool (*isMet)(void *condition);
  void *condition;
};
/// A lock that is here, or asked for: threads that want it, first the one that is about to get it.
struct LocalLock {
  SimThread *owner = nullptr;
  std::deque<SimThread *> waiters;
  unsigned handOffs = 0;
  std::optional<NodeId> wanter;             ///< Gets it next.
  TokenBody granted;                        ///< With it.
  Handover<PlainCounter::Value> handover{}; ///< Of the latest release, to the wanter.
};
/// At the lock's manager: who has it, and who wants it.
struct ManagedLock {
  std::optional<NodeId> holder;
  std::deque<NodeId> queue;
};

struct Node {
  NodeId self = 0;
  unsigned slowness = 1;
  Time processorFree = 0, interfaceFree = 0;
  /// The engine's lock is held until then, between the halves of a flush.
  Time lockedUntil = 0;
  std::vector<SimThread *> threads;
  std::vector<Waiting> waiting;

  std::unordered_map<BlockId, Copy> copies;
  std::unordered_map<UnitId, NodeId> movedHomes;
  std::map<UnitId, Writers> writers, earlyWriters; ///< Of this epoch, and of the next.
  std::vector<BlockId> dirty, foreignCopies;
  /// Whose copies of what have ended, as far as this node is the home, since it arrived last.
  std::vector<std::pair<BlockId, NodeId>> toldStale;
  unsigned untrackedDirty = 0, untrackedFetching = 0, requestsInFlight = 0;
  Clock clock;
  std::vector<Peer> peers;
  std::map<NodeId, Outgoing> outgoing;
  std::deque<Answer> answers;
  std::deque<Message> held;
  std::vector<Message> asksBehind; ///< GetBehinds of nodes in a barrier that this one has not left.
  /// Invalidations that are collected for this node, or under way to it, by block.
  std::unordered_map<BlockId, unsigned> invalidationsUnderWay;
  /// Overwritten blocks of which this node will be a sharer when its Put has arrived.
  std::unordered_map<BlockId, unsigned> overwritesUnderWay;

  std::vector<BlockId> unread; ///< Updated again before they were read, some of them twice.
  std::unordered_map<UnitId, CachedUnit> cached;
  std::deque<UnitId> oldest;      ///< The cached units that are queued, and some that are not.
  std::vector<UnitId> leaving;    ///< Given up, but their memory is still there,
  std::uint64_t leavingStamp = 0; ///< since then, at the latest.
  std::size_t cachedBytes = 0, leavingBytes = 0;

  bool flushing = false;
  std::uint32_t enteredEpoch = 0, completedEpoch = 0;
  bool hasFetched = false; ///< Since it arrived last.
  bool isDone = false;     ///< In the barrier that it is in.
  bool hasMoved = false;   ///< Some home did, in the barrier that it has left last.
  bool homesMayMove = false;
  struct Reports {
    Report all;
    unsigned complete = 0;
  };
  std::uint32_t half = 0;      ///< Of all barriers: the one that this node is in.
  Reports reports[2], word;    ///< Of children, by half: one may be ahead; of the parent.
  Report heard;                ///< In that half, of all.
  Agreement agreed;            ///< In the barrier that this node is in.
  std::vector<HomeMove> ceded; ///< There, by this node.
  unsigned parked = 0;         ///< Threads of it that wait for the leader in a barrier.

  std::unordered_map<std::uint32_t, LocalLock> locks;
  std::unordered_map<std::uint32_t, ManagedLock> managedLocks;
  std::vector<bool> flags;
};

} // namespace ompdsm::simulator
