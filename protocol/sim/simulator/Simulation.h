// Simulation.h: one run of a program on many nodes, in virtual time. Steps, flushes, counts, grace
// periods and barriers are the core's, on the memory and messages here; how threads go from one to
// the next, what travels in one message, and when, is restated from the engine.
//
// A run depends on nothing but its scenario and rules. Each file holds one activity: Simulation.cpp
// (events), Port.cpp (the core's steps on a node's memory), Messages.cpp (what travels, and when),
// Service.cpp (what nodes do for each other), Threads.cpp, Flushes.cpp, Barriers.cpp, Atomics.cpp,
// Evictions.cpp and Locks.cpp (what threads do), Oracle.cpp (what must hold).
#pragma once
#include "protocol/sim/Dice.h"
#include "protocol/sim/Rules.h"
#include "protocol/sim/simulator/EventQueue.h"
#include "protocol/sim/simulator/Node.h"
#include "protocol/sim/simulator/Task.h"
#include <optional>

namespace ompdsm::simulator {

/// Ends a run.
struct Failure {
  std::string text;
  std::optional<BlockId> block; ///< Which it is about.
};

struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
};
/// Virtual time that threads spent in operations of one sort.
struct Span {
  std::uint64_t count = 0;
  Time time = 0;
};
struct Statistics {
  Traffic traffic[sim::kKindCount]; ///< Sent, headers included.
  Span releases, barriers, misses;
  std::uint64_t events = 0;
  Time end = 0;
  Traffic total() const;
};

struct Outcome {
  std::optional<Failure> failure;
  Statistics statistics;
  std::vector<std::string> transcript; ///< Of the traced block.
};

struct SimThread {
  SimThread(unsigned index, const ThreadProgram &program, std::uint64_t seed)
      : index(index), program(program), dice(seed) {}
  const unsigned index;
  const ThreadProgram &program;
  sim::Dice dice;
  Task body;
  std::coroutine_handle<> resumed; ///< Where it goes on.
  std::size_t at = 0;              ///< Its operation.
  bool isDone = false;
  PlainCounter quiescentAt;
  bool granted = false;       ///< The lock that it waits for is its own.
  bool replied = false;       ///< Its atomic operation is done,
  std::uint8_t atomicOld = 0; ///< and found this.
  /// Bytes that it has loaded or stored, may load, and may store, in this interval; and has stored
  /// since its last release.
  std::vector<Range> touched, readable, writable, unreleased;
  std::vector<Range> underWay; ///< Since a barrier that their homes had not left then.
  /// Compiled code checks again.
  void forgetPermissions() {
    touched.clear();
    readable.clear();
    writable.clear();
  }
};

/// What an event brings to a step, as the engine's StepContext.
struct StepContext {
  SimThread *thread = nullptr; ///< Who asks or flushes.
  MissWaiter *waiter = nullptr;
  NodeId node = 0; ///< Who asked or wrote; the heir for Cede.
  const Bytes *data = nullptr;
  const Change *change = nullptr;
  const AtomicOperation *atomic = nullptr;
  std::uint8_t *atomicOld = nullptr;
  bool isSupply = false;     ///< A copy is sent that nobody has asked for.
  bool acknowledged = false; ///< Whether Puts that are full leave with a wish for an answer.
};

class Simulation {
public:
  Simulation(const Scenario &scenario, const sim::Rules &rules,
             std::optional<BlockId> traced = std::nullopt);
  /// Once.
  Outcome run();

private:
  class Port;
  friend class Port;
  template <class Condition> struct Until;
  struct Pause;
  static constexpr std::uint16_t kNobody = 0xffff;

