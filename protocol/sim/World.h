// World.h: what can happen in a state of the small world, and what it must never come to. Steps,
// flushes, counts, grace periods and barriers are the core's, on the memory and messages here; how
// threads go from one to the next, and wait, is restated from the engine.
#pragma once
#include "protocol/core/Eviction.h"
#include "protocol/core/Serving.h"
#include "protocol/sim/Rules.h"
#include "protocol/sim/State.h"
#include <optional>

namespace ompdsm::sim {

/// One thing that may happen: a thread goes on, or message `index` arrives.
struct Move {
  bool isThread = false;
  std::uint8_t index = 0;
};

/// What an event brings, as the engine's StepContext.
struct Context {
  unsigned thread = kMaxThreads; ///< Who asks or flushes; none.
  NodeId node = 0;
  const Message *message = nullptr;
  bool acknowledged = true; ///< Whether what is sent wants an answer, or is counted.
  bool isFollowed =
      false; ///< Invalidates want none: a message follows them, or they are asked for.
  bool isBehindBarrier = false; ///< A fetch is to be served there.
  bool isSupply = false;        ///< A copy is sent that nobody has asked for.
  bool postponed = false, executed = false;
  std::uint8_t mask = 0; ///< Bytes that differ from the twin.
};

class World {
public:
  World(const Litmus &litmus, const Rules &rules);

  State initial() const;
  /// All that may be tried in a state, possible or not.
  void moves(const State &s, std::vector<Move> &all) const;
  /// Changes the state; false if the move is not possible now. failure() tells if it went wrong.
  bool make(State &s, const Move &move);
  /// "node 1, thread 0: CheckWrite X".
  std::string labelOf(const State &s, const Move &move) const;
  /// What is wrong with a state in which nothing can happen any more; empty if nothing is.
  std::string faultAtEnd(const State &s) const;
  const std::string &failure() const { return failure_; }
  /// Transitions taken since the World was made.
  bool reached[kBlockStateCount][kEventCount] = {};
  /// If set, steps are written there as text.
  std::vector<std::string> *log = nullptr;

private:
  class Access;
  friend class Access;

  unsigned nodeOf(unsigned t) const { return litmus_.threads[t].node; }
  const Operation &operationOf(const State &s, unsigned t) const {
    return litmus_.threads[t].operations[s.threads[t].pc];
  }
  bool isDone(const State &s, unsigned t) const {
    return s.threads[t].pc >= litmus_.threads[t].operations.size();
  }
  const BlockTraits &traits(unsigned block) const { return litmus_.blocks[block]; }
  unsigned unitOf(unsigned block) const { return litmus_.oneUnit ? 0 : block; }
  auto peersOf(State &s, unsigned n) const { return std::span(s.nodes[n].peers).first(nodes_); }
  auto peersOf(const State &s, unsigned n) const {
    return std::span(s.nodes[n].peers).first(nodes_);
  }
  void fail(const std::string &what) {
    if (failure_.empty())
      failure_ = what;
  }
  void note(const std::string &what) {
    if (log)
      log->push_back(what);
  }

