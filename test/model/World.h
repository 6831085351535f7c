// World.h: one state of the small world and what can happen in it. Internal to the model.
#pragma once
#include "test/model/Model.h"
#include <algorithm>
#include <type_traits>

namespace ompdsm::model {

enum class Kind : std::uint8_t {
  Get,
  Put,
  Atomic,
  Data,
  Invalidate,
  InvalidateAck,
  PutAck,
  AtomicReply
};
constexpr bool isRequest(Kind kind) { return kind <= Kind::Atomic; }

struct Message {
  Kind kind;
  std::uint8_t thread, byte, mask, bytes[kBytes], count;
};
struct Queue {
  std::uint8_t size;
  Message messages[kQueue];
};
/// What a thread is doing inside of its current operation.
enum class Phase : std::uint8_t {
  Ready,
  AwaitsData,
  Synchronised,
  Flushes,
  Postponed,
  AwaitsAcks,
  AwaitsReply
};
struct Thread {
  std::uint8_t pc;
  Phase phase;
  std::uint8_t needAcks, needConfirmed[kNodes];
};
struct Node {
  BlockState state;
  std::uint8_t memory[kBytes], twin[kBytes], snapshot[kBytes];
  bool hasTwin, listed, distrusted, writerWaits, lockQuiet, locked;
  std::uint8_t waiters, quiet, sharers; ///< Sets of threads, threads, nodes.
  std::uint8_t acksWanted, acksReceived, invalidatesProcessed;
  std::uint8_t invalidatesSent[kNodes], invalidatesConfirmed[kNodes];
};
struct Answer {
  std::uint8_t to;
  Message message;
  std::uint8_t needs[kNodes];
};
/// States are equal if their bytes are.
struct State {
  Node nodes[kNodes];
  Thread threads[kThreads];
  Queue queues[kNodes][2][2]; ///< By cacher, direction (1: from the home), class (1: requests).
  Answer answers[kAnswers];
  std::uint8_t answerCount;
  std::uint8_t flags;
};
static_assert(std::has_unique_object_representations_v<State>);

/// What an event brings, as the engine's StepContext.
struct Context {
  unsigned thread = 0, node = 0, byte = 0;
  const std::uint8_t *data = nullptr;
  std::uint8_t mask = 0, value = 0;
  bool awaits = false, postponed = false, executed = false;
};

/// One thing that may happen: a thread goes on, or a message arrives.
struct Move {
  bool isThread = false;
  unsigned thread = 0;
  unsigned cacher = 0, direction = 0, requests = 0, index = 0;
};

class World {
public:
  World(const Litmus &litmus, const Rules &rules, Outcome &outcome)
      : litmus_(litmus), rules_(rules), outcome_(outcome) {}

  static State initial();
  /// All that may be tried in a state, possible or not.
  std::vector<Move> moves(const State &s) const;
  /// Changes the state; false if the move is not possible now. failure() tells if it went wrong.
  bool make(State &s, const Move &move);
  std::string labelOf(const State &s, const Move &move) const;
  /// What is wrong with a state in which nothing can happen any more; empty if nothing is.
  std::string faultAtEnd(const State &s) const;
  const std::string &failure() const { return failure_; }

private:
  bool isDone(const State &s, unsigned t) const {
    return s.threads[t].pc >= litmus_.threads[t].operations.size();
  }
  unsigned nodeOf(unsigned t) const { return litmus_.threads[t].node; }
  void fail(const std::string &what) {
    if (failure_.empty())
      failure_ = what;
  }
  void expect(std::uint8_t seen, std::uint8_t wanted) {
    if (seen != wanted)
      fail("read " + std::to_string(seen) + " instead of " + std::to_string(wanted));
  }
  // Threads.cpp
  bool advance(State &s, unsigned t);
  bool check(State &s, unsigned t, bool write);
  bool advanceRelease(State &s, unsigned t);
  bool flushHalf(State &s, unsigned t, bool &sent);
  bool atomic(State &s, unsigned t, const Operation &operation);
  bool isQuiet(const State &s, unsigned n, int except) const;
  void finish(State &s, unsigned t) {
    s.threads[t] = Thread{std::uint8_t(s.threads[t].pc + 1), Phase::Ready, 0, {}};
  }
  // World.cpp
  bool deliver(State &s, const Move &move);
  void flush(State &s, unsigned n, bool quiet, Context &context);
  void step(State &s, unsigned n, Event event, Context &context);
  void perform(State &s, unsigned n, Action action, Context &context);
  void send(State &s, unsigned from, unsigned to, const Message &message);
  void invalidate(State &s, int except);
  void answer(State &s, unsigned to, Message message, std::uint8_t caused);
  void completeAnswers(State &s);

  const Litmus &litmus_;
  const Rules &rules_;
  Outcome &outcome_;
  std::string failure_;
};

} // namespace ompdsm::model
