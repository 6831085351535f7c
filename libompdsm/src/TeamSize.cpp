// TeamSize.cpp: the variable as OpenMP describes it, a list of positive numbers.
#include "libompdsm/src/TeamSize.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/resource.h>

namespace ompdsm {
namespace {

constexpr const char *kVariable = "OMP_NUM_THREADS";
constexpr std::string_view kSpaces = " \t\n";

std::string_view withoutSpaces(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

/// A positive number; one that is too large for the type is the largest, which nobody supports.
bool readCount(std::string_view text, unsigned long long &count) {
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc::result_out_of_range)
    count = ~0ull;
  return error != std::errc::invalid_argument && stop == end && count != 0;
}

} // namespace

Status readTeamSize(const Options &options, unsigned nodes, unsigned &threads) {
  const char *value = std::getenv(kVariable);
  std::string_view rest = withoutSpaces(value ? value : "");
  unsigned long long first = 0;
  for (bool more = !rest.empty(); more;) {
    const std::size_t comma = rest.find(',');
    unsigned long long count = 0;
    if (!readCount(withoutSpaces(rest.substr(0, comma)), count))
      return Status::error(std::string(kVariable) + " is '" + value +
                           "', but must be a number of threads from 1, or several with commas "
                           "between for nested regions");
    first = first ? first : count;
    more = comma != std::string_view::npos;
    rest.remove_prefix(more ? comma + 1 : rest.size());
  }
  if (options.threads) {
    threads = options.threads * nodes;
    return Status::ok();
  }
  if (Status status = checkTeamSize(kVariable, first, nodes); !status.isOk())
    return status;
  threads = unsigned(first);
  return Status::ok();
}

Status checkTeamOfOneNode() {
  constexpr rlim_t kMostOfKernel = 4 << 20; // PID_MAX_LIMIT, threads(7)
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) != 0)
    return Status::ok();
  const unsigned long long most = std::min(limit.rlim_cur, kMostOfKernel);
  const char *value = std::getenv(kVariable);
  const std::string_view list = value ? value : "";
  unsigned long long count = 0;
  if (!readCount(withoutSpaces(list.substr(0, list.find(','))), count) || count <= most)
    return Status::ok();
  return Status::error(std::string(kVariable) + " asks for " + std::to_string(count) +
                       " threads, but a user of this host has at most " + std::to_string(most) +
                       " (`ulimit -u`): ask for fewer");
}

Status checkTeamSize(const std::string &origin, unsigned long long threads, unsigned nodes) {
  const unsigned long long most = 1ull * kMaxThreadsPerNode * nodes;
  if (threads <= most)
    return Status::ok();
  return Status::error(origin + " asks for " + std::to_string(threads) + " threads, but a job of " +
                       std::to_string(nodes) + " nodes has at most " + std::to_string(most) + " (" +
                       std::to_string(kMaxThreadsPerNode) +
                       " on each node): ask for fewer, or start more nodes");
}

} // namespace ompdsm
