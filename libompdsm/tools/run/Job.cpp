// Job.cpp: the launcher's state machine.
#include "libompdsm/tools/run/Job.h"
#include "fabric/Check.h"
#include "libompdsm/tools/run/Descendants.h"
#include "libompdsm/tools/run/SharedMemorySweep.h"
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace ompdsm::run {
namespace {

/// The resolution of the clock while something waits for it.
constexpr int kTickMs = 20;

} // namespace

Job::Job(EventLoop &loop, NodePlan &plan, Admission &admission, KeeperHandle keeper,
         std::vector<pid_t> spared)
    : loop_(loop), plan_(plan), admission_(admission), keeper_(std::move(keeper)),
      spared_(std::move(spared)), outcome_(plan.options.nodes, plan.options.command.front()),
      links_(plan.options.nodes,
             {[this](unsigned node, std::string text) {
                outcome_.nodeReported(node, std::move(text), Clock::now());
              },
              [this](unsigned node) { outcome_.nodeDone(node); },
              [this](unsigned node) { outcome_.nodeLost(node, Clock::now()); }}),
      output_(loop, [this](int error) { onOutputBroken(error); }),
      signals_(loop, {[this](int signal) { onSignal(signal); },
                      [this](int signal) {
                        tell(signal == SIGTSTP ? KeeperCommand::Kind::SignalAll
                                               : KeeperCommand::Kind::SignalFirst,
                             signal);
                      },
                      [this] { onStop(); }, [this] { onContinue(); }}),
      deadline_(Clock::now() + std::chrono::seconds(plan.options.startTimeoutSeconds)) {}

int Job::run() {
  OMPDSM_CHECK(loop_.add(keeper_.link.get(), EPOLLIN, [this](std::uint32_t) { onKeeperEvent(); }));
  admission_.start([this](unsigned node, pid_t pid, std::unique_ptr<Connection> connection) {
    outcome_.nodeJoined(node, pid);
    pids_.push_back(pid);
    tell(KeeperCommand::Kind::Joined, pid);
    links_.add(node, std::move(connection));
  });
  output_.start(plan_.pipes, plan_.options.tag);
  while (phase_ != Phase::Over) {
    loop_.runOnce(timeoutMs());
    tick(Clock::now());
  }
  return exitCode_;
}

int Job::timeoutMs() const {
  if (outcome_.waits() || output_.waits() || signals_.waits() || phase_ != Phase::Running)
    return kTickMs;
  // Coarse clocks: strangers at the door, and the deadline of the start.
  const bool joining = plan_.options.nodes > 1 && !outcome_.allJoined();
  return admission_.hasPending() || joining || killAt_ ? 10 * kTickMs : -1;
}

void Job::tick(TimePoint now) {
  signals_.tick(now);
  output_.tick(now);
  admission_.tick(now);
  if (killAt_ && now >= *killAt_ && phase_ < Phase::Killing) {
    killAt_.reset();
    killFor(SIGTERM, "not at an end " + std::to_string(plan_.options.killWaitSeconds) +
                         " s after SIGTERM (--kill-wait)");
  }
  switch (phase_) {
  case Phase::Running:
    if (plan_.options.nodes > 1 && now >= deadline_)
      outcome_.startTimedOut(plan_.options.startTimeoutSeconds);
    if (const std::optional<Verdict> verdict = outcome_.decide(now))
      applyVerdict(*verdict);
    break;
  case Phase::Leaving:
    if (const std::optional<Verdict> verdict = outcome_.decide(now); !verdict->orderly)
      applyVerdict(*verdict);
    else if (outcome_.allExited() && !outcome_.waits())
      startKilling();
    else if (now >= deadline_) {
      applyVerdict(
          {exitCode_ ? exitCode_ : kExitFailure,
           outcome_.describeRunning() + " did not end after node 0 had ended; the job ends",
           false});
      startKilling(); // They have had their time.
    }
    break;
  case Phase::Ending:
    if (outcome_.allExited() || now >= deadline_)
      startKilling();
    break;
  case Phase::Killing:
    if (now >= deadline_)
      kill(keeper_.pid, SIGKILL); // It hangs; its end is our turn to sweep.
    break;
  case Phase::Draining:
    if (output_.isFinished() || (failed_ && now >= deadline_))
      phase_ = Phase::Over;
    break;
  case Phase::Over:
    break;
  }
}

void Job::enter(Phase phase, std::chrono::milliseconds limit) {
  phase_ = phase;
  deadline_ = Clock::now() + limit;
}

void Job::applyVerdict(const Verdict &verdict) {
  exitCode_ = verdict.exitCode;
  if (verdict.orderly)
    return enter(Phase::Leaving, kLeavingLimit);
  outcome_.seal();
  failed_ = !verdict.message.empty() || exitCode_ != 0;
  if (!verdict.message.empty() && !std::exchange(told_, true))
    output_.printMessage("ompdsm-run: " + verdict.message);
  links_.sendEnd(verdict.message.empty() ? "node 0 has ended" : verdict.message);
  tell(KeeperCommand::Kind::SignalFirst, SIGTERM);
  tell(KeeperCommand::Kind::SignalAll, SIGCONT); // a stopped node could not end by itself
  enter(Phase::Ending, outcome_.allJoined() ? kGrace : kShortGrace);
}

void Job::startKilling() {
  if (phase_ == Phase::Killing || phase_ == Phase::Draining)
    return;
  outcome_.seal();
  tell(KeeperCommand::Kind::Kill, 0);
  enter(Phase::Killing, kSweepLimit + kShortGrace);
}

void Job::startDraining() {
  loop_.remove(keeper_.link.get());
  keeper_.link.reset();
  while (waitpid(keeper_.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  enter(Phase::Draining, kDrainLimit);
}

void Job::tell(KeeperCommand::Kind kind, int value) {
  // Never blocks: a keeper that does not read hangs, and the phases' limits see to that.
  const KeeperCommand command{kind, value};
  if (keeper_.link.isOpen())
    (void)!send(keeper_.link.get(), &command, sizeof command, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Job::onKeeperEvent() {
  KeeperEvent event;
  const ssize_t got = recv(keeper_.link.get(), &event, sizeof event, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (got != sizeof event)
    return onKeeperGone();
  switch (event.kind) {
  case KeeperEvent::Kind::Forked:
    pids_.push_back(event.pid);
    break;
  case KeeperEvent::Kind::Started:
    outcome_.nodeStarted(event.node, event.pid);
    break;
  case KeeperEvent::Kind::StartFailed:
    outcome_.launcherFailed(event.value == ENOENT ? kExitNotFound : kExitNotExecutable,
                            "cannot start node " + std::to_string(event.node) + ": '" +
                                plan_.program + "': " + std::strerror(event.value));
    break;
  case KeeperEvent::Kind::Exited:
    outcome_.nodeExited(event.node, event.value, Clock::now());
    break;
  case KeeperEvent::Kind::Witnessed:
    signals_.witnessed(event.value, Clock::now());
    break;
  case KeeperEvent::Kind::Swept:
    startDraining();
    break;
  }
}

void Job::onKeeperGone() {
  int status = 0;
  const pid_t keeper = keeper_.pid;
  loop_.remove(keeper_.link.get());
  keeper_.link.reset();
  while (waitpid(keeper, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string how = WIFSIGNALED(status) ? std::string("was killed by signal ") +
                                                    std::to_string(WTERMSIG(status)) + " (" +
                                                    strsignal(WTERMSIG(status)) + ")"
                                              : "ended too early";
  outcome_.launcherFailed(kExitFailure, "the keeper of the job (pid " + std::to_string(keeper) +
                                            ") " + how + "; the job ends");
  if (phase_ == Phase::Running || phase_ == Phase::Leaving) {
    outcome_.seal();
    exitCode_ = exitCode_ ? exitCode_ : kExitFailure;
    if (const std::optional<Verdict> verdict = outcome_.decide(Clock::now()))
      applyVerdict(*verdict);
  }
  // The nodes died with their parent; what they had started is ours now.
  killDescendants(kSweepLimit, spared_, [](pid_t, int) {});
  sweepSharedMemory(pids_);
  failed_ = true;
  enter(Phase::Draining, kDrainLimit);
}

void Job::onSignal(int signal) {
  if (signal == SIGTSTP)
    return;
  outcome_.jobSignalled(signal);
  if (phase_ == Phase::Draining) {
    // Nothing is left but output that nobody takes.
    exitCode_ = exitCode_ ? exitCode_ : 128 + signal;
    phase_ = Phase::Over;
    return;
  }
  if (signal == SIGINT && ++interrupts_ >= 2)
    killFor(signal, "interrupted twice");
  // timeout(1) sends it twice, to its child and to its group.
  if (signal == SIGTERM && !killAt_ && plan_.options.killWaitSeconds != 0)
    killAt_ = Clock::now() + std::chrono::seconds(plan_.options.killWaitSeconds);
}

void Job::killFor(int signal, const std::string &why) {
  if (phase_ == Phase::Killing)
    return;
  if (!std::exchange(told_, true))
    output_.printMessage("ompdsm-run: " + why + "; the job is killed");
  exitCode_ = 128 + signal;
  failed_ = true;
  startKilling();
}

void Job::onStop() {
  // By the default action of SIGTSTP, which the kernel withholds where no shell could continue us.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

void Job::onContinue() {
  tell(KeeperCommand::Kind::SignalAll, SIGCONT);
  if (phase_ == Phase::Running)
    deadline_ = Clock::now() + std::chrono::seconds(plan_.options.startTimeoutSeconds);
}

void Job::onOutputBroken(int error) {
  const bool pipeClosed = error == EPIPE;
  const int code = pipeClosed ? 128 + SIGPIPE : kExitFailure;
  outcome_.launcherFailed(code, pipeClosed ? ""
                                           : std::string("cannot write the job's output: ") +
                                                 std::strerror(error) + "; the job ends");
  exitCode_ = exitCode_ ? exitCode_ : code;
}

} // namespace ompdsm::run
