// Tasks.h: what the runtime adds to a task of libomp.
//
// A task runs on the node that created it: libomp keeps it, its dependences and its groups, and
// chooses the thread. That thread may wait in the runtime, offline, or have left the region's frame
// behind (in the barrier at the end of a region), so the task's code is entered through functions
// of ours, which take the thread online and give it the frame that the creator had. What they need
// stands in a header in front of the task's shared variables, in memory that libomp allocated.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// libomp's kmp_task_t: the part of a task that compiled code knows.
struct Task {
  void *shareds;
  TaskRoutine routine;
  std::int32_t part;
  TaskRoutine destructors; ///< If kTaskHasDestructors.
  void *priority;
};

inline constexpr std::int32_t kTaskHasDestructors = 8;

struct TaskHeader {
  TaskRoutine routine;
  TaskRoutine destructors; ///< Null until libomp's pointer to them was replaced.
  TaskDuplicate duplicate; ///< Of a taskloop.
  SpreadRegion *region;    ///< Of the creator's frame, as the next.
  const RegionFrame *enclosing;
  bool hasFrame;
  bool hasDestructors;
};

/// Bytes to ask libomp for in addition to a task's shared variables.
inline constexpr std::size_t kTaskHeaderBytes = (sizeof(TaskHeader) + 15) / 16 * 16;

/// What libomp gets as the task's routine.
std::int32_t runTask(std::int32_t gtid, Task *task);
/// After libomp allocated the task with kTaskHeaderBytes more.
void initialiseTask(Task *task, std::int32_t flags, TaskRoutine routine);
/// Makes libomp duplicate the pattern of a taskloop through runDuplicate.
void setDuplicate(Task *pattern, TaskDuplicate duplicate);
void runDuplicate(Task *to, Task *from, std::int32_t last);

} // namespace ompdsm
