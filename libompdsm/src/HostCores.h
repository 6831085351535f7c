// HostCores.h: which processors the nodes of a job may run on. Launchers may bind each node to some
// of its host's, or let all nodes of a host share them, so each has to hear of the others'.
#pragma once
#include <bitset>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ompdsm {

/// What one node may run on.
struct NodeCores {
  static constexpr std::size_t kMostCores = 8192; ///< The kernel's limit (NR_CPUS).
  std::string host; ///< The same for nodes that share a kernel, in whatever containers.
  std::bitset<kMostCores> cores;

  static NodeCores ofThisProcess();
  std::string encode() const;
  /// Nothing, on no host, of what encode() has not written.
  static NodeCores decode(std::span<const std::byte> bytes);
};

/// Of all nodes together; as seen by one of them, `self`.
struct HostCores {
  unsigned ofJob = 1;      ///< On all hosts.
  unsigned ofEachNode = 1; ///< Without taking another node's: the least of all nodes, at least 1.
  unsigned ofHost = 1;     ///< Of those on this host.
  unsigned nodesOfHost = 1;

  HostCores() = default;
  HostCores(const std::vector<NodeCores> &byNode, unsigned self);
  /// Whether threads that wait for each other on this host would take the cores from those that
  /// work, if each node has so many.
  bool areTooFewFor(unsigned threadsOfNode) const { return nodesOfHost * threadsOfNode > ofHost; }
};

} // namespace ompdsm
