// SharedMemorySweep.cpp: one pass over /dev/shm for the files of this job's dead nodes.
#include "libompdsm/tools/run/SharedMemorySweep.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace ompdsm::run {
namespace {

/// The pid of the process that a file of this name belongs to, or 0.
pid_t ownerOf(std::string_view name) {
  constexpr std::string_view kLibomp = "__KMP_REGISTERED_LIB_";
  char separator = ':';
  if (name.starts_with(kLibomp)) {
    name.remove_prefix(kLibomp.size());
    separator = '_';
  }
  pid_t pid = 0;
  const char *end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, pid);
  return error == std::errc() && pid > 0 && stop != end && *stop == separator ? pid : 0;
}

} // namespace

bool isDead(pid_t pid) {
  if (kill(pid, 0) != 0)
    return errno == ESRCH;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  // After the name, which may hold anything: state, and 17 fields later the number of threads.
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string state, skipped;
  long threads = 0;
  fields >> state;
  for (int i = 0; i < 16; ++i)
    fields >> skipped;
  fields >> threads;
  return (state == "Z" || state == "X") && threads <= 1;
}

unsigned sweepSharedMemory(std::span<const pid_t> pids, const std::string &directory) {
  std::vector<pid_t> dead;
  for (const pid_t pid : pids)
    if (pid > 0 && isDead(pid))
      dead.push_back(pid);
  DIR *files = dead.empty() ? nullptr : opendir(directory.c_str());
  if (!files)
    return 0;
  unsigned removed = 0;
  while (const dirent *entry = readdir(files)) {
    if (std::find(dead.begin(), dead.end(), ownerOf(entry->d_name)) == dead.end())
      continue;
    struct stat status{};
    if (fstatat(dirfd(files), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
        unlinkat(dirfd(files), entry->d_name, 0) == 0)
      ++removed;
  }
  closedir(files);
  return removed;
}

} // namespace ompdsm::run
