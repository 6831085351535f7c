// Outcome.h: decides when the job ends, with which exit code, and with which one message.
//
// Pure: events in, a decision out; the clock is an argument. One failure has many consequences (the
// peers of a killed node fail too), and they reach the launcher in any order, so the decision waits
// kVerdictDelay after the first bad event and then takes the best explanation: a node that was
// killed, before a node that says why it failed, before one that just left.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace ompdsm::run {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

inline constexpr std::chrono::milliseconds kVerdictDelay{50};
/// After its report, a node's exit is awaited this long: its code is the job's.
inline constexpr std::chrono::milliseconds kReportedExitDelay{2000};
/// After its connection is gone, a node's exit is awaited this long: it explains more.
inline constexpr std::chrono::milliseconds kLostConnectionDelay{500};

struct Verdict {
  int exitCode = 0;
  std::string message;  ///< empty: nothing to tell.
  bool orderly = false; ///< node 0 ended in order; the others are on their way out by themselves.
};

class Outcome {
public:
  Outcome(unsigned nodes, std::string program);

  void nodeStarted(unsigned node, pid_t pid);
  void nodeJoined(unsigned node, pid_t pid);
  void nodeDone(unsigned node);
  void nodeReported(unsigned node, std::string text, TimePoint now);
  /// The node's connection ended.
  void nodeLost(unsigned node, TimePoint now);
  void nodeExited(unsigned node, int waitStatus, TimePoint now);
  /// The user sent `signal` to the job.
  void jobSignalled(int signal);
  /// Something failed that is not a node; ends the job at once.
  void launcherFailed(int exitCode, std::string message);
  /// The nodes that should have joined by now.
  void startTimedOut(unsigned seconds);

  /// The verdict, once there is one. Only an orderly one may still change, into a failure of
  /// another node on its way out, until seal().
  std::optional<Verdict> decide(TimePoint now);
  /// What the nodes do from now on is our own doing.
  void seal() { sealed_ = true; }
  /// True if the last decide() left an explanation that needs more time.
  bool waits() const { return waits_; }
  bool allJoined() const;
  bool allExited() const;
  /// The nodes that still run, as text: "node 2 (pid 17)", for the message about stragglers.
  std::string describeRunning() const;

private:
  struct Node {
    pid_t pid = 0;
    bool joined = false;
    bool done = false;
    std::optional<std::string> report;
    std::optional<int> status;
    std::optional<TimePoint> badSince; ///< the first event that may end the job.
    std::optional<TimePoint> lostSince;
  };
  struct Candidate {
    unsigned rank;
    TimePoint since;
    Verdict verdict;
    bool isComplete = true; ///< False: the exit code is a guess.
  };
  std::string describe(unsigned node) const;
  std::optional<Candidate> explain(unsigned node, TimePoint now) const;
  bool endedInOrder(const Node &node) const;
  void markBad(unsigned node, TimePoint now);

  const std::string program_;
  std::vector<Node> nodes_;
  std::vector<int> signals_; ///< that the user sent.
  std::optional<Verdict> verdict_;
  bool sealed_ = false;
  bool waits_ = false;
};

} // namespace ompdsm::run
