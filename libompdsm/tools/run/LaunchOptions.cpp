// LaunchOptions.cpp: the command line of ompdsm-run, and the search for the program.
#include "libompdsm/tools/run/LaunchOptions.h"
#include "fabric/BootstrapProtocol.h"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace ompdsm::run {
namespace {

int usageError(const std::string &message) {
  std::fprintf(stderr, "ompdsm-run: %s\n", message.c_str());
  return kExitUsage;
}

/// CLI11 knows nothing of the program and its arguments, which it leaves alone.
class HelpFormat final : public CLI::Formatter {
public:
  std::string make_usage(const CLI::App *, std::string) const override {
    return "Usage: ompdsm-run -n N [options] [--] program [arguments]\n";
  }
};

/// What CLI11 says, as one line in our form.
std::string describe(const CLI::ParseError &error) {
  std::string text = error.what();
  for (char &c : text)
    if (c == '\n')
      c = ' ';
  return "wrong command line: " + text + "; see ompdsm-run --help";
}

} // namespace

std::optional<LaunchOptions> parseLaunchOptions(int argc, char **argv, int &exitCode) {
  LaunchOptions options;
  unsigned threads = 0;
  CLI::App app(
      "Runs an OpenMP program that was compiled with ompdsm on several nodes of this host.",
      "ompdsm-run");
  app.formatter(std::make_shared<HelpFormat>());
  // Everything from the program's name on belongs to the program.
  app.prefix_command();
  app.set_version_flag("--version", "ompdsm-run " OMPDSM_VERSION);
  app.add_option("-n,--nodes", options.nodes, "number of nodes")
      ->required()
      ->check(CLI::Range(1u, fabric::bootstrap::kMaxNodes))
      ->type_name("N");
  CLI::Option *threadsOption =
      app.add_option("-t,--threads", threads, "OpenMP threads of each node")
          ->check(CLI::Range(1u, kMaxThreadsPerNode))
          ->type_name("T");
  app.add_option("--provider", options.provider,
                 "network between the nodes: shm, tcp, or another provider of libfabric")
      ->type_name("NAME");
  app.add_flag("--tag", options.tag, "begin each line of output with the node that wrote it: [0]");
  app.add_flag("--stats", options.stats, "each node counts, and prints what it counted at its end");
  app.add_option("--fault", options.fault, "inject faults into the network (a test of the runtime)")
      ->type_name("SPEC");
  app.add_option("--trace", options.trace, "write the messages of each node to files of this name")
      ->type_name("FILE");
  app.add_option("--events", options.events,
                 "write the protocol's events of each node to files, for ompdsm-check --replay")
      ->type_name("SPEC");
  app.add_option("--start-timeout", options.startTimeoutSeconds,
                 "seconds until all nodes must have joined the job")
      ->check(CLI::Range(1u, kMaxStartTimeoutSeconds))
      ->envname("OMPDSM_START_TIMEOUT")
      ->capture_default_str()
      ->type_name("SECONDS");
  app.add_option("--kill-wait", options.killWaitSeconds,
                 "seconds that a program that handles SIGTERM has until it is killed; 0: no limit")
      ->check(CLI::Range(0u, kMaxKillWaitSeconds))
      ->envname("OMPDSM_KILL_WAIT")
      ->capture_default_str()
      ->type_name("SECONDS");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &wanted) {
    exitCode = app.exit(wanted);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    exitCode = usageError(describe(error));
    return std::nullopt;
  }
  options.command = app.remaining();
  if (!options.command.empty() && options.command.front() == "--")
    options.command.erase(options.command.begin());
  else if (!options.command.empty() && options.command.front().starts_with('-')) {
    exitCode = usageError(
        "unknown option '" + options.command.front() +
        "'; see ompdsm-run --help (a program whose name begins with '-' needs '--' before it)");
    return std::nullopt;
  }
  if (options.command.empty()) {
    exitCode = usageError("no program is given; say ompdsm-run -n N program [arguments]");
    return std::nullopt;
  }
  if (*threadsOption)
    options.threads = threads;
  if (getenv("OMPDSM_NODES")) {
    exitCode = usageError(
        "OMPDSM_NODES is set, so this is inside a node of a job already; jobs do not nest "
        "(outside of a job, unset OMPDSM_NODES)");
    return std::nullopt;
  }
  return options;
}

std::optional<std::string> findProgram(const std::string &name, int &exitCode) {
  std::vector<std::string> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else if (!name.empty()) {
    const char *path = getenv("PATH");
    std::string rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
    for (std::size_t start = 0; start <= rest.size();) {
      const std::size_t end = std::min(rest.find(':', start), rest.size());
      const std::string directory = rest.substr(start, end - start);
      candidates.push_back((directory.empty() ? "." : directory) + "/" + name);
      start = end + 1;
    }
  }
  int reason = ENOENT;
  for (const std::string &candidate : candidates) {
    struct stat status{};
    if (stat(candidate.c_str(), &status) != 0) {
      if (errno != ENOENT && errno != ENOTDIR)
        reason = errno;
    } else if (S_ISDIR(status.st_mode)) {
      reason = EISDIR;
    } else if (access(candidate.c_str(), X_OK) != 0) {
      reason = errno;
    } else {
      return candidate;
    }
  }
  exitCode = reason == ENOENT ? kExitNotFound : kExitNotExecutable;
  std::fprintf(stderr, "ompdsm-run: cannot run '%s': %s%s\n", name.c_str(), std::strerror(reason),
               reason == ENOENT && name.find('/') == std::string::npos
                   ? " in PATH; a program of this directory is ./name"
                   : "");
  return std::nullopt;
}

} // namespace ompdsm::run
