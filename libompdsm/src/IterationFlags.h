// IterationFlags.h: flags, one for each iteration of a loop, that threads of any node raise and
// wait for.
//
// They are what ordered loops and doacross loops need. Raising is a release, and waiting for a flag
// an acquire; but most flags are awaited by threads of the node that raises them, if by any, so
// they are raised there, and other nodes ask for those that they need. A flag that is asked for
// before it is raised takes one message behind what was written, as a lock does that goes on
// (Locks.h): who raises it begins a release and hands it over. One that is raised already may not
// be released: then the next thread of the node that raises a flag, waits for one or leaves the
// loop does that; and if the one that asked for it has waited too long and asks again, a thread of
// the runtime.
//
// An answer tells of the flags that follow, too. A thread that needs one behind the other asks for
// some ahead: they come by themselves, several at once where they are raised in quick succession.
//
// Who raises a flag is not known before. A thread first asks the node of the thread before it in
// the team, as loops are dealt, and then whoever has raised several in a row that it waited for;
// the others when it asks again. Where these change all are asked (FlagExpectation.h).
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/FlagExpectation.h"
#include "libompdsm/src/FlagRuns.h"
#include "libompdsm/src/ReleaseThread.h"
#include "libompdsm/src/WaitStatistics.h"
#include "protocol/engine/PendingRelease.h"
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
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
      : runtime_(runtime), releaseThread_([this] { releaseNode(); }) {}
  void registerHandlers();
  /// Of waits for flags that were not raised, or elsewhere.
  const WaitStatistics &statistics() const { return statistics_; }
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
  /// A thread that needs flags.
  struct Asker {
    NodeId node = 0;
    std::uint32_t thread = 0;    ///< In its node.
    std::uint64_t iteration = 0; ///< The first that it has not got.
    std::uint64_t ahead = 0;     ///< So many behind that, too.
    bool waits = true;           ///< For the first; else it has only asked ahead.
  };
  struct AskBody {
    Key key() const { return {region, loop}; }
    std::uint64_t region = 0, loop = 0, iteration = 0, ahead = 0;
    std::uint32_t thread = 0;
    std::uint32_t isUrgent = 0; ///< A release is to begin for this, if need be.
  };
  /// Flags that another node has raised, of one run.
  struct Arrival {
    std::uint64_t first = 0, count = 0;
    ReleasePass pass; ///< The giver is who has raised them.
    bool has(std::uint64_t iteration) const { return iteration - first < count; }
  };
  struct AnswerBody {
    std::uint64_t region = 0, loop = 0;
    Arrival arrival;
  };
  /// Of a thread of this node.
  struct Waiting {
    explicit Waiting(NodeId expected) : from(expected) {}
    FlagExpectation from;
    Arrival arrival; ///< What ends its wait, when it is here.
    std::atomic<bool> isAnswered{false};
  };
  struct Loop {
    FlagRuns flags;
    std::vector<Asker> askers;     ///< One for each thread at most.
    std::vector<Arrival> arrivals; ///< Not here as yet, or nobody has looked.
    bool isLate = false;           ///< Some wait for a flag that is raised and not released.
  };
  /// An answer that waits for nodes other than the asker to confirm a release.
  struct Unconfirmed {
    NodeId to = 0;
    AnswerBody body;
    PendingRelease release;
  };
  static Key keyOf(const RegionFrame &frame, FlaggedLoop loop);

  bool isHere(const Arrival &arrival) const;
  void releaseNode();
  bool waitFor(const RegionFrame &frame, const Waiting &waiting, AskBody body, bool asks);
  void ask(const RegionFrame &frame, const AskBody &body, std::optional<NodeId> node);

  // All of these need mutex_.
  bool isOver(const Key &key) const;
  void forgetOver();
  Waiting &waitingOf(const RegionFrame &frame);
  void learn(Loop &loop);
  void answer(const Asker &asker, const Arrival &arrival);
  bool isAwaited(const Loop &loop, std::uint64_t iteration) const;
  void setLate(Loop &loop, bool isLate);
  void onAsk(NodeId from, const AskBody &body);
  void onAnswer(const AnswerBody &body);
  void answerReleased(const Key &key, Loop &loop);
  bool handOver(const Key &key, Loop &loop, Asker &asker);
  void sendConfirmed();

  Runtime &runtime_;
  WaitStatistics statistics_;
  std::mutex releaseMutex_; ///< One release after the other. Outside of mutex_.
  /// Guards all below; held while posting. The engine's and the messenger's are inside.
  std::mutex mutex_;
  std::map<Key, Loop> loops_;
  std::vector<Key> unreleased_; ///< Loops with flags that no release covers.
  PendingRelease latest_;       ///< Covers all that are released.
  Clock::time_point releasedAt_{};
  Clock::duration unasked_{}; ///< How often flags are released that nobody has asked for.
  std::deque<Unconfirmed> unconfirmed_;
  std::deque<Waiting> waiting_; ///< By thread of the node.
  std::uint64_t firstActiveRegion_ = 0;
  std::uint64_t firstActiveLoop_[2] = {}; ///< Of that region, by kind.
  std::atomic<bool> anyUnconfirmed_{false};
  std::atomic<unsigned> lateLoops_{0};
  ReleaseThread releaseThread_;
};

} // namespace ompdsm
