// LaunchOptions.h: what the user asked ompdsm-run for.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace ompdsm::run {

/// Exit codes of ompdsm-run's own errors; the shells use the same.
inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNotExecutable = 126;
inline constexpr int kExitNotFound = 127;

inline constexpr unsigned kMaxThreadsPerNode = 1024;
inline constexpr unsigned kMaxStartTimeoutSeconds = 86400;
inline constexpr unsigned kMaxKillWaitSeconds = 86400;

struct LaunchOptions {
  unsigned nodes = 0;
  std::optional<unsigned> threads; ///< per node.
  std::string provider;            ///< empty: the program's choice; so with the next three.
  std::string fault;
  std::string trace;
  std::string events;
  bool stats = false;
  bool tag = false;
  unsigned startTimeoutSeconds = 60;
  unsigned killWaitSeconds = 30;    ///< As of Slurm's KillWait; 0: for ever.
  std::vector<std::string> command; ///< the program and its arguments; never empty.
};

/// Reads the command line. Without a value, the process is to exit with `exitCode`; the help, the
/// version or one message has been printed.
std::optional<LaunchOptions> parseLaunchOptions(int argc, char **argv, int &exitCode);

/// Finds the program as execvp does. Without a value, the message was printed, and `exitCode` is
/// 126 (not executable) or 127 (not found).
std::optional<std::string> findProgram(const std::string &name, int &exitCode);

} // namespace ompdsm::run