  // World.cpp
  void step(State &s, unsigned n, unsigned block, Event event, Context &context);
  void send(State &s, Message message);
  void sendInvalidate(State &s, unsigned from, unsigned to, unsigned block, bool acknowledged);
  void confirmInvalidate(State &s, const Message &message);
  bool mustWait(const State &s, const Message &request) const;
  bool deliver(State &s, unsigned index);
  void deliverRequest(State &s, const Message &message);
  void answer(State &s, unsigned n, unsigned to, Kind kind, unsigned thread,
              const std::array<Peer, kMaxNodes> &before);
  void order(State &s, unsigned from, const Operation &operation);
  void askForPuts(State &s, unsigned from, unsigned to);
  void completeAnswers(State &s, unsigned n);
  void noteWriter(State &s, unsigned n, unsigned block, std::uint8_t writer, bool isEarly = false,
                  bool isKept = false);
  static Writers writersOf(std::uint8_t entry); ///< Of Node::writers.
  bool othersOffline(const State &s, unsigned n, unsigned except) const;
  // Threads.cpp, LoadsAndStores.cpp, Evictions.cpp
  bool advance(State &s, unsigned t);
  bool proceed(State &s, unsigned t);
  bool check(State &s, unsigned t);
  bool prefetch(State &s, unsigned t);
  bool atomic(State &s, unsigned t);
  bool lease(State &s, unsigned t);
  void flushUnderAtomic(State &s, unsigned t, unsigned block);
  void updateCopy(State &s, unsigned n, unsigned block, unsigned byte, std::uint8_t value,
                  bool raises = false);
  void putAtomic(State &s, unsigned t, unsigned block, std::uint8_t byte, std::uint8_t value,
                 bool raises = false);
  void see(State &s, unsigned t, unsigned byte, std::uint8_t value) const;
  void tellSeen(State &s, unsigned t) const;
  /// Of the AtomicStores and additions to the byte that have not happened yet, the value of the
  /// last one; nothing if there is none. `thread`: only of that one.
  std::optional<std::uint8_t> lastUpdateUnderWay(const State &s, unsigned byte,
                                                 unsigned thread = kMaxThreads) const;
  // Sums.cpp
  bool add(State &s, unsigned t);
  void keepSum(State &s, unsigned t);
  bool settle(State &s, unsigned t);
  std::optional<Sum> sumUnderWay(const State &s, unsigned byte, unsigned thread) const;
  void checkSums(const State &s);
  bool evict(State &s, unsigned t);
  bool drop(State &s, unsigned t);
  void syncPoint(State &s, unsigned t);
  bool beginAcquire(State &s, unsigned t);
  bool continueAcquire(State &s, unsigned t);
  bool dropForeignCopies(State &s, unsigned t);
  void finish(State &s, unsigned t);
  void load(State &s, unsigned t, unsigned byte);
  void store(State &s, unsigned t, unsigned byte, std::uint8_t value, bool raw);
  void put(State &s, unsigned t, unsigned byte, std::uint8_t value, bool raw);
  // Flushes.cpp
  bool beginFlush(State &s, unsigned t);
  bool visitBlock(State &s, unsigned t);
  std::uint8_t followersOf(const State &s, unsigned t) const;
  void finishBlock(State &s, unsigned t);
  void afterFlush(State &s, unsigned t);
  // Handovers.cpp
  void endBegin(State &s, unsigned t);
  bool mayTake(const Operation &give, unsigned node) const;
  void askForGiven(State &s, unsigned t);
  void giveFlag(State &s, unsigned t);
  // BarrierMoves.cpp
  void arrive(State &s, unsigned t);
  void supply(State &s, unsigned t);
  void askBehind(State &s, unsigned t);
  bool givesHomesAway(const State &s, unsigned n) const;
  bool isExchange(const State &s, unsigned t) const;
  void report(State &s, unsigned from, unsigned to, Kind kind, const Report &report);
  bool meet(State &s, unsigned t);
  void goOnInBarrier(State &s, unsigned t);
  bool hasSecondHalf(const Node &node) const; ///< Of the barrier in which it has heard of all.
  void reportOwn(State &s, unsigned t, Kind kind);
  void beDone(State &s, unsigned t);
  bool mayCedeUnit(State &s, unsigned n, unsigned unit, NodeId heir, unsigned t);
  void leave(State &s, unsigned t);
  void recall(State &s, unsigned t);
  void rehome(State &s, unsigned n, unsigned block, NodeId heir); ///< Or of another size.
  // Invariants.cpp
  void checkInvariants(const State &s);
  void checkReleased(const State &s, unsigned t);
  bool isAboutToArrive(const State &s, NodeId home, unsigned byte) const;
  void checkOverwritten(const State &s, unsigned n, unsigned byte, std::uint8_t before,
                        std::uint8_t after);
  void checkUnmoved(const State &s, unsigned n, unsigned block);
  void checkUnused(const State &s, unsigned n, unsigned block, unsigned except);
  Held heldBy(const State &s, unsigned t) const;

  const Litmus &litmus_;
  const Rules &rules_;
  const unsigned nodes_;
  const bool leases_; ///< What threads see by atomic operations matters.
  std::vector<std::vector<Held>> holdings_;
  std::string failure_;
};

/// One block of one node during one event: the Port of core/BlockStep.h and core/BlockFlush.h.
class World::Access {
public:
  Access(World &world, State &s, unsigned node, unsigned block, Context &context)
      : world_(world), s_(s), n_(node), b_(block), context_(context) {}

