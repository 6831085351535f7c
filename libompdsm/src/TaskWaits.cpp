// TaskWaits.cpp: starting tasks and waiting for them.
#include "libompdsm/src/TaskWaits.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/Tasks.h"
#include "libompdsm/src/Team.h"
#include <algorithm>
#include <cstddef>

namespace ompdsm {

namespace {
/// The frame of the calling thread if tasks of its region may be on other nodes.
RegionFrame *sharingFrame() {
  RegionFrame *frame = spreadFrame();
  return frame && frame->region->sharesTasks ? frame : nullptr;
}
/// libomp's kmp_depend_info.
struct Dependence {
  void *address;
  std::size_t bytes;
  std::uint8_t flags;
  bool isExclusive() const { return (flags & 4) != 0; } ///< mutexinoutset
};

/// libomp gets the task.
void noteStart(RegionFrame &frame, std::int32_t gtid, Task *task) {
  TaskHeader &header = headerOf(task);
  if (!header.node.parent)
    return; // It was created in another region.
  header.isCounted = true;
  header.node.noteStart();
  team().tasks().visit(frame, gtid, *header.node.parent);
  team().tasks().noteCreated();
}

} // namespace

void noteDependences(std::int32_t gtid, Task *task, std::int32_t count, const void *dependences) {
  RegionFrame *frame = sharingFrame();
  if (!frame)
    return;
  // Its thread holds libomp's locks for exclusive ones.
  const auto *each = static_cast<const Dependence *>(dependences);
  const bool isExclusive =
      std::any_of(each, each + count, [](const Dependence &one) { return one.isExclusive(); });
  TaskHeader &header = headerOf(task);
  header.mayLeave = header.isDetachable && !isExclusive;
  header.node.hasDependences = count != 0;
  noteStart(*frame, gtid, task);
}

std::int32_t startTask(Ident *location, std::int32_t gtid, Task *task) {
  if (RegionFrame *frame = sharingFrame()) {
    noteStart(*frame, gtid, task);
    if (team().tasks().keepReady(*frame, task))
      return 0; // as libomp says of queued ones
  }
  return libomp().__kmpc_omp_task(location, gtid, task);
}

std::int32_t awaitTasks(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = sharingFrame();
  TaskNode *node = frame ? currentTaskNode() : nullptr;
  if (node)
    team().tasks().awaitChildren(*frame, gtid, *node);
  const std::int32_t result = libomp().__kmpc_omp_taskwait(location, gtid);
  if (node)
    acquireHere(); // Another thread may have heard of their ends.
  return result;
}

void beginUndeferred(Ident *location, std::int32_t gtid, Task *task) {
  libomp().__kmpc_omp_task_begin_if0(location, gtid, task);
  if (!sharingFrame() || !headerOf(task).node.parent)
    return;
  TaskNode &node = headerOf(task).node;
  node.suspended = currentThread.task;
  currentThread.task = &node;
}

void endUndeferred(Ident *location, std::int32_t gtid, Task *task) {
  if (sharingFrame() && currentThread.task == &headerOf(task).node) {
    TaskNode &node = headerOf(task).node;
    awaitKeptTasks(gtid, node);
    currentThread.task = node.suspended;
    node.isOver.store(true, std::memory_order_release);
  }
  libomp().__kmpc_omp_task_complete_if0(location, gtid, task);
}

std::int32_t yieldTask(Ident *location, std::int32_t gtid, int endPart) {
  RegionFrame *frame = sharingFrame();
  if (TaskNode *node = frame ? currentTaskNode() : nullptr)
    team().tasks().yield(*frame, gtid, *node);
  return libomp().__kmpc_omp_taskyield(location, gtid, endPart);
}

LibompWait::LibompWait(std::int32_t gtid) {
  RegionFrame *frame = sharingFrame();
  TaskNode *node = frame ? currentTaskNode() : nullptr;
  keeps_ = node != nullptr;
  if (keeps_)
    team().tasks().keepForLibomp(*frame, gtid, *node);
}

LibompWait::~LibompWait() {
  if (keeps_)
    team().tasks().leaveLibomp();
}

void awaitKeptTasks(std::int32_t gtid, TaskNode &node) {
  RegionFrame *frame = sharingFrame();
  if (frame && frame->region->localThreads == 1 &&
      node.children.load(std::memory_order_relaxed) != 0)
    team().tasks().awaitChildren(*frame, gtid, node);
}

void beginTaskGroup(Ident *location, std::int32_t gtid) {
  libomp().__kmpc_taskgroup(location, gtid);
  if (TaskNode *node = sharingFrame() ? currentTaskNode() : nullptr)
    node->group = new TaskGroup{.outer = node->group};
}

void endTaskGroup(Ident *location, std::int32_t gtid) {
  RegionFrame *frame = sharingFrame();
  TaskNode *node = frame ? currentTaskNode() : nullptr;
  TaskGroup *group = node ? node->group : nullptr;
  if (group)
    team().tasks().awaitGroup(*frame, gtid, *node);
  libomp().__kmpc_end_taskgroup(location, gtid);
  if (!group)
    return;
  node->group = group->outer;
  delete group; // All its members have ended.
  acquireHere();
}

} // namespace ompdsm
