// EngineImpl.h: the parts of Engine that its source files share. One lock guards everything that
// the protocol knows; it is never held while a thread waits. Each file holds one activity:
// Engine.cpp (set-up, threads), Step.cpp and StepPort.h (the core's steps on this node's memory),
// Outgoing.cpp (what they send), Misses.cpp (a thread's miss and its data), Expectations.cpp (what
// is asked for before it is missed), Orders.cpp (and before it is written), Evictions.cpp (copies
// that are given up), HomeService.cpp (requests and acknowledgements), Pushes.cpp (changes that are
// sent unasked), Withholding.cpp (and at which barrier), Releases.cpp, Arrivals.cpp (the reports of
// a barrier), Barriers.cpp (and moving homes), AtomicOperations.cpp, SumOperations.cpp.
#pragma once
#include "protocol/core/Serving.h"
#include "protocol/engine/AtomicTraffic.h"
#include "protocol/engine/BarrierReport.h"
#include "protocol/engine/BlockHistories.h"
#include "protocol/engine/BlockMessages.h"
#include "protocol/engine/BlockSizes.h"
#include "protocol/engine/BlockSizing.h"
#include "protocol/engine/BlockTable.h"
#include "protocol/engine/CachedUnits.h"
#include "protocol/engine/Engine.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/FetchPrediction.h"
#include "protocol/engine/GatherHistory.h"
#include "protocol/engine/GracePeriod.h"
#include "protocol/engine/HomeHistory.h"
#include "protocol/engine/HomeMap.h"
#include "protocol/engine/LatestPuts.h"
#include "protocol/engine/Offers.h"
#include "protocol/engine/OutgoingSums.h"
#include "protocol/engine/Peer.h"
#include "protocol/engine/Prefetch.h"
#include "protocol/engine/PushPrediction.h"
#include "protocol/engine/SoleBlocks.h"
#include "protocol/engine/StateTable.h"
#include "protocol/engine/StepContext.h"
#include "protocol/engine/StopWatch.h"
#include "protocol/engine/StridePrediction.h"
#include "protocol/engine/UnreadUpdates.h"
#include "protocol/engine/WaitingRequests.h"
#include "protocol/engine/WantedPiece.h"
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <vector>

namespace ompdsm {

class Engine::Impl {
public:
  Impl(const AddressMap &map, Messenger &messenger, EngineOptions options);
  ~Impl();

  void ensure(std::span<const WantedRange> ranges, FetchAhead ahead);
  void acquire(ThreadRegistration *thread);
  void proposeHome(Address begin, std::size_t bytes, NodeId heir);
  /// Towards `followers` alone, if there are any.
  void release(ThreadRegistration *thread, std::span<const NodeId> followers = {});
  PendingRelease beginRelease(ThreadRegistration *thread);
  void askFor(PendingRelease &begun, std::optional<NodeId> receiver);
  bool isConfirmed(const PendingRelease::Needs &needs, std::optional<NodeId> but = {}) const;
  bool hasProcessed(NodeId giver, Handover<std::uint64_t> handover) const;
  void setFollowing(bool following) { following_.store(following, std::memory_order_release); }
  void barrier(ThreadRegistration *thread, Join join, SiteId site);
  void comeTo(SiteId site);
  /// Asks for what is expected to be read behind the site; isBegin: of a region, not a barrier.
  void fetchExpected(bool isBegin);
  bool isInBarrier() const;
  /// Gives copies up if there are too many. The calling thread holds no permission, or is null.
  void makeRoom(ThreadRegistration *synchronised);
  void atomic(ThreadRegistration *thread, Address address, const AtomicOperation &operation,
              std::byte *old);
  void settle(Address address, const AtomicOperation &added);
  const Sums &sums() const { return atomics_.sums; }

