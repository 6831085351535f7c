// ManagedStart.cpp: what node 0 and the others tell each other by PMIx.
#include "libompdsm/src/ManagedStart.h"
#include "fabric/BootstrapProtocol.h"
#include "fabric/Check.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Pmix.h"
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <spawn.h>
#include <string_view>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

namespace ompdsm {
namespace {

// Keys of what the nodes tell each other.
constexpr const char *kRendezvous = "ompdsm.rendezvous"; ///< By node 0: address and secret.
constexpr const char *kOutcome = "ompdsm.outcome";       ///< By each: kReached, or why not.
constexpr const char *kReached = "-";
constexpr std::string_view kFailed =
    "!"; ///< Node 0's word in place of the rendezvous; a reason follows.

constexpr const char *kAgain = "OMPDSM_REEXECUTED";

bool isManaged() {
  return std::getenv("PMIX_RANK") && std::getenv("PMIX_NAMESPACE") && !std::getenv("OMPDSM_NODES");
}

/// An address of this host: `wanted` (an interface or an address), or the first that works and is
/// not loopback. A container engine's bridge is up without containers, but not running.
Status findAddress(const std::string &wanted, std::string &address) {
  ifaddrs *all = nullptr;
  if (getifaddrs(&all) != 0)
    return Status::error(std::string("cannot list the network interfaces: ") +
                         std::strerror(errno));
  for (const ifaddrs *one = all; one && address.empty(); one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || !(one->ifa_flags & IFF_UP))
      continue;
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in *>(one->ifa_addr)->sin_addr, text,
              sizeof text);
    if (wanted.empty() ? !(one->ifa_flags & IFF_LOOPBACK) && (one->ifa_flags & IFF_RUNNING)
                       : wanted == one->ifa_name || wanted == text)
      address = text;
  }
  freeifaddrs(all);
  if (!address.empty())
    return Status::ok();
  return Status::error(wanted.empty()
                           ? "this host has no network interface that others could reach; "
                             "OMPDSM_INTERFACE names one"
                           : "OMPDSM_INTERFACE is '" + wanted +
                                 "', but this host has no such interface or address");
}

/// The program beside this library.
std::string coordinatorPath() {
  Dl_info self{};
  dladdr(reinterpret_cast<void *>(&coordinatorPath), &self);
  const std::string library = self.dli_fname ? self.dli_fname : "";
  return library.substr(0, library.rfind('/') + 1) + "ompdsm-coordinator";
}

