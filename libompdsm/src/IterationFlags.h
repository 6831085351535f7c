// IterationFlags.h: flags, one for each iteration of a loop, that threads of any node raise and
// wait for.
//
// They are what ordered loops and doacross loops need. Raising is a release, and waiting for a flag
// an acquire; but most flags are awaited by threads of the node that raises them, if by any, so
// they are raised there, and other nodes ask for those that they need. A flag that is asked for
// before it is raised takes one message behind what was written, as a lock does that goes on
// (Locks.h): who raises it begins a release and hands it over. One that is raised already may not
// be released: then the next thread of the node that raises a flag, waits for one or leaves the
// loop does that; and if none does so soon, a thread of the runtime. An answer tells of the flags
// that follow, too.
//
// Who raises a flag is not known before. A thread first asks the node of the thread before it in
// the team, as loops are dealt, and then whoever has raised several in a row that it waited for;
// the others if it takes long. Where these change all are asked.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/FlagRuns.h"
#include "libompdsm/src/ReleaseThread.h"
#include "protocol/engine/PendingRelease.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace ompdsm {

struct RegionFrame;
struct Runtime;

/// A loop of a region: its number among the region's loops of its kind.
struct FlaggedLoop {
  enum class Kind : std::uint64_t { Ordered, Doacross };
  Kind kind = Kind::Ordered;
  std::uint64_t number = 0;
};

class IterationFlags {
public:
  explicit IterationFlags(Runtime &runtime)
      : runtime_(runtime), releaseThread_([this] { releaseIfLate(); }) {}
  void registerHandlers();
  /// Answers that waited for a release to be confirmed may leave (Engine::setConfirmationHandler).
  void onConfirmation();

  void raise(const RegionFrame &frame, FlaggedLoop loop, std::uint64_t iteration);
  /// Returns when it is raised, and what was written before is seen.
  void wait(const RegionFrame &frame, FlaggedLoop loop, std::uint64_t iteration);
  /// The thread has no flags to raise for a while: others may want those that are.
  void releaseRaised();
  /// All threads of all nodes have left the loops before these numbers.
  void endLoops(const RegionFrame &frame);
  /// All threads of all nodes have left the region.
  void endRegion(std::uint64_t region);

private:
  using Clock = std::chrono::steady_clock;
  using Key = std::pair<std::uint64_t, std::uint64_t>; ///< Region; number of the loop and kind.
  /// A thread that waits for a flag.
  struct Asker {
    std::uint64_t iteration = 0;
    NodeId node = 0;
    std::uint32_t thread = 0; ///< In its node.
    std::uint64_t wait = 0;   ///< Number of its wait.
  };
  struct AskBody {
    Key key() const { return {region, loop}; }
    std::uint64_t region = 0, loop = 0, iteration = 0, wait = 0;
    std::uint64_t thread = 0;
  };
  struct AnswerBody {
    std::uint64_t wait = 0;
    std::uint64_t count = 0; ///< Of raised flags from the one that was asked for on.
    std::uint64_t thread = 0;
    ReleasePass pass; ///< The giver is who has raised it.
  };
  /// Who raises what a thread waits for.
  struct Expectation {
    NodeId node = 0;
    unsigned times = 0;                   ///< That it was that one, in a row.
    unsigned wanted = 0;                  ///< Until only that one is asked; more after errors.
    std::chrono::microseconds patience{}; ///< Before the others are asked then.
    bool isSure() const { return times >= wanted; }
    void note(NodeId giver, bool wasPatient);
  };
  /// Of a thread of this node. An answer may come twice, so it says to which wait.
  struct Waiting {
    std::uint64_t wait = 0;
    std::uint64_t count = 0;
    ReleasePass pass;
    std::atomic<bool> isAnswered{false};
    Expectation from;
  };
  struct Loop {
    FlagRuns flags;
    std::vector<Asker> askers; ///< One for each thread at most.
    bool isLate = false;       ///< Some ask for a flag that is raised and not released.
  };
  /// An answer that waits for nodes other than the asker to confirm a release.
  struct Unconfirmed {
    Asker asker;
    AnswerBody body;
    PendingRelease release;
  };
  static Key keyOf(const RegionFrame &frame, FlaggedLoop loop);

  // All of these need mutex_.
  bool isOver(const Key &key) const;
  void forgetOver();
  void note(Loop &loop, const Asker &asker);
  void setLate(Loop &loop, bool isLate);
  void onAsk(NodeId from, const AskBody &body);
  void answerReleased(Loop &loop);
  void handOver(Loop &loop, const Asker &asker);
  void sendConfirmed();
  Waiting &waitingOf(const RegionFrame &frame);
  void answer(const AnswerBody &body);
  void learn(const AskBody &body, Waiting &waiting, bool wasPatient);

  void releaseNode();
  void releaseIfLate();
  bool isHere(const Waiting &waiting) const;
  bool waitFor(const RegionFrame &frame, const Waiting &waiting, const AskBody &body);
  enum class Asked { Expected, Others };
  void ask(Asked whom, const RegionFrame &frame, const Waiting &waiting, const AskBody &body);

  Runtime &runtime_;
  std::mutex releaseMutex_; ///< One release after the other. Outside of mutex_.
  std::mutex
      mutex_; ///< Guards all below; held while posting. Inside: the engine's, the messenger's.
  std::map<Key, Loop> loops_;
  std::vector<Key> unreleased_; ///< Loops with flags that no release covers.
  PendingRelease latest_;       ///< Covers all that are released.
  Clock::time_point releasedAt_{};
  std::deque<Unconfirmed> unconfirmed_;
  std::deque<Waiting> waiting_; ///< By thread of the node.
  std::uint64_t firstActiveRegion_ = 0;
  std::uint64_t firstActiveLoop_[2] = {}; ///< Of that region, by kind.
  std::atomic<bool> anyUnconfirmed_{false};
  std::atomic<unsigned> lateLoops_{0};
  ReleaseThread releaseThread_;
};

} // namespace ompdsm
