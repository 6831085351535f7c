// Descendants.cpp: the sweep over /proc for children, repeated as their own children come up to us.
#include "libompdsm/tools/run/Descendants.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ompdsm::run {
namespace {

/// The parent of process `pid`, or 0 if it is gone.
pid_t parentOf(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", int(pid));
  std::FILE *file = std::fopen(path, "re");
  if (!file)
    return 0;
  char text[512] = {};
  const std::size_t length = std::fread(text, 1, sizeof text - 1, file);
  std::fclose(file);
  // The name, in parentheses, may hold anything, so the fields are counted from its last ')'.
  const char *end = static_cast<const char *>(memrchr(text, ')', length));
  int parent = 0;
  char state = 0;
  return end && std::sscanf(end + 1, " %c %d", &state, &parent) == 2 ? parent : 0;
}

} // namespace

std::vector<pid_t> listChildren() {
  std::vector<pid_t> found;
  DIR *processes = opendir("/proc");
  if (!processes)
    return found;
  while (const dirent *entry = readdir(processes)) {
    pid_t pid = 0;
    const char *end = entry->d_name + std::strlen(entry->d_name);
    const auto [stop, error] = std::from_chars(entry->d_name, end, pid);
    if (error == std::errc() && stop == end && parentOf(pid) == getpid())
      found.push_back(pid);
  }
  closedir(processes);
  return found;
}

bool killDescendants(std::chrono::milliseconds limit, std::span<const pid_t> spared,
                     const std::function<void(pid_t pid, int status)> &reaped) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    bool anyLeft = false;
    for (const pid_t pid : listChildren()) {
      if (std::find(spared.begin(), spared.end(), pid) != spared.end())
        continue;
      anyLeft = true;
      kill(pid, SIGKILL);
    }
    int status = 0;
    pid_t pid = 0;
    bool anyReaped = false;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      anyReaped = true;
      reaped(pid, status);
    }
    if (!anyLeft && !anyReaped)
      return true;
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    if (!anyReaped)
      usleep(1000);
  }
}

} // namespace ompdsm::run
