// NodeStart.cpp: from the keeper's fork to the program's first instruction.
#include "libompdsm/tools/run/NodeStart.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ompdsm::run {
namespace {

/// Signals that are the user's word to the program. Only node 0 runs main, so only it can have
/// handlers for them; in the other nodes the default action would end the job under a program that
/// handles the signal. The launcher ends those by the connection, and by SIGKILL.
constexpr int kProgramSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

void setEnvironment(const NodePlan &plan, unsigned node) {
  const LaunchOptions &options = plan.options;
  const auto set = [](const char *name, const std::string &value) {
    setenv(name, value.c_str(), 1);
  };
  set("OMPDSM_NODE", std::to_string(node));
  set("OMPDSM_NODES", std::to_string(options.nodes));
  set("OMPDSM_RENDEZVOUS", plan.rendezvous);
  set("OMPDSM_SECRET", plan.secret);
  if (options.threads)
    set("OMPDSM_THREADS", std::to_string(*options.threads));
  if (!options.provider.empty())
    set("OMPDSM_PROVIDER", options.provider);
  if (options.stats)
    set("OMPDSM_STATS", "1");
  if (!options.fault.empty())
    set("OMPDSM_FAULT", options.fault);
  if (!options.trace.empty())
    set("OMPDSM_TRACE", options.trace);
  if (!options.events.empty())
    set("OMPDSM_EVENTS", options.events);
}

bool setStreams(const NodePlan &plan, unsigned node) {
  const NodePipes &pipes = plan.pipes[node];
  if (node != 0) {
    const UniqueFd none(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!none.isOpen() || dup2(none.get(), STDIN_FILENO) < 0)
      return false;
  }
  return dup2(pipes.outWrite.get(), STDOUT_FILENO) >= 0 &&
         dup2(pipes.errWrite.get(), STDERR_FILENO) >= 0;
}

[[noreturn]] void becomeNode(const NodePlan &plan, unsigned node, pid_t keeper, int reportFd,
                             const std::function<void()> &beforeProgram) {
  std::vector<char *> arguments;
  for (const std::string &argument : plan.options.command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  // The parent may have died before the first call, then its death is not signalled: ask.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() != keeper)
    _exit(kExitFailure);
  if (setStreams(plan, node)) {
    setEnvironment(plan, node);
    if (node != 0)
      for (const int number : kProgramSignals)
        signal(number, SIG_IGN);
    setrlimit(RLIMIT_NOFILE, &plan.descriptorLimit);
    sigprocmask(SIG_SETMASK, &plan.signalMask, nullptr);
    beforeProgram();
    execvp(plan.program.c_str(), arguments.data());
  }
  const int error = errno;
  (void)!write(reportFd, &error, sizeof error);
  _exit(kExitNotFound);
}

} // namespace

bool makePipes(NodePlan &plan) {
  plan.pipes.clear();
  for (unsigned node = 0; node < plan.options.nodes; ++node) {
    int out[2], err[2];
    if (pipe2(out, O_CLOEXEC) != 0)
      return false;
    NodePipes pipes;
    pipes.outRead.reset(out[0]);
    pipes.outWrite.reset(out[1]);
    if (pipe2(err, O_CLOEXEC) != 0)
      return false;
    pipes.errRead.reset(err[0]);
    pipes.errWrite.reset(err[1]);
    plan.pipes.push_back(std::move(pipes));
  }
  return true;
}

pid_t startNode(const NodePlan &plan, unsigned node, int &error,
                const std::function<void()> &beforeProgram) {
  // The write end closes by itself when the program is executed, so nothing is read then.
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    error = errno;
    return -1;
  }
  const UniqueFd reportRead(report[0]);
  UniqueFd reportWrite(report[1]);
  const pid_t keeper = getpid();
  const pid_t pid = fork();
  if (pid == 0)
    becomeNode(plan, node, keeper, reportWrite.get(), beforeProgram);
  if (pid < 0) {
    error = errno;
    return -1;
  }
  reportWrite.reset();
  int failure = 0;
  if (read(reportRead.get(), &failure, sizeof failure) != sizeof failure)
    return pid;
  waitpid(pid, nullptr, 0);
  error = failure;
  return -1;
}

} // namespace ompdsm::run
