// Provider.cpp: fi_getinfo with the few things that this transport needs, and nothing else.
#include "Provider.h"
#include "../Check.h"
#include "Wire.h"
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <set>
#include <sys/random.h>
#include <unistd.h>

namespace ompdsm::fabric {

StartupShield::StartupShield() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask_);
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], nullptr, &actions_[i]);
}

StartupShield::~StartupShield() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &actions_[i], nullptr);
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
}

static std::mutex &environmentMutex() {
  static std::mutex mutex;
  return mutex;
}

ProviderEnvironment::ProviderEnvironment(std::string_view transport) : alone_(environmentMutex()) {
  // The start of every provider costs 100 to 300 ms of CPU, so only ours start.
  if (transport == "auto" || transport == "shm" || transport == "tcp" || transport == "net" ||
      transport == "tcp;ofi_rxm")
    set("FI_PROVIDER", "shm,net,tcp,ofi_rxm");
  // rxm sends what is larger than its buffers by rendezvous, which triples the time of 64 KiB; and
  // it touches all of its buffers at once, so their number is cut: 170 MB per node instead of 1.1
  // GB.
  std::string bufferBytes = std::to_string(kMaxWireBytes + 1024);
  set("FI_OFI_RXM_BUFFER_SIZE", bufferBytes);
  set("FI_OFI_RXM_EAGER_LIMIT", bufferBytes);
  set("FI_OFI_RXM_MSG_RX_SIZE", "16");
}

ProviderEnvironment::~ProviderEnvironment() {
  for (const char *name : set_)
    unsetenv(name);
}

void ProviderEnvironment::set(const char *name, const std::string &value) {
  if (std::getenv(name))
    return;
  setenv(name, value.c_str(), 1);
  set_.push_back(name);
}

static fi_info *makeHints(const std::string &name) {
  fi_info *hints = library().duplicateInfo(nullptr);
  OMPDSM_CHECK(hints != nullptr);
  hints->caps = FI_MSG;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->mr_mode = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
  hints->tx_attr->msg_order = FI_ORDER_SAS;
  hints->rx_attr->msg_order = FI_ORDER_SAS;
  if (!name.empty())
    hints->fabric_attr->prov_name = strdup(name.c_str());
  return hints;
}

static std::string listProviders() {
  fi_info *all = nullptr;
  InfoPtr hints(makeHints(""));
  std::set<std::string> names;
  if (library().getInfo(FI_VERSION(1, 17), nullptr, nullptr, 0, hints.get(), &all) == 0) {
    InfoPtr owner(all);
    for (fi_info *info = all; info; info = info->next)
      names.insert(info->fabric_attr->prov_name);
  }
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "'" : ", '") + name + "'";
  return list.empty() ? "none" : list;
}

static std::uint64_t randomWord() {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random)
    random =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return random;
}

/// A name for this process's files in /dev/shm: "<pid>:<random>", of which the launcher knows the
/// beginning. The pid alone, which the provider would take, collides with what an earlier process
/// of the same pid has left when it was killed.
static std::string sharedMemoryName() {
  char text[64];
  std::snprintf(text, sizeof text, "%d:%016" PRIx64, getpid(), randomWord());
  return text;
}

Status findProvider(const std::string &name, const std::string &bindAddress, InfoPtr &info) {
  InfoPtr hints(makeHints(name));
  std::string source = name == "shm" ? sharedMemoryName() : bindAddress;
  fi_info *found = nullptr;
  int result =
      library().getInfo(FI_VERSION(1, 17), source.c_str(), nullptr, FI_SOURCE, hints.get(), &found);
  InfoPtr owner(found);
  if (result != 0 && result != -FI_ENODATA && result != -FI_ENOSYS)
    return Status::error("libfabric cannot look up the provider '" + name + "' for address " +
                         bindAddress + ": " + library().describeError(-result));
  for (fi_info *candidate = found; candidate; candidate = candidate->next) {
    // Asked for "tcp", libfabric 1.17 also offers "tcp;ofi_rxm": only the exact name counts.
    if (name == candidate->fabric_attr->prov_name) {
      info.reset(library().duplicateInfo(candidate));
      OMPDSM_CHECK(info != nullptr);
      return Status::ok();
    }
  }
  return Status::error("this libfabric has no provider '" + name + "' for messages from address " +
                       bindAddress + "; it has " + listProviders() +
                       ". choose one of these, 'tcp' or 'auto'");
}

Status findTcpProvider(const std::string &bindAddress, InfoPtr &info) {
  Status status = Status::ok();
  for (const char *name : {"tcp", "net", "tcp;ofi_rxm"}) {
    status = findProvider(name, bindAddress, info);
    if (status.isOk())
      return status;
  }
  return status;
}

} // namespace ompdsm::fabric
