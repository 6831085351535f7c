// Job.h: one run of a program, from the keeper's start to the last byte of output.
//
// Phases: Running (until there is a verdict), Leaving (node 0 ended in order, the others are about
// to), Ending (told to end, and given kGrace), Killing (the keeper sweeps), Draining (the output).
// Every phase but Running has a limit, so whatever hangs, the job ends.
#pragma once
#include "libompdsm/tools/run/Admission.h"
#include "libompdsm/tools/run/Keeper.h"
#include "libompdsm/tools/run/NodeLinks.h"
#include "libompdsm/tools/run/OutputRelay.h"
#include "libompdsm/tools/run/SignalRelay.h"

namespace ompdsm::run {

/// From node 0's orderly end to the end of the others.
inline constexpr std::chrono::milliseconds kLeavingLimit{3000};
/// From the word that the job ends (and SIGTERM to node 0) to SIGKILL.
inline constexpr std::chrono::milliseconds kGrace{1500};
/// The same if not all nodes have joined: who has not cannot hear the word.
inline constexpr std::chrono::milliseconds kShortGrace{300};
/// For the rest of the output of a job that failed; that of others is waited for.
inline constexpr std::chrono::milliseconds kDrainLimit{1000};

class Job {
public:
  /// `spared` are children of this process that are not of the job.
  Job(EventLoop &loop, NodePlan &plan, Admission &admission, KeeperHandle keeper,
      std::vector<pid_t> spared);

  /// Runs the job to its end and returns the exit code of ompdsm-run.
  int run();

private:
  enum class Phase { Running, Leaving, Ending, Killing, Draining, Over };

  void tick(TimePoint now);
  int timeoutMs() const;
  void tell(KeeperCommand::Kind kind, int value);
  void onKeeperEvent();
  void onKeeperGone();
  void onSignal(int signal);
  void killFor(int signal, const std::string &why);
  void onStop();
  void onContinue();
  void onOutputBroken(int error);
  void enter(Phase phase, std::chrono::milliseconds limit);
  void applyVerdict(const Verdict &verdict);
  void startKilling();
  void startDraining();

  EventLoop &loop_;
  NodePlan &plan_;
  Admission &admission_;
  KeeperHandle keeper_;
  const std::vector<pid_t> spared_;
  std::vector<pid_t> pids_; ///< of nodes, as started and as joined.
  Outcome outcome_;
  NodeLinks links_;
  OutputRelay output_;
  SignalRelay signals_;
  Phase phase_ = Phase::Running;
  TimePoint deadline_; ///< of the phase; of the nodes' joining in Running.
  bool failed_ = false;
  bool told_ = false; ///< the one message.
  int exitCode_ = 0;
  unsigned interrupts_ = 0;
  std::optional<TimePoint> killAt_; ///< A program that handles SIGTERM has time until then.
};

} // namespace ompdsm::run
