// HostCores.cpp: shares of cores that several nodes may run on.
#include "libompdsm/src/HostCores.h"
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace ompdsm {

namespace {
using Cores = std::bitset<NodeCores::kMostCores>;

struct Host {
  Cores cores;
  unsigned nodes = 0;
  std::array<unsigned, NodeCores::kMostCores> nodesOf{}; ///< That may run on the core.
};
} // namespace

NodeCores NodeCores::ofThisProcess() {
  NodeCores own;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> own.host;
  if (own.host.empty()) {
    char name[256] = "";
    (void)gethostname(name, sizeof name - 1);
    own.host = name;
  }
  std::array<unsigned char, kMostCores / 8> mask{};
  if (sched_getaffinity(0, mask.size(), reinterpret_cast<cpu_set_t *>(mask.data())) != 0)
    mask[0] = 1;
  for (std::size_t core = 0; core < kMostCores; ++core)
    own.cores[core] = mask[core / 8] >> core % 8 & 1;
  return own;
}

std::string NodeCores::encode() const {
  std::string text = host + '\n';
  for (std::size_t core = 0; core < kMostCores; ++core)
    if (cores[core])
      text += std::to_string(core) + ' ';
  return text;
}

NodeCores NodeCores::decode(std::span<const std::byte> bytes) {
  const std::string text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  const std::size_t end = std::min(text.find('\n'), text.size());
  NodeCores node{.host = text.substr(0, end), .cores = {}};
  for (std::size_t at = end, core = 0; at < text.size(); ++at)
    if (text[at] >= '0' && text[at] <= '9')
      core = std::min(core * 10 + std::size_t(text[at] - '0'), kMostCores);
    else if (text[at] == ' ' && core < kMostCores)
      node.cores[std::exchange(core, 0)] = true;
  return node;
}

HostCores::HostCores(const std::vector<NodeCores> &byNode, unsigned self) {
  std::map<std::string, Host> hosts;
  for (const NodeCores &node : byNode) {
    Host &host = hosts[node.host];
    ++host.nodes;
    host.cores |= node.cores;
    for (std::size_t core = 0; core < NodeCores::kMostCores; ++core)
      host.nodesOf[core] += node.cores[core];
  }
  double least = NodeCores::kMostCores;
  for (const NodeCores &node : byNode) {
    const Host &host = hosts.at(node.host);
    double share = 0;
    for (std::size_t core = 0; core < NodeCores::kMostCores; ++core)
      if (node.cores[core])
        share += 1.0 / host.nodesOf[core];
    least = std::min(least, share);
  }
  constexpr double kRounding = 1e-6;
  ofEachNode = std::max(1u, unsigned(least + kRounding));
  ofJob = 0;
  for (const auto &[name, host] : hosts)
    ofJob += unsigned(host.cores.count());
  ofJob = std::max(1u, ofJob);
  const Host &own = hosts.at(byNode[self].host);
  ofHost = unsigned(own.cores.count());
  nodesOfHost = own.nodes;
}

} // namespace ompdsm
