// TaskEntry.cpp: the __kmpc_* entries that hand code of tasks to libomp, and that wait for tasks.
// All others of tasking are libomp's own. A thread that waits for tasks in libomp stays online, as
// one that computes does: libomp calls combiners of task reductions there.
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TaskLoops.h"
#include "libompdsm/src/TaskWaits.h"
#include "libompdsm/src/Tasks.h"
#include "libompdsm/src/Team.h"

using namespace ompdsm;

namespace {

TaskDuplicate throughRuntime(Task *pattern, TaskDuplicate duplicate) {
  if (!duplicate || !jobIsSpread())
    return duplicate;
  setDuplicate(pattern, duplicate);
  return runDuplicate;
}

/// Whether the calling thread's tasks may leave the node.
bool sharesTasks() {
  const RegionFrame *frame = spreadFrame();
  return frame && frame->region->sharesTasks;
}

/// For the rest of the region. Objects of task reductions are made for the threads of one node.
void keepTasksHere() {
  if (sharesTasks())
    team().tasks().keepTasks();
}

} // namespace

OMPDSM_EXPORT Task *__kmpc_omp_task_alloc(Ident *location, std::int32_t gtid, std::int32_t flags,
                                          std::size_t taskBytes, std::size_t sharedBytes,
                                          TaskRoutine routine) {
  if (!jobIsSpread())
    return libomp().__kmpc_omp_task_alloc(location, gtid, flags, taskBytes, sharedBytes, routine);
  const TaskForm form{
      .routine = routine, .flags = flags, .taskBytes = taskBytes, .sharedBytes = sharedBytes};
  // Others of the region may end it, which is done where it is.
  if (flags & kTaskIsDetachable) {
    keepTasksHere();
    team().tasks().noteEvent();
  }
  return allocateTask(location, gtid, form, mayTaskLeave(form));
}

OMPDSM_EXPORT Task *__kmpc_omp_target_task_alloc(Ident *location, std::int32_t gtid,
                                                 std::int32_t flags, std::size_t taskBytes,
                                                 std::size_t sharedBytes, TaskRoutine routine,
                                                 std::int64_t device) {
  if (!jobIsSpread())
    return libomp().__kmpc_omp_target_task_alloc(location, gtid, flags, taskBytes, sharedBytes,
                                                 routine, device);
  // There is no device. libomp would have it executed by a helper thread, whose regions stay in
  // their node.
  return __kmpc_omp_task_alloc(location, gtid, flags, taskBytes, sharedBytes, routine);
}

OMPDSM_EXPORT std::int32_t __kmpc_omp_task(Ident *location, std::int32_t gtid, Task *task) {
  return startTask(location, gtid, task);
}

OMPDSM_EXPORT std::int32_t __kmpc_omp_task_with_deps(Ident *location, std::int32_t gtid, Task *task,
                                                     std::int32_t count, void *dependences,
                                                     std::int32_t noAliasCount, void *noAliases) {
  noteDependences(gtid, task, count, dependences);
  return libomp().__kmpc_omp_task_with_deps(location, gtid, task, count, dependences, noAliasCount,
                                            noAliases);
}

OMPDSM_EXPORT void __kmpc_omp_task_begin_if0(Ident *location, std::int32_t gtid, Task *task) {
  beginUndeferred(location, gtid, task);
}

OMPDSM_EXPORT void __kmpc_omp_task_complete_if0(Ident *location, std::int32_t gtid, Task *task) {
  endUndeferred(location, gtid, task);
}

OMPDSM_EXPORT std::int32_t __kmpc_omp_taskyield(Ident *location, std::int32_t gtid, int endPart) {
  return yieldTask(location, gtid, endPart);
}

OMPDSM_EXPORT std::int32_t __kmpc_omp_taskwait(Ident *location, std::int32_t gtid) {
  return awaitTasks(location, gtid);
}

OMPDSM_EXPORT void __kmpc_omp_wait_deps(Ident *location, std::int32_t gtid, std::int32_t count,
                                        void *dependences, std::int32_t noAliasCount,
                                        void *noAliases) {
  const LibompWait wait(gtid);
  libomp().__kmpc_omp_wait_deps(location, gtid, count, dependences, noAliasCount, noAliases);
}

OMPDSM_EXPORT void __kmpc_omp_taskwait_deps_51(Ident *location, std::int32_t gtid,
                                               std::int32_t count, void *dependences,
                                               std::int32_t noAliasCount, void *noAliases,
                                               std::int32_t hasNoWait) {
  const LibompWait wait(gtid);
  libomp().__kmpc_omp_taskwait_deps_51(location, gtid, count, dependences, noAliasCount, noAliases,
                                       hasNoWait);
}

OMPDSM_EXPORT void __kmpc_taskgroup(Ident *location, std::int32_t gtid) {
  beginTaskGroup(location, gtid);
}

OMPDSM_EXPORT void __kmpc_end_taskgroup(Ident *location, std::int32_t gtid) {
  endTaskGroup(location, gtid);
}

// libomp duplicates the task on any thread, in a barrier too.
OMPDSM_EXPORT void __kmpc_taskloop(Ident *location, std::int32_t gtid, Task *task,
                                   std::int32_t ifValue, std::uint64_t *lower, std::uint64_t *upper,
                                   std::int64_t stride, std::int32_t noGroup, std::int32_t schedule,
                                   std::uint64_t grainSize, TaskDuplicate duplicate) {
  if (sharesTasks())
    return runTaskLoop({location, gtid, task, ifValue != 0, lower, upper, stride, noGroup == 0,
                        TaskLoop::Clause(schedule), grainSize, /*isStrict=*/false, duplicate});
  libomp().__kmpc_taskloop(location, gtid, task, ifValue, lower, upper, stride, noGroup, schedule,
                           grainSize, throughRuntime(task, duplicate));
}

OMPDSM_EXPORT void __kmpc_taskloop_5(Ident *location, std::int32_t gtid, Task *task,
                                     std::int32_t ifValue, std::uint64_t *lower,
                                     std::uint64_t *upper, std::int64_t stride,
                                     std::int32_t noGroup, std::int32_t schedule,
                                     std::uint64_t grainSize, std::int32_t strict,
                                     TaskDuplicate duplicate) {
  if (sharesTasks())
    return runTaskLoop({location, gtid, task, ifValue != 0, lower, upper, stride, noGroup == 0,
                        TaskLoop::Clause(schedule), grainSize, strict != 0, duplicate});
  libomp().__kmpc_taskloop_5(location, gtid, task, ifValue, lower, upper, stride, noGroup, schedule,
                             grainSize, strict, throughRuntime(task, duplicate));
}

OMPDSM_EXPORT void *__kmpc_taskred_init(int gtid, int count, void *data) {
  keepTasksHere();
  return libomp().__kmpc_taskred_init(gtid, count, data);
}

OMPDSM_EXPORT void *__kmpc_task_reduction_init(int gtid, int count, void *data) {
  keepTasksHere();
  return libomp().__kmpc_task_reduction_init(gtid, count, data);
}

OMPDSM_EXPORT void *__kmpc_taskred_modifier_init(Ident *location, int gtid, int isWorksharing,
                                                 int count, void *data) {
  keepTasksHere();
  return libomp().__kmpc_taskred_modifier_init(location, gtid, isWorksharing, count, data);
}

OMPDSM_EXPORT void *__kmpc_task_reduction_modifier_init(Ident *location, int gtid,
                                                        int isWorksharing, int count, void *data) {
  keepTasksHere();
  return libomp().__kmpc_task_reduction_modifier_init(location, gtid, isWorksharing, count, data);
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
