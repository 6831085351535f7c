// Provider.h: choosing libfabric providers by name, and shielding the process from their start-up.
#pragma once
#include "../Status.h"
#include "Library.h"
#include <csignal>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ompdsm::fabric {

struct InfoDeleter {
  void operator()(fi_info *info) const { library().freeInfo(info); }
};
using InfoPtr = std::unique_ptr<fi_info, InfoDeleter>;

/// While it lives, new threads start with all signals blocked; when it ends, the signal mask and
/// the handlers of the signals that providers take over (SIGSEGV, SIGBUS, SIGTERM, SIGINT) are as
/// before.
class StartupShield {
public:
  StartupShield();
  ~StartupShield();
  StartupShield(const StartupShield &) = delete;
  StartupShield &operator=(const StartupShield &) = delete;

private:
  static constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGTERM, SIGINT};
  sigset_t mask_;
  struct sigaction actions_[std::size(kSignals)];
};

/// While it lives, the environment holds what providers read from it at their start (the first use
/// of libfabric in the process), where the user has not set it. Children of the program see none of
/// it. Nodes that are threads of one process start their providers one after the other: the
/// environment is theirs together.
class ProviderEnvironment {
public:
  explicit ProviderEnvironment(std::string_view transport);
  ~ProviderEnvironment();
  ProviderEnvironment(const ProviderEnvironment &) = delete;
  ProviderEnvironment &operator=(const ProviderEnvironment &) = delete;

private:
  void set(const char *name, const std::string &value);
  std::unique_lock<std::mutex> alone_;
  std::vector<const char *> set_; ///< Names that the user had not set.
};

/// Finds exactly the provider `name` for reliable ordered messages. `bindAddress` is ignored by
/// shm.
Status findProvider(const std::string &name, const std::string &bindAddress, InfoPtr &info);
/// Finds the best provider for TCP: "tcp" itself (libfabric >= 1.18), else "net", else
/// "tcp;ofi_rxm".
Status findTcpProvider(const std::string &bindAddress, InfoPtr &info);

} // namespace ompdsm::fabric
