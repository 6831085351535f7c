// NodeRunner.cpp: threads, or processes that execute this program again with --node.
#include "NodeRunner.h"
#include "BrokenTransport.h"
#include "fabric/Check.h"
#include "fabric/Fault.h"
#include "fabric/Loopback.h"
#include "fabric/ofi/OfiTransport.h"
#include <cstring>
#include <fcntl.h>
#include <map>
#include <optional>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;

namespace ompdsm::test {

using namespace fabric;

/// Seconds after which a node process ends itself, whatever it does.
static constexpr unsigned kNodeSeconds = 110;

static std::map<std::string, Scenario> &scenarios() {
  static std::map<std::string, Scenario> all;
  return all;
}

RegisteredScenario::RegisteredScenario(const char *name, Scenario scenario) {
  OMPDSM_CHECK(scenarios().emplace(name, scenario).second);
}

Scenario findScenario(const std::string &name) {
  auto found = scenarios().find(name);
  OMPDSM_CHECK(found != scenarios().end());
  return found->second;
}

/// Decorates `inner` as the setting says and runs the scenario on it.
static std::string runDecorated(const Setting &setting, Transport &inner, Node node,
                                const std::string &scenario) {
  std::unique_ptr<Transport> decorated;
  Transport *transport = &inner;
  if (setting.decorators.starts_with("broken:")) {
    decorated = std::make_unique<BrokenTransport>(inner, setting.decorators.substr(7));
    transport = decorated.get();
  } else if (!setting.decorators.empty()) {
    FaultOptions options;
    Status status = FaultOptions::parse(setting.decorators, options);
    if (!status.isOk())
      return status.message();
    decorated = std::make_unique<FaultTransport>(inner, options);
    transport = decorated.get();
  }
  Node decoratedNode{*transport, node.area,      node.self,
                     node.nodes, node.arguments, setting.patience};
  return findScenario(scenario)(decoratedNode);
}

static std::string runOfi(const Setting &setting, SharedArea &area, unsigned self, unsigned nodes,
                          const std::string &scenario, const std::vector<std::string> &arguments) {
  OfiOptions options;
  options.transport = setting.transport;
  options.connectTimeout = std::chrono::milliseconds(30000);
  options.hostSuffix = std::to_string(self % setting.hosts);
  options.onFailure = [&](const std::string &reason) { area.fail(reason); };
  std::unique_ptr<OfiTransport> transport;
  Status status = OfiTransport::create(options, static_cast<NodeId>(self), nodes, transport);
  if (!status.isOk())
    return status.message();
  std::vector<std::vector<std::byte>> blobs;
  if (!area.exchange(self, nodes, transport->addressBlob(), blobs))
    return "the exchange of addresses failed";
  status = transport->connect(blobs);
  if (!status.isOk())
    return status.message();
  std::string reason = runDecorated(
      setting, *transport,
      {*transport, area, static_cast<NodeId>(self), nodes, arguments, setting.patience}, scenario);
  if (!reason.empty())
    area.fail(reason);
  // Nobody closes while somebody still receives.
  area.meet(nodes);
  return reason;
}

static std::string runInThreads(const Setting &setting, SharedArea &area, unsigned nodes,
                                const std::string &scenario,
                                const std::vector<std::string> &arguments) {
  std::optional<LoopbackNetwork> loopback;
  if (setting.transport == "loopback")
    loopback.emplace(nodes);
  std::vector<std::thread> threads;
  for (unsigned self = 0; self < nodes; ++self)
    threads.emplace_back([&, self] {
      auto id = static_cast<NodeId>(self);
      std::string reason =
          loopback
              ? runDecorated(setting, loopback->node(id),
                             {loopback->node(id), area, id, nodes, arguments, setting.patience},
                             scenario)
              : runOfi(setting, area, self, nodes, scenario, arguments);
      if (!reason.empty())
        area.fail("node " + std::to_string(self) + ": " + reason);
    });
  for (std::thread &thread : threads)
    thread.join();
  return area.reason();
}

static std::string runInProcesses(const Setting &setting, SharedArea &area, int fd, unsigned nodes,
                                  const std::string &scenario,
                                  const std::vector<std::string> &arguments) {
  std::vector<pid_t> children;
  for (unsigned self = 0; self < nodes; ++self) {
    std::vector<std::string> words{"fabric-node",
                                   "--node",
                                   std::to_string(fd),
                                   std::to_string(self),
                                   std::to_string(nodes),
                                   setting.transport,
                                   setting.decorators,
                                   std::to_string(setting.hosts),
                                   scenario};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> pointers;
    for (std::string &word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t pid = 0;
    OMPDSM_CHECK(posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, pointers.data(), environ) ==
                 0);
    children.push_back(pid);
  }
  for (unsigned self = 0; self < nodes; ++self) {
    int status = 0;
    OMPDSM_CHECK(waitpid(children[self], &status, 0) == children[self]);
    if (status != 0)
      area.fail("node process " + std::to_string(self) + " ended with status " +
                std::to_string(status));
  }
  return area.reason();
}

std::string runNodes(const Setting &setting, unsigned nodes, const std::string &scenario,
                     const std::vector<std::string> &arguments) {
  OMPDSM_CHECK(nodes <= SharedArea::kMaxNodes);
  int fd = -1;
  SharedArea *area = SharedArea::create(fd);
  std::string reason = setting.processes
                           ? runInProcesses(setting, *area, fd, nodes, scenario, arguments)
                           : runInThreads(setting, *area, nodes, scenario, arguments);
  SharedArea::close(area);
  ::close(fd);
  return reason;
}

int measureOnTransports(const std::string &program, const std::string &scenario,
                        std::vector<std::string> chosen, std::vector<std::string> usual) {
  int result = 0;
  for (const std::string &transport : chosen.empty() ? usual : chosen) {
    Setting setting;
    setting.transport = transport;
    setting.processes = transport != "loopback";
    std::string reason = runNodes(setting, 2, scenario);
    if (!reason.empty()) {
      std::fprintf(stderr, "%s: %s: %s\n", program.c_str(), transport.c_str(), reason.c_str());
      result = 1;
    }
  }
  return result;
}

void runAsNodeIfAsked(int argc, char **argv) {
  if (argc < 9 || std::strcmp(argv[1], "--node") != 0)
    return;
  // A node must not outlive the test that started it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(kNodeSeconds);
  int fd = std::atoi(argv[2]);
  SharedArea *area = SharedArea::open(fd);
  ::close(fd);
  auto self = static_cast<unsigned>(std::atoi(argv[3]));
  auto nodes = static_cast<unsigned>(std::atoi(argv[4]));
  Setting setting;
  setting.transport = argv[5];
  setting.decorators = argv[6];
  setting.hosts = static_cast<unsigned>(std::atoi(argv[7]));
  std::string reason =
      runOfi(setting, *area, self, nodes, argv[8], std::vector<std::string>(argv + 9, argv + argc));
  if (!reason.empty())
    area->fail("node " + std::to_string(self) + ": " + reason);
  std::exit(reason.empty() ? 0 : 1);
}

} // namespace ompdsm::test
