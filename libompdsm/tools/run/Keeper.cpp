// Keeper.cpp: the keeper's life: start the nodes, serve the link, sweep.
#include "libompdsm/tools/run/Keeper.h"
#include "fabric/Check.h"
#include "libompdsm/tools/run/Descendants.h"
#include "libompdsm/tools/run/SharedMemorySweep.h"
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ompdsm::run {
namespace {

/// Bound on the pids whose files are swept: nodes, and what joined in their place or was orphaned.
constexpr std::size_t kMaxSweptPids = 16 * 1024;

class Keeper {
public:
  Keeper(NodePlan &plan, int link, int signals) : plan_(plan), link_(link), signals_(signals) {}

  [[noreturn]] void run() {
    startNodes();
    while (!ending_) {
      pollfd entries[] = {{link_, POLLIN, 0}, {signals_, POLLIN, 0}};
      if (poll(entries, 2, -1) < 0)
        continue;
      if (entries[0].revents)
        obey();
      if (entries[1].revents)
        takeSignals();
    }
    finish();
  }

private:
  void tell(const KeeperEvent &event) {
    // Blocking: the launcher reads always. Its death is seen at the next receive.
    while (send(link_, &event, sizeof event, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
  }

  void remember(pid_t pid) {
    if (swept_.size() < kMaxSweptPids)
      swept_.push_back(pid);
  }

  void startNodes() {
    for (NodePipes &pipes : plan_.pipes) {
      // Only the launcher may hold these, or its death would not show as a broken pipe.
      pipes.outRead.reset();
      pipes.errRead.reset();
    }
    nodes_.assign(plan_.options.nodes, 0);
    for (unsigned node = 0; node < nodes_.size(); ++node) {
      int error = 0;
      // By the node itself: it may leave files behind before the keeper comes to tell of it.
      const pid_t pid = startNode(plan_, node, error,
                                  [&] { tell({KeeperEvent::Kind::Forked, node, getpid(), 0}); });
      if (pid < 0) {
        tell({KeeperEvent::Kind::StartFailed, node, 0, error});
        break;
      }
      nodes_[node] = pid;
      remember(pid);
      tell({KeeperEvent::Kind::Started, node, pid, 0});
    }
    for (NodePipes &pipes : plan_.pipes) {
      pipes.outWrite.reset();
      pipes.errWrite.reset();
    }
  }

  void obey() {
    KeeperCommand command;
    const ssize_t got = recv(link_, &command, sizeof command, 0);
    if (got < 0 && errno == EINTR)
      return;
    if (got != sizeof command) {
      orphaned_ = true;
      ending_ = true;
      return;
    }
    switch (command.kind) {
    case KeeperCommand::Kind::SignalFirst:
      if (nodes_[0] > 0)
        kill(nodes_[0], command.value);
      break;
    case KeeperCommand::Kind::SignalAll:
      for (const pid_t pid : nodes_)
        if (pid > 0)
          kill(pid, command.value);
      break;
    case KeeperCommand::Kind::Joined:
      remember(command.value);
      break;
    case KeeperCommand::Kind::Kill:
      ending_ = true;
      break;
    }
  }

  void takeSignals() {
    signalfd_siginfo info;
    while (read(signals_, &info, sizeof info) == sizeof info)
      if (info.ssi_signo != SIGCHLD)
        tell({KeeperEvent::Kind::Witnessed, 0, 0, static_cast<std::int32_t>(info.ssi_signo)});
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
      reaped(pid, status);
  }

  void reaped(pid_t pid, int status) {
    for (unsigned node = 0; node < nodes_.size(); ++node)
      if (nodes_[node] == pid) {
        nodes_[node] = 0;
        tell({KeeperEvent::Kind::Exited, node, pid, status});
        return;
      }
    remember(pid);
  }

  [[noreturn]] void finish() {
    const bool allDead =
        killDescendants(kSweepLimit, {}, [this](pid_t pid, int status) { reaped(pid, status); });
    sweepSharedMemory(swept_);
    if (orphaned_)
      std::fprintf(stderr, "ompdsm-run: the launcher was killed; the job ends\n");
    else
      tell({KeeperEvent::Kind::Swept, 0, 0, allDead});
    _exit(allDead ? 0 : kExitFailure);
  }

  NodePlan &plan_;
  const int link_;
  const int signals_;
  std::vector<pid_t> nodes_; ///< by node; 0 when it has ended.
  std::vector<pid_t> swept_;
  bool ending_ = false;
  bool orphaned_ = false; ///< the launcher is gone.
};

} // namespace

bool forkKeeper(NodePlan &plan, int listener, KeeperHandle &keeper) {
  int link[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, link) != 0)
    return false;
  UniqueFd launcherEnd(link[0]), keeperEnd(link[1]);
  const pid_t pid = fork();
  if (pid < 0)
    return false;
  if (pid == 0) {
    launcherEnd.reset();
    close(listener);
    prctl(PR_SET_NAME, "ompdsm-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    const UniqueFd signals(signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    OMPDSM_CHECK(signals.isOpen());
    Keeper(plan, keeperEnd.get(), signals.get()).run();
  }
  for (NodePipes &pipes : plan.pipes) {
    pipes.outWrite.reset();
    pipes.errWrite.reset();
  }
  keeper.pid = pid;
  keeper.link = std::move(launcherEnd);
  return true;
}

} // namespace ompdsm::run