  const AddressMap &map;
  Messenger &messenger;
  const EngineOptions options;
  const NodeId self;
  const unsigned nodes;
  PageSupplier *pages = nullptr;
  std::function<void()> onConfirmation = [] {};
  EngineStatistics statistics;
  std::optional<SiteTable> sites; ///< If they are counted.
  ConcurrentChanges concurrent;   ///< Of the same interval; under the lock.
  std::mutex lock; ///< Guards what follows. Rank: below flushMutex_, above the messenger's.
  GracePeriod grace;
  HomeMap homes;
  BlockSizes sizes;

private:
  using Lock = std::unique_lock<std::mutex>;
  /// Where the node has come to last.
  SiteId site() const { return site_.load(std::memory_order_relaxed); }
  template <class Change> void countAt(SiteId site, Change change) { ///< If sites are counted.
    if (sites) [[unlikely]]
      sites->count(site, change);
  }

  // Engine.cpp
  BlockRef blockAt(Address address) const;
  BlockRef blockAt(const Area &area, Address address) const;
  std::byte *memoryAt(Address at) const {
    return reinterpret_cast<std::byte *>(at + options.memoryBias);
  }
  std::byte *memoryOf(const BlockRef &block) const { return memoryAt(block.begin); }
  BlockState stateOf(const BlockRef &block) const { return states_.stateAt(block.begin); }
  /// Calls visit(block) for each block of the run, which must lie in areas.
  template <class Visit> void forEachBlock(Address begin, std::size_t bytes, Visit &&visit);
  // Step.cpp
  class Port;
  class TracedPort;
  /// Calls visit(port), which may step, with a port that writes to the trace if there is one.
  template <class Visit>
  void visitBlock(const BlockRef &block, RecordKind kind, StepContext &context, Visit &&visit);
  void step(const BlockRef &block, Event event, StepContext &context);
  FlushResult flushBlock(const BlockRef &block, ThreadRegistration *thread);
  bool evictBlock(const BlockRef &block, ThreadRegistration *thread);
  void stepGet(const BlockRef &block, NodeId from);
  Supplied stepSupply(const BlockRef &block, NodeId to, ThreadRegistration *thread);
  void stepLeave(const BlockRef &block, NodeId from);
  bool mayCedeBlock(const BlockRef &block, NodeId heir, ThreadRegistration *thread);
  // Outgoing.cpp
  void appendData(const BlockRef &block, NodeId to, const std::byte *contents, Contents taken);
  /// Posts everything that steps collected. Before each unlock, so that a block's messages leave in
  /// the order of its steps (trap 4); but what comes of a barrier's Puts may be kept for a while.
  void postCollected(Confirmation confirmation, Invalidates which = Invalidates::Now);
  void postKept(); ///< The latter, before anything that has to follow it.
  bool hasMuchCollected() const;
  void postLeaves();
  bool postGets(); ///< Whether there were any.
  void postRequests(MessageKind kind, NodeId home, RunCollector &runs);
  void noteLeaves(NodeId home, fabric::Bytes runs); ///< One message of them, about to be posted.
  void postPut(NodeId home, Confirmation confirmation);
  void postSums(NodeId home); ///< If there are any.
  void postData(NodeId to);
  void postInvalidates(NodeId sharer, Confirmation confirmation);
  void postUpdates(NodeId sharer, Confirmation confirmation,
                   Messenger::Parts stay = Messenger::Parts::MayChange);
  void postCommonUpdate(std::span<const NodeId> receivers);
  template <class Writer>
  std::span<const NodeId> receiversOfSame(const std::vector<Writer> &writers, NodeId to);
  /// In a body that all others get, behind what is said of each.
  std::size_t mostBytesForAll() const {
    return multicasts_ ? Messenger::mostBodyBytes(nodes) - nodes * sizeof(ReceiverPuts)
                       : Messenger::kMaxBodyBytes;
  }
  /// Where what is sent in that way is sent: locks have no site.
  SiteId siteOf(Confirmation confirmation) const {
    return confirmation <= Confirmation::Deferred ? kNoSite : site();
  }
  // Misses.cpp
  class RangeWalk;
  struct Asked;
  bool askTogether(RangeWalk &walk, FetchAhead ahead, Asked &asked,
                   std::optional<Messenger::Attendance> &attendance);
  void awaitGranted(const MissWaiter &waiter);
  /// Steps each block of the piece that misses; `waiter` then waits for what is fetched.
  void ask(const WantedPiece &piece, FetchAhead ahead, MissWaiter &waiter, PieceCost &cost);
  bool isInsideAbsentPage(Address address) const;
  /// [begin, end), which lies in the area, with the rest of absent pages at its ends.
  std::pair<Address, Address> withWholePages(const Area &area, Address begin, Address end) const;
  void makePagesOf(const BlockRef &overwritten);
  /// A thread asks for the piece up to `last`, and fetches blocks, `missed` first (0: none that
  /// lasts): asks for those that it will need. It waits for such as are fetched before each write.
  void fetchAhead(const WantedPiece &piece, Address missed, BlockRef last, MissWaiter &waiter);
  /// A thread misses in blocks up to `last`, to store there: opens what it will store to next.
  void openAhead(const Area &area, BlockRef last);
  void onData(NodeId from, fabric::Bytes body);
  Event classifyArrival(const BlockRef &block, const BlockRecord &record);
  Event classify(const BlockRef &block, BlockState state, Access wanted) const;
  /// Whether this node is expected to write most of a block whose home it is.
  bool isDense(const BlockRef &block) const;
  /// Of the runs of data that have arrived. Zeros and others may meet in a page, which has both.
  void supplyPages();
  void supplyMixedPage(Address page, std::size_t first); ///< The run `first` and others lie in it.
  // Expectations.cpp
  void askBehindBarrier(ThreadRegistration *thread); ///< The same, if it may be asked for now.
  void comeToExpected(bool isBegin);
  bool collectExpected(bool last); ///< Steps what is to be asked for; whether there is any.
  FetchPrediction::Found collectExpected(Address address, bool watched, PieceCost &cost);
  /// Calls take(block) for those blocks of the run that are not here, while the cost is bounded.
  template <class Take>
  std::optional<StridePrediction::Asked> collectRun(AddressRun run, PieceCost &cost, Take &&take);
  std::optional<StridePrediction::Asked> prefetchRun(AddressRun run, PieceCost &cost);
  void onGetBehind(NodeId from, fabric::Bytes body);
  /// What others asked for behind the barriers that this node has left; whether there was any.
  bool serveBehindBarrier();
  /// A copy closed until it is read is about to be opened, or overwritten, or becomes stale.
  void noteWatched(const BlockRef &block, bool isRead);
  // Orders.cpp
  void orderNext(); ///< Behind askBehindBarrier: what is read behind this site the next time.
  void onOrder(NodeId from, fabric::Bytes body);
  void supplyOrdered(ThreadRegistration *thread); ///< At a barrier, what was ordered for its site.
  void supplyRefreshedPages(std::uint32_t putsProcessed); ///< That have come whole (putLines_).
  // Evictions.cpp
  AddressRun pagesOf(const Area &area, Address unit) const; ///< Those that lie wholly inside.
  void noteFilled(Address begin, std::size_t bytes);        ///< A run of blocks.
  void noteCached();
  bool giveUpUnits(ThreadRegistration *synchronised); ///< Whether there may be more to do.
  bool giveUpUnit(Address unit, ThreadRegistration *synchronised);
  void dropPages(ThreadRegistration *synchronised);
  void dropRun(AddressRun run);
  // HomeService.cpp
  void onRequest(NodeId from, MessageKind kind, fabric::Bytes body);
  void serveRequest(NodeId from, MessageKind kind, const RequestHead &head, WireReader &reader);
  /// `isBehindLeft`: as WithheldChanges::onFetched.
  void serveGet(const BlockRef &block, NodeId from, bool isBehindLeft);
  void serveLeave(NodeId from, WireReader &reader);
  void servePut(NodeId from, const RequestHead &head, WireReader &reader);
  void serveAtomic(NodeId from, const RequestHead &head, WireReader &reader);
  void serveAtomicPuts(NodeId from, const RequestHead &head, WireReader &reader);
  void serveSums(NodeId from, const RequestHead &head, WireReader &reader);
  void executeFor(NodeId from, const RequestHead &head, Address address,
                  const AtomicOperation &operation, std::byte *old, bool isKept);
  void onInvalidate(NodeId from, fabric::Bytes body);
  void onInvalidateAck(NodeId from, fabric::Bytes body);
  void onPutAck(NodeId from, fabric::Bytes body);
  void answerWhenConfirmed(NodeId to, MessageKind kind, const AtomicReplyBody &reply);
  void completeAnswers();
  void noteWriter(const BlockRef &block, NodeId writer, bool isEarly = false, bool isKept = false);
  void noteChangedLines(const BlockRef &block, NodeId writer, std::span<const PutLine> lines);
  void noteChange(const BlockRef &block, NodeId writer); ///< Says so at a barrier.
  void noteFirstUse(const BlockRef &block); ///< Another node asks for it, or changes it.
  void confirmInvalidate(NodeId home, bool wantsAck);
  /// Calls visit(block) for the blocks of a request, which are this node's.
  template <class Visit> void forEachAsked(WireReader &reader, Visit &&visit);
  /// Calls visit(block, its lines) for the blocks of changes, in their order.
  template <class Visit> void forEachChanged(std::span<const PutLine> lines, Visit &&visit);
  template <class Visit> void forEachWhole(PutLine run, Visit &&visit);
  // Pushes.cpp
  void onUpdate(NodeId from, fabric::Bytes body);
  void onCommonUpdate(NodeId from, fabric::Bytes body);
  void takeUpdate(NodeId from, const UpdateHead &head, WireReader &reader);
  /// One that arrives, if sites are counted.
  void countUpdate(const BlockRef &block, SiteId sentAt);
  /// An update has come, and nobody had read the one before.
  void noteUnread(const BlockRef &block, UnreadUpdates::Borne borne);
  void noteUnreadOfEpoch(const UnreadUpdates::Ended &ended); ///< This node leaves a barrier.
  /// Gives up what was sent again before anybody read it, unless homes may be moving.
  void giveUpUnread(ThreadRegistration *thread);
  void evictUnread(ThreadRegistration *thread); ///< The same, under the lock.
  // Withholding.cpp
  void supplyWithheld(ThreadRegistration *thread); ///< At a barrier, what is read behind its site.
  /// Sends it to a node that has no copy; whether it was.
  bool supply(const BlockRef &block, NodeId to, ThreadRegistration *thread);
  void tellSiteReads(); ///< Homes, as this node arrives there.
  void onSiteReads(NodeId from, fabric::Bytes body);
  void forgetSoleSharers(); ///< Behind a barrier: of whose copies have ended there.
  // SilentStores.cpp, Offers.cpp
  void noteSilentStores(const BlockRef &block); ///< A release finds it as before.
  void tellSilentStores();                      ///< Homes, as this node arrives at a barrier.
  void onSilentStores(NodeId from, fabric::Bytes body);
  bool offer(const Area &area, Address unit, const Writers &writers); ///< If that makes sense.
  void postOffers();
  void onOffer(NodeId from, fabric::Bytes body);
  bool fetchOffered(); ///< Whether anything was posted.
  // Releases.cpp
  void askPeers();
  void acquireWhatIsHere(ThreadRegistration *thread); ///< Where nothing is on its way.
  void dropForeignCopies();                           ///< This node's copies in foreign areas end.
  /// So that what the caller asks of others covers what is posted, and no more: under one hold of
  /// the lock. Followed by waitForRoom, without it.
  Lock flushDirty(ThreadRegistration *thread, Confirmation confirmation);
  void waitForRoom();
  /// As flushDirty, but that postCollected has still to send what the last blocks have to say.
  Lock collectDirty(ThreadRegistration *thread, Confirmation confirmation);
  using Needs = PendingRelease::Needs;
  /// The calling thread has no permissions any more.
  void leaveInterval(ThreadRegistration *thread);
  /// Under flushMutex_: flushes and asks; the last of it has not left yet. `recorded`: its
  /// beginning is in the trace.
  Needs flushTowards(ThreadRegistration *thread, std::span<const NodeId> followers, bool recorded);
  void waitFor(const Needs &needs);
  // Arrivals.cpp
  using Report = BarrierReport;
  using Reports = BarrierReports;
  /// Whether the nodes tell each other, and do not report along the tree.
  bool isExchanged(MessageKind kind, Join join) const;
  /// So that the last large message to who is told at once, and that, are one packet.
  std::list<Messenger::Group> groupsOfReport(MessageKind kind, Join join);
  /// Under the lock, and followed by meetAll: tells those who are told at once.
  void beginHalf(MessageKind kind, const Report &own, Join join);
  /// What all report, but what they have sent, which is in peers_ then.
  Report meetAll(MessageKind kind, Report own, Join join);
  static Report partOf(const Report &report, NodeId to);
  static Report split(Report &report, NodeId top);
  void postReport(MessageKind kind, NodeId to, const Report &report);
  Report awaitReports(Reports &reports, unsigned count);
  void receiveReport(Reports &reports, fabric::Bytes body);
  void onBarrierReport(NodeId from, fabric::Bytes body);
  void onBarrierGo(NodeId from, fabric::Bytes body);
  // Barriers.cpp
  bool hasUnsentChanges() const;
  /// Others may know what is still on its way to this node: its acquires ask.
  bool mayLagBehind() const { return following_.load(std::memory_order_acquire) || isInBarrier(); }
  void meetAndMove(ThreadRegistration *thread, Join join);
  Report arrive(ThreadRegistration *thread, Join join); ///< Under flushMutex_.
  /// Says what comes of the epoch's Puts.
  Report beDone(ThreadRegistration *thread, bool homesMove, Join join);
  /// Whether something is to be flushed.
  bool leaveBarrier(bool hadSecondHalf, const std::vector<MovedPages> &moves);
  /// If homes may be moving: waits until they have, without the lock, and returns true.
  bool waitedForMoves(Lock &guard);
  std::vector<MovedPages> cedePages(ThreadRegistration *thread);
  bool unitMayMove(const Area &area, Address unit, NodeId heir, ThreadRegistration *thread);
  void recallPages(ThreadRegistration *thread, std::vector<MovedPages> &moves);
  bool mayRecallBlock(const BlockRef &block, ThreadRegistration *thread);
  void moveHomes(const std::vector<MovedPages> &moves);
  void moveHome(Address part, std::size_t bytes, const MovedPages &move);
  void resize(const MovedPages &recalled);
  bool replayHeldRequests(); ///< Whether there were any.
  // AtomicOperations.cpp
  bool putAtomic(const BlockRef &block, NodeId home, Address address, const AtomicOperation &put);
  void fetchForAtomics(Lock &guard, const BlockRef &block);
  void flushUnderAtomic(const BlockRef &block); ///< Before it happens, what is listed leaves.
  void onAtomicReply(NodeId from, fabric::Bytes body);
  // SumOperations.cpp
  bool mayKeepSum(const BlockRef &block, Address address, const AtomicOperation &operation);
  void keepSums(const BlockRef &block); ///< From now on.
  void sendSums();

