// Tasks.h: what the runtime adds to a task of libomp.
//
// libomp keeps a task, its dependences and its groups on the node that created it, and chooses the
// thread, which comes to the task through functions of ours: it may wait in the runtime, offline,
// or have left the region's frame behind (in the barrier at the end of a region), so they take it
// online and give it the frame that the creator had. And they may give the task to another node,
// which executes a copy (TaskSharing.h). What they need stands in a header in front of the task's
// shared variables, in memory that libomp allocated.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/TaskNode.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ompdsm {

/// libomp's kmp_task_t: the part of a task that compiled code knows. Its private variables follow.
struct Task {
  void *shareds;
  TaskRoutine routine;
  std::int32_t part;
  TaskRoutine destructors; ///< If kTaskHasDestructors.
  void *priority;
};

// Of the flags of __kmpc_omp_task_alloc:
inline constexpr std::int32_t kTaskIsTied = 1, kTaskIsFinal = 2, kTaskHasDestructors = 8,
                              kTaskIsDetachable = 64;

/// What a copy of a task needs but its contents, which are its private variables and the addresses
/// of its shared ones. Also its wire form.
struct TaskForm {
  TaskRoutine routine = nullptr;
  std::int32_t flags = 0;            ///< As the program has them.
  std::uint32_t root = 0, depth = 0; ///< As in TaskNode.
  std::uint64_t taskBytes = 0;       ///< Private variables, and the Task in front of them.
  std::uint64_t sharedBytes = 0;
  std::size_t contentBytes() const { return taskBytes - sizeof(Task) + sharedBytes; }
};

struct TaskHeader {
  TaskForm form;
  TaskNode node;
  TaskRoutine destructors = nullptr; ///< Null until libomp's pointer to them was replaced.
  TaskDuplicate duplicate = nullptr; ///< Of a taskloop.
  SpreadRegion *region = nullptr;    ///< Of the creator's frame, as the next.
  const RegionFrame *enclosing = nullptr;
  bool hasFrame = false;
  bool mayLeave = false;     ///< Another node may execute it,
  bool isDetachable = false; ///< also when libomp has got it.
  bool isOver = false;       ///< Another node has executed it, and libomp gets it now.
  bool isCounted = false;    ///< It was handed to libomp to be executed (TaskSharing::noteCreated).
};

/// Bytes to ask libomp for in addition to a task's shared variables.
inline constexpr std::size_t kTaskHeaderBytes = (sizeof(TaskHeader) + 15) / 16 * 16;

TaskHeader &headerOf(const Task *task);
/// Of the task that the calling thread executes in a spread region; null in others.
TaskNode *currentTaskNode();

/// A task of this form, from libomp, in a job of several nodes. `mayLeave`: see TaskHeader.
Task *allocateTask(const Ident *location, std::int32_t gtid, const TaskForm &form, bool mayLeave);
/// The same with the contents of another task that has not begun.
Task *duplicateTask(const Ident *location, std::int32_t gtid, const Task &task, bool mayLeave);
/// libomp forgets a task that has not begun.
void dropTask(Ident *location, std::int32_t gtid, Task *task);
/// After libomp allocated a task with kTaskHeaderBytes more and runTask.
void initialiseTask(Task *task, const TaskForm &form, bool mayLeave, bool isDetachable);
/// Whether a task that the calling thread creates with these flags may be executed by another node.
bool mayTaskLeave(const TaskForm &form);

/// What libomp gets as the task's routine.
std::int32_t runTask(std::int32_t gtid, Task *task);
/// Makes libomp duplicate the pattern of a taskloop through runDuplicate.
void setDuplicate(Task *pattern, TaskDuplicate duplicate);
void runDuplicate(Task *to, Task *from, std::int32_t last);

/// form.contentBytes() bytes of a task that has not begun.
std::vector<std::byte> contentOf(const Task &task, const TaskForm &form);
/// Executes a copy of a task, and waits for it and all that descends from it.
void runCopy(std::int32_t gtid, const TaskForm &form, const TaskOrigins &origins,
             fabric::Bytes content);

} // namespace ompdsm
