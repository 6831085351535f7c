// NodeRunner.h: runs one function per node, the nodes being threads of this process or processes of
// their own, over any transport.
#pragma once
#include "SharedArea.h"
#include "fabric/Transport.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ompdsm::test {

/// What a scenario sees of its node.
struct Node {
  fabric::Transport &transport;
  SharedArea &area;
  NodeId self;
  unsigned nodes;
  std::vector<std::string> arguments;
  /// No sleep of the suite is ever expected to last this long: one that does has lost a wake-up.
  std::chrono::milliseconds patience;

  bool meet() { return area.meet(nodes); }
};

/// Returns the reason of a failure, empty if it passed. Runs once on each node.
using Scenario = std::string (*)(Node &node);

/// Which transport, and how the nodes are made.
struct Setting {
  std::string name;                          ///< For test names: letters, digits and '_'.
  std::string transport;                     ///< "loopback", or the option of OfiTransport.
  std::string decorators;                    ///< "", or options of FaultTransport; "broken:<how>".
  bool processes = false;                    ///< Nodes are processes (never with loopback).
  unsigned hosts = 1;                        ///< Nodes pretend to be on so many hosts (in turn).
  std::chrono::milliseconds patience{20000}; ///< Node::patience, where nodes are threads.
};

/// A scenario with the name by which a node process finds it. At namespace scope only.
struct RegisteredScenario {
  RegisteredScenario(const char *name, Scenario scenario);
};
Scenario findScenario(const std::string &name);

/// Runs a scenario on `nodes` nodes; the reason of the first failure, empty if all passed.
std::string runNodes(const Setting &setting, unsigned nodes, const std::string &scenario,
                     const std::vector<std::string> &arguments = {});

/// The main() of a program that measures: runs the scenario on two nodes, processes where that is
/// possible, over each transport named by `chosen`, or by `usual` if that is empty.
int measureOnTransports(const std::string &program, const std::string &scenario,
                        std::vector<std::string> chosen, std::vector<std::string> usual);

/// To be called first by main(): if this process was started as a node by runNodes, runs the node
/// and does not return.
void runAsNodeIfAsked(int argc, char **argv);

} // namespace ompdsm::test