  const Transition &transition(BlockState state, Event event) const;
  void impossible(Event event);
  BlockState state() const { return copy().state; }
  void setState(BlockState state) { copy().state = state; }
  Record &record() {
    copy().record.known = true;
    return copy().record;
  }
  Record *findRecord() { return copy().record.known ? &copy().record : nullptr; }
  void forgetIfEmpty() {
    if (copy().record.known && !isBusy(copy().record, state()) && copy().record.sharers.empty())
      copy().record = Record{};
  }
  const Sharers &sharers() const { return copy().record.sharers; }
  bool isSharer(NodeId node) const { return sharers().contains(node); }
  bool isOnlySharer(NodeId node) const {
    return sharers().isOnly(node) || !world_.rules_.soleIsOfOne;
  }
  NodeId peer() const { return context_.node; }

  void addWaiter();
  void wakeWaiters();
  void postpone() { context_.postponed = true; }
  bool wasPostponed() const { return context_.postponed; }
  std::uint64_t newGraceStamp() { return node().clock.stamp(); }
  bool othersOffline() const {
    const bool serves = context_.thread == kMaxThreads;
    return (serves && !world_.rules_.quietHomesAreOffline) ||
           (context_.isSupply && !world_.rules_.suppliedBlocksAreQuiet) ||
           world_.othersOffline(s_, n_, context_.thread);
  }
  bool isQuietSince(std::uint64_t stamp) const;

  void takeWhole(bool quiet);
  Keeping keeping() const { return world_.traits(b_).keeping; }
  void noteUnchanged() {}
  bool expectsWriter() const { return !world_.traits(b_).closes; }
  bool expectsStores() const { return !world_.traits(b_).unwritten; }
  void makeTwinOfSnapshot();

  void overwriteMemory();
  void mergeUnderWriters();
  void takeTwin();
  void renewTwin();
  void freeTwin();
  void keepDigest();
  bool compareWithDigest();
  void dropDigest();
  void enlist() { node().dirty |= std::uint8_t(1u << b_); }
  bool compareWithTwin();
  void noteWriter() { world_.noteWriter(s_, n_, b_, std::uint8_t(n_)); }
  void applyChangesToMemory();
  void applyChangesToTwin();
  void executeAtomicInMemory();
  void applyAtomicToTwin();

  void collectGet();
  void collectPut();
  void collectWhole();
  void collectAway();
  unsigned collectSums();
  void collectLeave();
  void collectTwin(NodeId to);
  void collectMemory(NodeId to);
  void collectSupply(NodeId to);
  bool sentDiffers();
  void collectInvalidate(NodeId to);
  bool expectsReader(NodeId node) const { return world_.traits(b_).readers >> node & 1; }
  void collectUpdate(NodeId to);
  void collectRefresh(NodeId to);
  void forwardPut(NodeId to);
  bool hasSaidSole() const { return copy().hasSaidSole; }
  void forgetSaidSole() { copy().hasSaidSole = false; }
  bool saysSole() const {
    return world_.traits(b_).saysSole && !copy().hasSaidSole && context_.message &&
           context_.message->kind == Kind::Put;
  }
  void collectSharing(NodeId to, bool isSole);
  void forgetSole() { copy().isSole &= !world_.rules_.lostCopiesAreNotSole; }

  bool isUntracked() const { return world_.traits(b_).untracked; }
  bool isForeign() const { return world_.traits(b_).foreign; }
  void listForeignCopy() { node().foreignCopies |= std::uint8_t(1u << b_); }
  void countUntracked(int dirty, int fetching) {
    node().untrackedDirty = std::uint8_t(node().untrackedDirty + dirty);
    node().untrackedFetching = std::uint8_t(node().untrackedFetching + fetching);
  }

private:
  Node &node() const { return s_.nodes[n_]; }
  BlockCopy &copy() const { return node().blocks[b_]; }
  bool needTwin();
  bool keepsBytesUnderZeros() const;
  void write(unsigned byte, std::uint8_t value); ///< Of the protocol, to memory.
  void sendPut(bool whole, bool away);
  void sendUpdate(NodeId to, std::uint8_t mask, const std::uint8_t *bytes, bool whole);
  void sendUpdate(NodeId to, std::uint8_t mask, const std::uint8_t *bytes, bool whole, bool isSole);
  void sendData(NodeId to, const std::uint8_t *bytes);

  World &world_;
  State &s_;
  unsigned n_, b_;
  Context &context_;
};

} // namespace ompdsm::sim
