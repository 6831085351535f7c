// ManagedStart.cpp: PMIx by dlopen, so that only those need it who start jobs with it.
#include "libompdsm/src/ManagedStart.h"
#include "fabric/BootstrapProtocol.h"
#include "libompdsm/src/Fatal.h"
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pmix.h>
#include <spawn.h>
#include <sys/personality.h>
#include <unistd.h>

extern char **environ;

namespace ompdsm {
namespace {

constexpr const char *kKey = "ompdsm.rendezvous";
constexpr const char *kAgain = "OMPDSM_REEXECUTED";

bool isManaged() {
  return std::getenv("PMIX_RANK") && std::getenv("PMIX_NAMESPACE") && !std::getenv("OMPDSM_NODES");
}

/// The functions of libpmix that are used, by name.
class Pmix {
public:
  Status open() {
    void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return Status::error(std::string("the job's launcher offers PMIx, but libpmix is missing: ") +
                           dlerror() + "; install libpmix2, or use ompdsm-run");
    const auto find = [&](auto &function, const char *name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    if (!find(init_, "PMIx_Init") || !find(finalize_, "PMIx_Finalize") || !find(get_, "PMIx_Get") ||
        !find(put_, "PMIx_Put") || !find(commit_, "PMIx_Commit") || !find(fence_, "PMIx_Fence") ||
        !find(describe_, "PMIx_Error_string"))
      return Status::error("libpmix.so.2 is not PMIx of version 2 or later");
    return check("PMIx_Init", init_(&self_, nullptr, 0));
  }
  void close() { finalize_(nullptr, 0); }

  unsigned rank() const { return self_.rank; }

  /// A number that the launcher knows of the whole job.
  Status jobNumber(const char *key, unsigned &number) {
    pmix_value_t *value = nullptr;
    Status status = read(PMIX_RANK_WILDCARD, key, value);
    if (status.isOk())
      number = value->data.uint32; // Small, and the process's only one: not worth a release.
    return status;
  }
  /// Collective: `mine` of rank 0 reaches all.
  Status shareOfRank0(std::string &text) {
    if (rank() == 0) {
      pmix_value_t value{};
      value.type = PMIX_STRING;
      value.data.string = text.data();
      if (Status status = check("PMIx_Put", put_(PMIX_GLOBAL, kKey, &value)); !status.isOk())
        return status;
    }
    if (Status status = check("PMIx_Commit", commit_()); !status.isOk())
      return status;
    pmix_info_t collect{};
    std::strncpy(collect.key, PMIX_COLLECT_DATA, PMIX_MAX_KEYLEN);
    collect.value.type = PMIX_BOOL;
    collect.value.data.flag = true;
    if (Status status = check("PMIx_Fence", fence_(nullptr, 0, &collect, 1)); !status.isOk())
      return status;
    pmix_value_t *value = nullptr;
    Status status = read(0, kKey, value);
    if (status.isOk())
      text = value->data.string;
    return status;
  }

private:
  Status read(pmix_rank_t rank, const char *key, pmix_value_t *&value) {
    pmix_proc_t process{};
    std::memcpy(process.nspace, self_.nspace, sizeof process.nspace);
    process.rank = rank;
    return check(key, get_(&process, key, nullptr, 0, &value));
  }
  Status check(const char *what, pmix_status_t code) {
    return code == PMIX_SUCCESS
               ? Status::ok()
               : Status::error(std::string("the start by PMIx failed: ") + what + ": " +
                               describe_(code) + "; ompdsm-run needs no PMIx");
  }

  pmix_proc_t self_{};
  decltype(&PMIx_Init) init_ = nullptr;
  decltype(&PMIx_Finalize) finalize_ = nullptr;
  decltype(&PMIx_Get) get_ = nullptr;
  decltype(&PMIx_Put) put_ = nullptr;
  decltype(&PMIx_Commit) commit_ = nullptr;
  decltype(&PMIx_Fence) fence_ = nullptr;
  decltype(&PMIx_Error_string) describe_ = nullptr;
};

/// An address of this host: `wanted` (an interface or an address), or the first that is up and not
/// loopback.
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
    if (wanted.empty() ? !(one->ifa_flags & IFF_LOOPBACK)
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
                        const std::string &secret, std::string &rendezvous) {
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
                    limit = std::to_string(seconds);
  const char *argv[] = {path.c_str(), count.c_str(), address.c_str(), limit.c_str(), nullptr};
  pid_t pid = 0;
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

Status join(Pmix &pmix, Options &options, fabric::BootstrapOptions &where) {
  unsigned nodes = 1, local = 1;
  if (Status status = pmix.jobNumber(PMIX_JOB_SIZE, nodes); !status.isOk())
    return status;
  if (nodes == 1)
    return Status::ok();
  if (nodes > fabric::bootstrap::kMaxNodes)
    return Status::error("the job has " + std::to_string(nodes) + " processes, more than the " +
                         std::to_string(fabric::bootstrap::kMaxNodes) + " that a job may have");
  if (Status status = pmix.jobNumber(PMIX_LOCAL_SIZE, local); !status.isOk())
    local = 1;
  std::string text; // rendezvous and secret
  if (pmix.rank() == 0) {
    fabric::bootstrap::Secret secret;
    if (!fabric::bootstrap::fillRandom(secret))
      return Status::error("cannot get random bytes for the job's secret");
    const std::string printed = fabric::bootstrap::printSecret(secret);
    std::string address = local == nodes && options.interface.empty() ? "127.0.0.1" : "";
    if (address.empty())
      if (Status status = findAddress(options.interface, address); !status.isOk())
        return status;
    std::string rendezvous;
    if (Status status =
            startCoordinator(nodes, address, options.startTimeoutSeconds, printed, rendezvous);
        !status.isOk())
      return status;
    text = rendezvous + " " + printed;
  }
  if (Status status = pmix.shareOfRank0(text); !status.isOk())
    return status;
  const std::size_t space = text.find(' ');
  if (space == std::string::npos)
    return Status::error("node 0 could not start the job's coordinator");
  where = {.node = pmix.rank(),
           .nodes = nodes,
           .rendezvous = text.substr(0, space),
           .secret = text.substr(space + 1)};
  if (!std::getenv("OMPDSM_LOCAL_NODES"))
    options.localNodes = local;
  // A child of the program inherits what isManaged() looks for, but is a program of its own.
  setenv("OMPDSM_NODES", std::to_string(nodes).c_str(), 1);
  return Status::ok();
}

} // namespace

void leaveRandomisation(char **argv) {
  if (!isManaged())
    return;
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

Status findManagedJob(Options &options, fabric::BootstrapOptions &where) {
  if (!isManaged())
    return Status::ok();
  Pmix pmix;
  if (Status status = pmix.open(); !status.isOk())
    return status;
  Status status = join(pmix, options, where);
  pmix.close();
  return status;
}

} // namespace ompdsm
