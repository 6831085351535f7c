// Descendants.h: ends every process that the job has left, whatever its session or group.
//
// The caller is a child subreaper (PR_SET_CHILD_SUBREAPER), so a process of the job whose parent
// died is its child. Only own children are ever killed: their pids cannot be reused before we reap
// them.
#pragma once
#include <chrono>
#include <functional>
#include <span>
#include <sys/types.h>
#include <vector>

namespace ompdsm::run {

/// The children of this process, zombies included.
std::vector<pid_t> listChildren();

/// Kills and reaps children until none is left but those of `spared`, or `limit` has passed (then
/// false: a process that SIGKILL does not end hangs in the kernel). `reaped` gets the pid and the
/// wait status of each.
bool killDescendants(std::chrono::milliseconds limit, std::span<const pid_t> spared,
                     const std::function<void(pid_t pid, int status)> &reaped);

} // namespace ompdsm::run
