// NodeStart.h: how one node's process is made: its environment, standard streams and signals.
#pragma once
#include "libompdsm/tools/run/LaunchOptions.h"
#include "libompdsm/tools/run/UniqueFd.h"
#include <csignal>
#include <functional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace ompdsm::run {

/// The pipes that carry a node's stdout and stderr to the launcher.
struct NodePipes {
  UniqueFd outRead, outWrite, errRead, errWrite;
};

/// All that the nodes' processes are made from; complete before the keeper is forked.
struct NodePlan {
  LaunchOptions options;
  std::string program; ///< as findProgram() found it.
  std::string rendezvous;
  std::string secret;
  sigset_t signalMask{};        ///< of the launcher when it was started.
  rlimit descriptorLimit{};     ///< likewise.
  std::vector<NodePipes> pipes; ///< by node.
};

/// Makes the pipes of all nodes; false with errno.
bool makePipes(NodePlan &plan);

/// Forks and executes node `node`, as a child that dies with the calling process. Returns its pid,
/// or -1 with `error` when it could not be forked or its program not be executed (it is gone then).
/// `beforeProgram` is called in the child.
pid_t startNode(const NodePlan &plan, unsigned node, int &error,
                const std::function<void()> &beforeProgram);

} // namespace ompdsm::run