  // Simulation.cpp
  void handle(const Occurrence &next);
  void wake(SimThread &thread, Time at);
  void notify(Node &node);
  void charge(Node &node, Time cost) {
    node.processorFree = std::max(node.processorFree, now_) + cost * node.slowness;
  }
  [[noreturn]] void fail(const std::string &what, std::optional<BlockId> block = {},
                         const Node *node = nullptr) const;
  void note(BlockId block, const std::string &what);
  bool isTraced(BlockId block) const { return traced_ == block; }
  Node &nodeOf(const SimThread &thread) { return nodes_[thread.program.node]; }
  Copy &copyOf(Node &node, BlockId block);
  Bytes &memoryOf(Copy &copy, BlockId block) const;
  NodeId homeOf(const Node &node, BlockId block) const;
  /// Whether a home is expected to write most of the block.
  bool isDense(const Node &node, BlockId block) const;
  template <class Visit> void forEachBlock(Range range, Visit visit) const {
    for (BlockId b = space_.blockAt(range.begin);
         b < space_.blockCount() && space_.block(b).range.begin < range.end; ++b)
      visit(b);
  }
  template <class Condition> Until<Condition> until(SimThread &thread, Condition condition);
  Pause pause(SimThread &thread, Time time);

  // Messages.cpp
  void send(Message message, std::size_t bodyBytes);
  void deliver(Message message);
  void handle(Message message); ///< In its place.
  void postCollected(Node &node, bool acknowledged);
  void postGets(Node &node);
  void postRequests(Node &node, NodeId home, Kind kind, std::vector<BlockId> &blocks);
  void postPut(Node &node, NodeId home, bool acknowledged);
  void postData(Node &node, NodeId to);
  void postUpdates(Node &node, NodeId sharer, bool acknowledged);
  Message takeUpdates(Node &node, NodeId sharer, bool acknowledged);
  // Multicasts.cpp
  void postCommonUpdates(Node &node);
  void pass(NodeId from, std::span<const Message> group, std::size_t bytes);
  void onStraight(Message message);
  void onMulticast(const Message &message);
  void postInvalidates(Node &node, NodeId sharer, bool acknowledged);
  std::size_t runBytes(const std::vector<BlockId> &blocks) const;
  std::size_t changeBytes(const std::vector<Change> &changes) const;

  // Service.cpp
  void step(Node &node, BlockId block, Event event, StepContext &context);
  void onRequest(Node &node, Message message);
  void serve(Node &node, const Message &message);
  void serveBehindBarrier(Node &node);
  void onData(Node &node, const Message &message);
  void onInvalidate(Node &node, const Message &message);
  void onUpdate(Node &node, const Message &message);
  void confirmInvalidate(Node &node, const Message &message);
  void answerWhenConfirmed(Node &node, Answer answer,
                           const std::vector<PlainCounter::Value> &before);
  void completeAnswers(Node &node);
  void noteWriter(Node &node, BlockId block, NodeId writer, bool isEarly = false);

  // Threads.cpp
  Task runThread(SimThread &thread);
  Task perform(SimThread &thread, const Operation &operation);
  Task ensure(SimThread &thread, Range range, Operation::Kind check);
  Task prefetch(SimThread &thread, Range range);
  Task lockEngine(SimThread &thread);
  Task waitForMoves(SimThread &thread);
  void load(SimThread &thread, const Operation &operation);
  void store(SimThread &thread, const Operation &operation);
  void syncPoint(SimThread &thread);
  void goOffline(SimThread &thread);
  Task goOnline(SimThread &thread);
  Task acquire(SimThread &thread);
  Task askPeers(SimThread &thread);
  bool othersOffline(const Node &node, const SimThread *except) const;

  // Flushes.cpp
  /// With a lock: the node that wants it need not confirm.
  Task release(SimThread &thread, LocalLock *lock = nullptr);
  using FlushedNeeds = std::vector<std::pair<std::size_t, Need>>;
  Task flushDirty(SimThread &thread, bool acknowledged, FlushedNeeds *sent);
  Task takeTurn(SimThread &thread);
  void endTurn(Node &node);

  // Barriers.cpp
  Task barrier(SimThread &thread, Range expected);
  Task barrierOfNodes(SimThread &thread, Range expected);
  bool hasSecondHalf(const Node &node) const;
  void supplySome(SimThread &thread);
  void askBehindBarrier(SimThread &thread, Range expected);
  Report arrive(SimThread &thread, bool askedNothing);
  Task meetAll(SimThread &thread, Kind kind, Report own);
  void sendReport(Node &node, Kind kind, NodeId to, const Report &report);
  void receiveReport(Node::Reports &reports, const Message &message);
  bool givesHomesAway(const Node &node) const;
  void cedeUnits(SimThread &thread);
  bool unitMayMove(SimThread &thread, UnitId unit, NodeId heir);
  Report beDone(Node &node);
  void leave(Node &node);
  void moveHome(Node &node, const HomeMove &move);

