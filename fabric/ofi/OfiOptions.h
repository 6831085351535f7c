// OfiOptions.h: what a caller may choose about the libfabric transport.
#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace ompdsm::fabric {

struct OfiOptions {
  /// "auto": shm between nodes of one host, TCP otherwise. "tcp": TCP always, by whichever provider
  /// this libfabric has for it. "shm": refuse to run on several hosts. Anything else is the exact
  /// name of a libfabric provider, e.g. "net" or "tcp;ofi_rxm".
  std::string transport = "auto";
  /// Address of the interface that TCP-like providers use; the one that reaches the launcher.
  std::string bindAddress = "127.0.0.1";
  /// Longest time that connect() waits for a peer.
  std::chrono::milliseconds connectTimeout{60000};
  /// Added to the identity of the host: nodes with different suffixes do not use shm with each
  /// other, as if they were on different hosts.
  std::string hostSuffix;
  /// Called at most once, on whichever thread makes progress, when a connection failed and messages
  /// are lost. Unset: one message on stderr.
  std::function<void(const std::string &reason)> onFailure;
};

} // namespace ompdsm::fabric