/// Starts the coordinator and reads where it listens.
Status startCoordinator(unsigned nodes, const std::string &address, unsigned seconds,
                        const std::string &secret, std::string &rendezvous, pid_t &pid) {
  int in[2], out[2];
  if (pipe(in) != 0 || pipe(out) != 0)
    return Status::error(std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  for (int fd : {in[0], in[1], out[0], out[1]})
    posix_spawn_file_actions_addclose(&actions, fd);
  const std::string path = coordinatorPath(), count = std::to_string(nodes),
                    limit = std::to_string(seconds), self = std::to_string(getpid());
  const char *argv[] = {path.c_str(),  count.c_str(), address.c_str(),
                        limit.c_str(), self.c_str(),  nullptr};
  const int error =
      posix_spawn(&pid, path.c_str(), &actions, nullptr, const_cast<char **>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  ssize_t sent = -1, got = 0;
  char line[64] = "";
  if (error == 0) {
    sent = write(in[1], secret.data(), secret.size());
    close(in[1]);
    for (ssize_t more; got < ssize_t(sizeof line) - 1 &&
                       (more = read(out[0], line + got, sizeof line - 1 - std::size_t(got))) > 0;)
      got += more;
  }
  close(out[0]);
  rendezvous.assign(line, got > 0 && line[got - 1] == '\n' ? std::size_t(got - 1) : 0);
  if (error != 0)
    return Status::error("cannot start '" + path + "': " + std::strerror(error) +
                         "; is the installation complete?");
  return sent == ssize_t(secret.size()) && !rendezvous.empty()
             ? Status::ok()
             : Status::error("the job's coordinator ended at once");
}

} // namespace

/// `text` becomes address and secret, with a space between.
Status ManagedStart::openRendezvous(const Options &options, bool onOneHost, std::string &text) {
  fabric::bootstrap::Secret secret;
  if (!fabric::bootstrap::fillRandom(secret))
    return Status::error("cannot get random bytes for the job's secret");
  const std::string printed = fabric::bootstrap::printSecret(secret);
  std::string address = onOneHost && options.interface.empty() ? "127.0.0.1" : "", rendezvous;
  if (address.empty())
    if (Status status = findAddress(options.interface, address); !status.isOk())
      return status;
  if (Status status = startCoordinator(nodes_, address, options.startTimeoutSeconds, printed,
                                       rendezvous, coordinator_);
      !status.isOk())
    return status;
  text = rendezvous + " " + printed;
  return Status::ok();
}

void ManagedStart::meet() {
  const Status status = pmix_->fence();
  if (status.isOk())
    return;
  // A process is gone, which the launcher tells; so one more word is enough.
  if (pmix_->rank() == 0)
    fatal("%s", status.message().c_str());
  _exit(1);
}

Status ManagedStart::join(Options &options, fabric::BootstrapOptions &where) {
  Pmix &pmix = *pmix_;
  unsigned local = 1;
  if (Status status = pmix.jobNumber(PMIX_JOB_SIZE, nodes_); !status.isOk())
    return status;
  if (nodes_ == 1)
    return Status::ok();
  if (nodes_ > fabric::bootstrap::kMaxNodes)
    failTogether("the job has " + std::to_string(nodes_) + " processes, more than the " +
                 std::to_string(fabric::bootstrap::kMaxNodes) + " nodes that a job may have");
  if (Status status = pmix.jobNumber(PMIX_LOCAL_SIZE, local); !status.isOk())
    local = 1;
  if (pmix.rank() == 0) {
    std::string text;
    if (Status status = openRendezvous(options, local == nodes_, text); !status.isOk())
      text = std::string(kFailed) + status.message();
    if (Status status = pmix.put(kRendezvous, text); !status.isOk())
      return status;
  }
  meet();
  std::string text;
  if (Status status = pmix.get(0, kRendezvous, text); !status.isOk())
    return status;
  if (text.starts_with(kFailed))
    failTogether(text.substr(kFailed.size()));
  const std::size_t space = text.find(' ');
  OMPDSM_CHECK(space != std::string::npos);
  where = {.node = pmix.rank(),
           .nodes = nodes_,
           .rendezvous = text.substr(0, space),
           .secret = text.substr(space + 1),
           .awaitsEnd = true};
  // A child of the program inherits what isManaged() looks for, but is a program of its own.
  setenv("OMPDSM_NODES", std::to_string(nodes_).c_str(), 1);
  return Status::ok();
}

void leaveRandomisation(char **argv) {
  if (!isManaged())
    return;
  if (std::getenv(kAgain)) // Its name came from the link.
    prctl(PR_SET_NAME, program_invocation_short_name);
  const int current = personality(0xffffffff);
  if (current < 0 || (current & ADDR_NO_RANDOMIZE))
    return;
  if (std::getenv(kAgain) || personality(unsigned(current) | ADDR_NO_RANDOMIZE) < 0)
    fatal("cannot switch off the randomisation of addresses, which all nodes must share "
          "(personality); in a container allow it, or run 'setarch -R' in front of the program");
  setenv(kAgain, "1", 1);
  execv("/proc/self/exe", argv);
  fatal("cannot execute the program again without randomised addresses: %s", std::strerror(errno));
}

ManagedStart::ManagedStart() = default;
ManagedStart::~ManagedStart() = default;

Status ManagedStart::find(Options &options, fabric::BootstrapOptions &where) {
  if (!isManaged())
    return Status::ok();
  pmix_ = std::make_unique<Pmix>();
  if (Status status = pmix_->open(); !status.isOk())
    return status;
  Status status = join(options, where);
  if (!status.isOk() || nodes_ == 1)
    leave();
  return status;
}

void ManagedStart::leave() {
  pmix_->close();
  pmix_.reset();
}

Status ManagedStart::shareOutcome(const Status &connected) {
  if (!pmix_)
    return connected;
  std::string mine = kReached;
  if (!connected.isOk()) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    mine = "node " + std::to_string(pmix_->rank()) + " on host '" + host +
           "': " + connected.message() +
           "; OMPDSM_INTERFACE chooses the network interface, or address, of node 0";
  }
  if (Status status = pmix_->put(kOutcome, mine); !status.isOk())
    return status;
  meet();
  std::string failure;
  for (unsigned rank = 0; rank < nodes_ && failure.empty(); ++rank) {
    std::string text;
    if (Status status = pmix_->get(rank, kOutcome, text); !status.isOk())
      return status;
    if (text != kReached)
      failure = text;
  }
  if (!failure.empty())
    failTogether(failure);
  leave();
  return Status::ok();
}

void ManagedStart::failTogether(const std::string &reason) {
  if (pmix_->rank() == 0) {
    // It would tell of the consequences.
    if (coordinator_ != 0)
      kill(coordinator_, SIGKILL);
    std::fprintf(stderr, "ompdsm: %s; the job ends\n", reason.c_str());
  }
  // Nobody ends before it is said, because the launcher kills the others then.
  (void)pmix_->fence();
  leave();
  _exit(1);
}

} // namespace ompdsm