  StateTable states_;
  BlockTable blocks_;
  PrefetchStreams streams_;
  // Collected by steps, posted by postCollected; by node.
  std::vector<RunCollector> getRuns_, leaveRuns_, invalidateRuns_;
  std::vector<PutWriter> puts_, updates_;
  std::vector<OutgoingSums> sums_;
  std::vector<DataWriter> data_;
  const bool multicasts_ = options.multicast && nodes <= EngineOptions::kMostNodesOfMulticasts;
  GatherHistory gathers_;
  std::vector<NodeId> receivers_;                             ///< Scratch of receiversOfSame.
  Confirmation putConfirmation_ = Confirmation::Acknowledged; ///< Of the flush in progress.
  std::vector<std::byte> snapshot_, zeros_; ///< Scratch of a step: the largest block; and zeros.
  std::vector<LineMask> masks_;
  PutLines putLines_;
  std::vector<DataRun> dataRuns_;
  EventRecord visited_; ///< Scratch of visitBlock, if there is a trace.
  /// Cached blocks in untracked areas: open for writing, and being fetched. Changed under the lock.
  std::atomic<unsigned> untrackedDirty_{0}, untrackedFetching_{0};
  /// Blocks of foreign areas that became Clean or Closing since the last acquire, some twice.
  std::vector<Address> foreignCopies_;
  std::atomic<std::size_t> foreignCopyCount_{0};
  PushPrediction prediction_{options.pushFirst};
  FetchPrediction fetches_;
  StridePrediction strides_;
  bool hasComeToExpected_ = false; ///< Of the site that it is at.
  bool watchesExpected_ = false;   ///< There: whether all that is fetched then is read is noticed.
  BlockHistories histories_;
  LatestPuts latestPuts_, latestKept_; ///< Of all; of updates that a copy has.
  SoleBlocks soleBlocks_, saidSole_;   ///< At the sharer, and at the home.
  bool hasFetched_ = false;            ///< Since this node arrived last.
  std::uint64_t dice_ = 1; ///< Which Updates are watched, and which flushes do what they seldom do.
  bool isOneIn(unsigned count); ///< True one in `count` times.
  UnreadUpdates unreadUpdates_{options.pushFirst};
  bool watchesUpdates_ = false; ///< Of barriers, since the latest one.
  std::vector<Address> unread_; ///< To be given up, as nobody has read them; some of them twice.
  std::atomic<bool> anyUnread_{false};
  CachedUnits cached_; ///< If there is a limit.
  /// Units that were given up, and since when all of them are; their pages are still there.
  std::vector<Address> leaving_;
  std::size_t leavingBytes_ = 0;
  std::uint64_t leavingStamp_ = 0;
  std::atomic<bool> cachedTooMuch_{false};
  std::atomic<std::uint64_t> requestsInFlight_{0}; ///< Blocks being fetched, and atomic operations.

