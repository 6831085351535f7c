// SharedMemorySweep.h: removes what dead nodes left in /dev/shm.
//
// A node that does not end in order leaves there what its libraries would have removed:
// /dev/shm/<pid>:<user>:<endpoint> of libfabric's shm provider (16 MiB each) and
// /dev/shm/__KMP_REGISTERED_LIB_<pid>_<user> of libomp. A file goes only if its name has one of
// these forms for a pid of this job, no living process has this pid, and the file is a regular one
// of this user: a process that got the pid again in the meantime keeps its own.
#pragma once
#include <span>
#include <string>
#include <sys/types.h>

namespace ompdsm::run {

/// No such process, or only what its parent has not read yet (mpirun does not always).
bool isDead(pid_t pid);

/// Returns the number of files removed. `directory` is /dev/shm but in tests.
unsigned sweepSharedMemory(std::span<const pid_t> pids, const std::string &directory = "/dev/shm");

} // namespace ompdsm::run