  // Evictions.cpp
  Task makeRoom(SimThread &thread, bool synchronised);
  void noteFilled(Node &node, BlockId block);
  Task giveUpUnread(SimThread &thread);
  void evictUnread(Node &node, SimThread *thread);
  void giveUpUnits(Node &node, SimThread *synchronised);
  bool giveUpUnit(Node &node, UnitId unit, SimThread *synchronised);
  void dropMemory(Node &node, SimThread *synchronised);
  void forgetUnit(Node &node, UnitId unit);
  std::optional<UnitId> takeOldest(Node &node);
  std::uint32_t bytesOf(UnitId unit) const;

  // Atomics.cpp
  Task atomic(SimThread &thread, AtomicOperation operation);
  Task watch(SimThread &thread, std::uint32_t byte);

  // Locks.cpp
  Task lock(SimThread &thread, std::uint32_t name);
  Task unlock(SimThread &thread, std::uint32_t name);
  bool handOn(Node &node, LocalLock &entry);
  void grant(Node &node, LocalLock &entry);
  void sendToken(Node &from, NodeId to, Token token, std::uint32_t name, TokenBody body = {});
  void onToken(Node &node, NodeId from, Token token, std::uint32_t name, const TokenBody &body);
  void setFlag(SimThread &thread, std::uint32_t name);
  NodeId managerOf(std::uint32_t name) const { return NodeId(name * 2654435761u % nodes_.size()); }

  // Oracle.cpp
  void checkCopy(const Node &node, BlockId block);
  void checkBlock(BlockId block);
  void checkOverwritten(const Node &node, std::uint32_t byte, std::uint8_t before,
                        std::uint8_t after);
  void checkReleased(SimThread &thread, bool mayBeUnderWay);
  void checkReleased(SimThread &thread, Range range, bool mayBeUnderWay);
  void noteOverwriting(Range range);
  void checkUnmoved(const Node &node, BlockId block);
  void checkUnused(const Node &node, BlockId block, const SimThread *except);
  void checkFound(const SimThread &thread, std::uint32_t byte, std::uint8_t found);
  void checkEnd();

  const Scenario &scenario_;
  const Program &program_;
  const Space &space_;
  const sim::Rules &rules_;
  const std::optional<BlockId> traced_;
  sim::Dice dice_;
  Time now_ = 0;
  EventQueue queue_;
  std::vector<Message> messages_; ///< Under way; those whose numbers are in free_ are not.
  std::vector<std::uint32_t> free_;
  std::vector<Node> nodes_;
  std::deque<SimThread> threads_;
  /// The last store to each byte: what it left, and whose it was.
  Bytes truth_;
  std::vector<std::uint16_t> writer_;
  Outcome outcome_;
};

/// Resumes after some virtual time.
struct Simulation::Pause {
  Simulation &simulation;
  SimThread &thread;
  Time time;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    thread.resumed = handle;
    simulation.wake(thread, simulation.now_ + time);
  }
  void await_resume() const {}
};
inline Simulation::Pause Simulation::pause(SimThread &thread, Time time) {
  return {*this, thread, time};
}

/// Resumes when a condition of the thread's node is found true, which is asked again after each
/// message that arrives there and each notify(), as in the engine's Messenger::waitUntil.
template <class Condition> struct Simulation::Until {
  Simulation &simulation;
  SimThread &thread;
  Condition condition;
  bool await_ready() { return condition(); }
  void await_suspend(std::coroutine_handle<> handle) {
    thread.resumed = handle;
    simulation.nodeOf(thread).waiting.push_back(
        {&thread, [](void *c) { return (*static_cast<Condition *>(c))(); }, &condition});
  }
  void await_resume() const {}
};
template <class Condition>
Simulation::Until<Condition> Simulation::until(SimThread &thread, Condition condition) {
  return {*this, thread, std::move(condition)};
}

} // namespace ompdsm::simulator
