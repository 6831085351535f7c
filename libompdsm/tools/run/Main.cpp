// Main.cpp: ompdsm-run: prepares the process, forks the keeper, runs the job.
#include "libompdsm/tools/run/Descendants.h"
#include "libompdsm/tools/run/Job.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace ompdsm::run {
namespace {

int fail(const std::string &what, int error) {
  std::fprintf(stderr, "ompdsm-run: %s: %s\n", what.c_str(), std::strerror(error));
  return kExitFailure;
}

/// Descriptors 0 to 2 must be open, or pipes and sockets of ours would take their numbers.
void openStandardStreams() {
  for (int fd = 0; fd <= 2; ++fd)
    if (fcntl(fd, F_GETFD) < 0)
      (void)!open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY); // takes the lowest free number: fd
}

/// Nodes must have the same addresses. The personality is inherited, and means nothing to
/// ourselves.
bool switchOffRandomisation() {
  const int current = personality(0xffffffff);
  return current >= 0 && personality(static_cast<unsigned long>(current) | ADDR_NO_RANDOMIZE) >= 0;
}

/// Two pipes and a connection for each node: the soft limit (often 1024) is too near.
void raiseDescriptorLimit(rlimit &before) {
  if (getrlimit(RLIMIT_NOFILE, &before) != 0)
    return;
  rlimit raised = before;
  raised.rlim_cur = raised.rlim_max;
  setrlimit(RLIMIT_NOFILE, &raised);
}

int launch(int argc, char **argv) {
  openStandardStreams();
  int exitCode = 0;
  std::optional<LaunchOptions> options = parseLaunchOptions(argc, argv, exitCode);
  if (!options)
    return exitCode;
  NodePlan plan;
  plan.options = std::move(*options);
  std::optional<std::string> program = findProgram(plan.options.command.front(), exitCode);
  if (!program)
    return exitCode;
  plan.program = std::move(*program);
  if (!switchOffRandomisation())
    return fail("cannot switch off the randomisation of addresses, which all nodes must share "
                "(personality); in a "
                "container allow it, for example with docker run --security-opt seccomp=unconfined",
                errno);
  raiseDescriptorLimit(plan.descriptorLimit);

  fabric::bootstrap::Secret secret;
  if (!fabric::bootstrap::fillRandom(secret))
    return fail("cannot get random bytes for the job's secret", errno);
  plan.secret = fabric::bootstrap::printSecret(secret);
  EventLoop loop;
  Admission admission(loop, plan.options.nodes, secret);
  if (!admission.open())
    return fail("cannot listen on 127.0.0.1 for the nodes", errno);
  plan.rendezvous = admission.address();
  if (!makePipes(plan))
    return fail("cannot make the pipes for the output of " + std::to_string(plan.options.nodes) +
                    " nodes; raise the limit of open files (ulimit -n)",
                errno);

  const std::vector<pid_t> spared = listChildren(); // of before an exec of ompdsm-run
  SignalRelay::block(plan.signalMask);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  KeeperHandle keeper;
  if (!forkKeeper(plan, admission.listener(), keeper))
    return fail("cannot start the keeper of the job", errno);
  return Job(loop, plan, admission, std::move(keeper), spared).run();
}

} // namespace
} // namespace ompdsm::run

int main(int argc, char **argv) { return ompdsm::run::launch(argc, argv); }