  std::vector<Peer> peers_;

  std::deque<PendingAnswer> answers_;
  bool isDone_ = false;  ///< Has said so in the barrier that it is in.
  bool hasKept_ = false; ///< Updates and Invalidates that come of a barrier's Puts.
  /// Requests of nodes that have left a barrier that this node is still in.
  std::deque<HeldRequest> held_;
  /// GetBehinds of nodes that are in a barrier that this node has not left; one of each node and
  /// barrier, and none is more than one barrier ahead.
  std::vector<HeldRequest> asksBehind_;
  fabric::Urgency dataUrgency_ = fabric::Urgency::Now;
  std::uint32_t lastMoveEpoch_ = 0; ///< In which homes have moved last.

  std::mutex flushMutex_; ///< One flush of the dirty list at a time, so that none ends before the
                          ///< other's blocks are sent (trap 6). Rank: outermost.
  std::atomic<SiteId> site_{kNoSite};
  std::atomic<std::uint32_t> enteredEpoch_{0};
  std::uint32_t half_ = 0;    ///< Of all barriers: the one that this node is in.
  Reports reports_[2], word_; ///< Of children, by half, as one may be ahead; of the parent.
  std::atomic<std::uint32_t> completedEpoch_{0}; ///< Changed under the lock.
  std::atomic<bool> following_{false};           ///< Pairs with mayLagBehind.
  /// This node has promised to ask no home until the barrier ends. Changed under the lock.
  std::atomic<bool> homesMayMove_{false};
  HomeHistory history_;
  Offers offers_;
  BlockSizing sizing_{options.sizePatience, nodes, options.homePatience != 0};
  Address lastUnused_ = 0; ///< The unit that noteFirstUse has looked at last.
  AtomicTraffic atomics_;
};
} // namespace ompdsm

#include "protocol/engine/EngineWalks.h"
