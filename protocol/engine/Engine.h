// Engine.h: the coherence protocol of one node, under threads: memory, state table and messages
// around the pure core (protocol/core).
//
// The four guarantees of ARCHITECTURE section 2 (G1-G4) are this class's. Threads of the node call
// it; the messenger's progress calls its handlers. With one node it does nothing but answer.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/ConcurrentChanges.h"
#include "protocol/engine/Messenger.h"
#include "protocol/engine/PageSupplier.h"
#include "protocol/engine/PendingRelease.h"
#include "protocol/engine/SiteCounts.h"
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace ompdsm {

class EventLog;
class Sums;

/// Overwrite: the thread stores to every byte of the range before it, or anybody else, reads one,
/// and before its next synchronisation point. Old contents are not fetched then.
/// Rewrite: the same, but it may read before; where old contents are at hand no twin is made.
enum class Access : std::uint8_t { Read, Write, Overwrite, Rewrite };
constexpr bool storesToAll(Access access) {
  return access == Access::Overwrite || access == Access::Rewrite;
}

/// What a thread is about to do with [begin, begin + bytes).
struct WantedRange {
  Address begin;
  std::size_t bytes;
  Access access;
};

/// Whether a miss that continues a sequence may fetch what follows, for reading.
enum class FetchAhead : bool { No, Yes };

/// Whether a barrier is one after which all nodes but 0 wait for what node 0 posts to them next on
/// the Reply channel.
enum class Join : bool { No, Yes };

/// One atomic operation on up to 16 bytes inside one line.
struct AtomicOperation {
  enum class Kind : std::uint8_t { Load, Store, Exchange, CompareExchange, ReadModifyWrite };
  Kind kind = Kind::Load;
  std::uint8_t bytes = 0;     ///< 1, 2, 4, 8 or 16.
  std::uint8_t operation = 0; ///< ompdsm_atomic_op of a ReadModifyWrite (bytes <= 8).
  /// It commutes, and does to zeros what may be done to the target later (Sums.h).
  bool combines = false;
  /// A minimum or maximum of integers: what a copy has by it the target has had, or may have, in
  /// some order of such operations (AtomicReads.h).
  bool isExtreme = false;
  /// Value to store, exchange, combine or expect. Of a ReadModifyWrite it has 8 bytes, and its
  /// companion, the operation's own 48 bits, is behind it.
  alignas(16) std::byte operand[16] = {};
  alignas(16) std::byte desired[16] = {}; ///< New value of CompareExchange.

  std::uint64_t companion() const {
    std::uint64_t value;
    std::memcpy(&value, operand + 8, sizeof(value));
    return value;
  }
  void setCompanion(std::uint64_t value) {
    OMPDSM_CHECK(value >> 48 == 0); // what a message has room for
    std::memcpy(operand + 8, &value, sizeof(value));
  }
};
/// Performs `operation` on `target` atomically with respect to every other atomic operation of this
/// process and writes the old value to `old`. Provided by the runtime, so that the protocol does
/// not know arithmetic; called with the engine's lock held or by a thread that holds a write
/// permission.
using AtomicExecutor = void (*)(void *target, const AtomicOperation &operation, std::byte *old);

/// Does the same, atomically each, to those numbers of a line, of `operation.bytes`, of which
/// `sums`, a line too, has others than zero.
using SumExecutor = void (*)(std::byte *line, const AtomicOperation &operation,
                             const std::byte *sums);

/// Counters of one node; relaxed, read at any time.
struct EngineStatistics {
  std::atomic<std::uint64_t> readMisses{0}, writeMisses{0}, blocksFetched{0}, bytesFetched{0},
      releases{0}, barriers{0}, invalidations{0}, twins{0}, pagesMigrated{0}, pagesResized{0},
      blocksMigrated{0}, atomicsRemote{0}, blocksSummed{0};
  /// In misses: of those that wait for another node; the others take a microsecond.
  std::atomic<std::uint64_t> nanosecondsInMisses{0}, nanosecondsInBarriers{0},
      nanosecondsInReleases{0};
  // Only if there is a limit:
  std::atomic<std::uint64_t> pagesEvicted{0}, cachedBytesPeak{0};
  /// Blocks whose changes were sent to a node unasked; copies that were given up unread.
  std::atomic<std::uint64_t> blocksPushed{0}, pushesUnread{0};
  /// Changes of blocks that were withheld, and blocks that were sent whole for them later.
  std::atomic<std::uint64_t> changesWithheld{0}, blocksSupplied{0};
  /// Blocks that were asked for because they were expected to be read; of those that were watched,
  /// what became stale unread.
  std::atomic<std::uint64_t> blocksExpected{0}, expectedUnread{0};
};

struct EngineOptions {
  std::byte *stateTable = nullptr; ///< Virtual base: the byte of address a is stateTable[a >> 6].
  /// Virtual base of the counts of MissCounts.h; null: none are kept.
  std::byte *missCounts = nullptr;
  /// Virtual base of the table of GroupTable.h; null: there is none.
  std::byte *groupTable = nullptr;
  AtomicExecutor atomicExecutor = nullptr;
  SumExecutor sumExecutor = nullptr; ///< Null: no sums are kept.
  EventLog *events = nullptr;        ///< Null: no trace.
  /// Where a shared address lies in this process: address + memoryBias. 0 but in tests that run
  /// several nodes in one process.
  std::ptrdiff_t memoryBias = 0;
  /// For how many epochs in a row a node must alone have changed a unit until it becomes its home
  /// (HomeHistory.h); 0: homes stay.
  unsigned homePatience = 2;
  /// What a node is expected to read again is sent to it when it has changed.
  bool pushUpdates = true;
  /// At barriers it is expected to read what it has fetched once (PushPrediction.h).
  bool pushFirst = true;
  /// But not at a barrier behind which it has not read it (WithheldChanges.h).
  bool pushBySite = true;
  /// What was fetched behind a site is asked for when the node comes there again
  /// (FetchPrediction.h).
  bool predictFetches = true;
  /// What this node overwrites whole, and has not read before others changed it, it does not keep
  /// (OverwriteHistory.h).
  bool dropUnread = true;
  /// A home closes blocks as it pushes their changes, which it has not written in the next interval
  /// before (WriteHistory.h).
  bool closePushed = true;
  /// A home opens blocks without a twin, and sends all of them, that it changes in most of their
  /// lines (WriteDensity.h).
  bool openBare = true;
  /// A home keeps a digest of what it sends while its threads may store to it, not a twin.
  bool keepDigests = true;
  /// A barrier ends with the arrivals where all nodes are settled (core/BarrierRules.h). One node
  /// without this suffices for the second half.
  bool shortBarriers = true;
  /// A home says who is a block's only sharer, and barriers end with the arrivals where all that
  /// was put was to such blocks (core/BarrierRules.h).
  bool soleSharers = true;
  /// What several nodes are to get alike at once goes by way of some of them, with up to
  /// kMostNodesOfMulticasts nodes.
  bool multicast = true;
  static constexpr unsigned kMostNodesOfMulticasts = 1024;
  /// Pages whose blocks several nodes change in so many epochs in a row, of those that are looked
  /// at (with 1 all are), get smaller blocks, if that is worth it (BlockSizing.h); 0: sizes stay.
  unsigned sizePatience = 3;
  /// A copy stays when a thread updates the block by an atomic operation without an answer.
  bool keepUpdated = true;
  /// What threads add to blocks of other homes again and again is sent together (SumHistory.h).
  bool keepSums = true;
  bool countSites = false; ///< Keep SiteCounts and ConcurrentChanges.
  /// Most blocks that a sequential miss fetches ahead; with 0 none is opened for writing ahead.
  unsigned prefetchBlocks = 64;
  /// Pages for copies of other nodes' memory, as far as no thread holds permissions; 0: no limit.
  std::size_t cacheLimitBytes = 0;
};

/// A thread's part in grace periods. Register once; online = it may run instrumented code.
class ThreadRegistration;

class Engine {
public:
  Engine(const AddressMap &map, Messenger &messenger, EngineOptions options);
  ~Engine();

  /// Before the first fetch. Without it, the pages of other nodes come by themselves.
  void setPageSupplier(PageSupplier *pages);

  NodeId self() const;
  unsigned nodeCount() const;

  // --- Misses (slow path of a check). Return with the permission granted to the calling thread
  // until its next synchronisation point. Addresses outside every area return at once.
  void ensure(Address address, std::size_t bytes, Access access,
              FetchAhead ahead = FetchAhead::Yes) {
    const WantedRange range{address, bytes, access};
    ensure({&range, 1}, ahead);
  }
  /// All of them, one message for each home, in flight together as far as the bound on what one
  /// thread has in flight (1 MiB) allows.
  void ensure(std::span<const WantedRange> ranges, FetchAhead ahead = FetchAhead::Yes);

  /// Pages of the range whose home is here move to `heir` at the next barrier, if it holds them by
  /// then and nobody else changes them.
  void proposeHome(Address begin, std::size_t bytes, NodeId heir);

  // --- Threads. An online thread may hold permissions; an offline one holds none (parked in the
  // runtime or outside instrumented code). Going offline and syncPoint drop its permissions.
  ThreadRegistration *registerThread();              ///< Starts online.
  void unregisterThread(ThreadRegistration *thread); ///< The thread ends.
  void goOffline(ThreadRegistration *thread);
  void goOnline(ThreadRegistration *thread);

  // --- Synchronisation. Each is a synchronisation point of the calling thread.
  /// An acquire. Invalidations are eager, so that it causes no traffic, but for a release where the
  /// node has open blocks in untracked areas.
  void syncPoint(ThreadRegistration *thread);
  /// Release: every byte that the node has written is at its home and every stale copy is gone when
  /// it returns (G2, traps 6 and 7).
  void release(ThreadRegistration *thread);
  /// The same without waiting: what the node has written leaves with what the messenger sends there
  /// next, and nobody is asked for an answer. Whoever tells another node that this release has
  /// been, asks then (askFor), and waits until it is confirmed by all but that node; that node
  /// waits until it has processed the rest (PendingRelease::handoverTo).
  PendingRelease beginRelease(ThreadRegistration *thread);
  /// Asks all nodes but `receiver`, for which the rest leaves, to confirm the release. The caller
  /// flushes the messenger, unless it is a handler: any thread may ask.
  void askFor(PendingRelease &begun, std::optional<NodeId> receiver = std::nullopt);
  /// Whether the release is over, but for what `receiver` has to process, if it is given. Any
  /// thread may ask.
  bool isConfirmed(const PendingRelease &release,
                   std::optional<NodeId> receiver = std::nullopt) const;
  /// Whether what `giver` has handed over is here. The messenger notifies when it comes.
  bool hasProcessed(NodeId giver, Handover<std::uint64_t> handover) const;
  /// Called whenever a release may have been confirmed, by the thread that handles messages, which
  /// holds no lock of the engine. Before the first release.
  void setConfirmationHandler(std::function<void()> handler);
  /// A release towards `followers` alone, at least one: the caller then posts a message to each of
  /// them on the Reply channel (Messenger.h), and those of their threads that wait for it acquire
  /// by it. Nobody waits for what these nodes have to be told, as it is ahead of that message, and
  /// leaves with it as one packet.
  void releaseTo(ThreadRegistration *thread, std::span<const NodeId> followers);
  /// While true, all that this node runs waits for such a message, which others may have got
  /// before: acquires of threads that run nevertheless wait for what is on its way. Set before the
  /// barrier that precedes the message, by who will wait for it.
  void setFollowing(bool following);
  /// Barrier over all nodes: one thread of each node calls it, equally often on each node, while
  /// the others are offline. Release and acquire of the whole node, by counts.
  void barrier(ThreadRegistration *thread, Join join = Join::No, SiteId site = kNoSite);
  /// The node comes to a site that is no barrier, as the beginning of a region.
  void comeTo(SiteId site);
  /// Asks for what the node is expected to read behind that site; behind a barrier's it does by
  /// itself. Nobody waits for it.
  void fetchExpected();
  /// This node has arrived at a barrier that it has not left.
  bool isInBarrier() const;

  // --- Atomics on any address, shared or not. Release and acquire are the caller's, by order.
  void atomic(ThreadRegistration *thread, Address address, const AtomicOperation &operation,
              std::byte *old);
  /// The same of a ReadModifyWrite whose old value nobody wants; where another node is the home, it
  /// need not have happened yet. It has when the thread's next release ends, and before whatever
  /// the thread does next there. It leaves within half a millisecond, or where sums are kept
  /// (Sums.h) some twenty.
  void update(ThreadRegistration *thread, Address address, const AtomicOperation &operation);

  /// To which threads may add themselves, instead of update().
  const Sums &sums() const { return sums_; }
  /// What the calling thread has added there, as Sums::Added::Late, is sent.
  void settle(Address address, const AtomicOperation &added);

  /// The node that is home of a shared address now; self() for private addresses.
  NodeId homeOf(Address address) const;

  const EngineStatistics &statistics() const;
  /// Of every site that the node has come to; empty if they are not counted.
  std::vector<SiteCounts> siteCounts() const;
  /// Of blocks of this home: how often several nodes changed one in the same interval, and the
  /// `most` worst of them; nothing if sites are not counted.
  std::uint64_t falselyShared() const;
  std::vector<ChangedTogether> falselySharedBlocks(std::size_t most) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  const Sums &sums_;
};

} // namespace ompdsm
