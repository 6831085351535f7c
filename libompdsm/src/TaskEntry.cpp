// TaskEntry.cpp: the __kmpc_* entries that hand code of tasks to libomp. All others of tasking are
// libomp's own, because a task stays in its node. A thread that waits for tasks stays online, as
// one that computes does: libomp calls combiners of task reductions there.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Tasks.h"
#include "libompdsm/src/Team.h"

using namespace ompdsm;

namespace {

/// Calls `allocate(bytes of shared variables, routine)` and prepares the task for a job of several
/// nodes.
template <class Allocate>
Task *allocateTask(std::int32_t flags, std::size_t sharedBytes, TaskRoutine routine,
                   Allocate allocate) {
  if (!jobIsSpread())
    return allocate(sharedBytes, routine);
  Task *task = allocate(kTaskHeaderBytes + sharedBytes, runTask);
  initialiseTask(task, flags, routine);
  return task;
}

TaskDuplicate throughRuntime(Task *pattern, TaskDuplicate duplicate) {
  if (!duplicate || !jobIsSpread())
    return duplicate;
  setDuplicate(pattern, duplicate);
  return runDuplicate;
}

} // namespace

OMPDSM_EXPORT Task *__kmpc_omp_task_alloc(Ident *location, std::int32_t gtid, std::int32_t flags,
                                          std::size_t taskBytes, std::size_t sharedBytes,
                                          TaskRoutine routine) {
  return allocateTask(flags, sharedBytes, routine, [&](std::size_t bytes, TaskRoutine entered) {
    return libomp().__kmpc_omp_task_alloc(location, gtid, flags, taskBytes, bytes, entered);
  });
}

OMPDSM_EXPORT Task *__kmpc_omp_target_task_alloc(Ident *location, std::int32_t gtid,
                                                 std::int32_t flags, std::size_t taskBytes,
                                                 std::size_t sharedBytes, TaskRoutine routine,
                                                 std::int64_t device) {
  return allocateTask(flags, sharedBytes, routine, [&](std::size_t bytes, TaskRoutine entered) {
    return libomp().__kmpc_omp_target_task_alloc(location, gtid, flags, taskBytes, bytes, entered,
                                                 device);
  });
}

// libomp duplicates the task on any thread, in a barrier too.
OMPDSM_EXPORT void __kmpc_taskloop(Ident *location, std::int32_t gtid, Task *task,
                                   std::int32_t ifValue, std::uint64_t *lower, std::uint64_t *upper,
                                   std::int64_t stride, std::int32_t noGroup, std::int32_t schedule,
                                   std::uint64_t grainSize, TaskDuplicate duplicate) {
  libomp().__kmpc_taskloop(location, gtid, task, ifValue, lower, upper, stride, noGroup, schedule,
                           grainSize, throughRuntime(task, duplicate));
}

OMPDSM_EXPORT void __kmpc_taskloop_5(Ident *location, std::int32_t gtid, Task *task,
                                     std::int32_t ifValue, std::uint64_t *lower,
                                     std::uint64_t *upper, std::int64_t stride,
                                     std::int32_t noGroup, std::int32_t schedule,
                                     std::uint64_t grainSize, std::int32_t strict,
                                     TaskDuplicate duplicate) {
  libomp().__kmpc_taskloop_5(location, gtid, task, ifValue, lower, upper, stride, noGroup, schedule,
                             grainSize, strict, throughRuntime(task, duplicate));
}

// The event is a part of the task that it belongs to.
OMPDSM_EXPORT void omp_fulfill_event(void *event) {
  if (jobIsSpread()) {
    const Runtime &job = *runtime();
    const auto address = reinterpret_cast<Address>(event);
    for (unsigned node = 0; node < job.nodes; ++node)
      if (node != job.node && job.addressSpace->slice(NodeId(node)).contains(address))
        fatal("omp_fulfill_event() for a task of node %u was called on node %u, which is not "
              "supported on more than one node yet; run with -n 1",
              node, unsigned(job.node));
  }
  libomp().omp_fulfill_event(event);
}

OMPDSM_EXPORT void omp_fulfill_event_(void **event) { omp_fulfill_event(*event); }
