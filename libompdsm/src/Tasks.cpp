// Tasks.cpp: entering a task's code, and copies of tasks.
#include "libompdsm/src/Tasks.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TaskWaits.h"
#include "libompdsm/src/Team.h"
#include <chrono>
#include <cstring>
#include <new>
#include <optional>

namespace ompdsm {

namespace {

/// The calling thread executes code of the task.
class TaskScope {
public:
  explicit TaskScope(TaskHeader &header)
      : wasOnline_(currentThread.online), outerTask_(currentThread.task) {
    goOnline();
    currentThread.task = header.region ? &header.node : nullptr;
    if (!header.hasFrame || isFrameOf(header, currentThread.frame))
      return;
    frame_.region = header.region;
    frame_.enclosing = header.enclosing;
    if (header.region) {
      frame_.localThread = unsigned(libomp().omp_get_thread_num());
      frame_.globalThread = header.region->firstThread + frame_.localThread;
    }
    scope_.emplace(frame_);
  }
  ~TaskScope() {
    scope_.reset();
    currentThread.task = outerTask_;
    if (!wasOnline_)
      goOffline();
  }
  TaskScope(const TaskScope &) = delete;
  TaskScope &operator=(const TaskScope &) = delete;

private:
  static bool isFrameOf(const TaskHeader &header, const RegionFrame *frame) {
    return frame && frame->region == header.region &&
           (header.region || frame->enclosing == header.enclosing);
  }
  const bool wasOnline_;
  TaskNode *const outerTask_;
  RegionFrame frame_;
  std::optional<FrameScope> scope_;
};

std::int32_t runDestructors(std::int32_t gtid, Task *task) {
  TaskHeader &header = headerOf(task);
  TaskScope scope(header);
  return header.destructors(gtid, task);
}

std::int32_t enter(std::int32_t gtid, Task *task, TaskHeader &header) {
  TaskScope scope(header);
  if (header.isCounted)
    acquireHere(); // What it depends on may have been executed elsewhere.
  return header.form.routine(gtid, task);
}

std::int32_t enterAndMeasure(std::int32_t gtid, Task *task, TaskHeader &header) {
  const TaskForm form = header.form;
  const auto begin = std::chrono::steady_clock::now();
  const std::int32_t result = enter(gtid, task, header);
  team().tasks().worth().note(reinterpret_cast<const void *>(form.routine), form.depth,
                              std::chrono::steady_clock::now() - begin);
  return result;
}

} // namespace

TaskHeader &headerOf(const Task *task) {
  return *reinterpret_cast<TaskHeader *>(static_cast<char *>(task->shareds) - kTaskHeaderBytes);
}

TaskNode *currentTaskNode() {
  if (const RegionFrame *frame = spreadFrame())
    return currentThread.task ? currentThread.task : frame->implicitTask;
  return nullptr;
}

bool mayTaskLeave(const TaskForm &form) {
  const TaskNode *creator = currentTaskNode();
  return creator && spreadFrame()->region->sharesTasks && !creator->isFinal &&
         (form.flags & (kTaskIsFinal | kTaskHasDestructors | kTaskIsDetachable)) == 0 &&
         team().tasks().mayCarry(form);
}

/// In a team of one libomp never frees a task whose children might have been detached and were not
/// (22.1), and counts those children of a task wrong that might not have been, if others are.
static bool isDetachable(const RegionFrame &frame) {
  return frame.region->localThreads > 1 || !currentThread.task;
}

Task *allocateTask(const Ident *location, std::int32_t gtid, const TaskForm &form, bool mayLeave) {
  const bool detachable = mayLeave && isDetachable(*spreadFrame());
  Task *task = libomp().__kmpc_omp_task_alloc(
      const_cast<Ident *>(location), gtid, form.flags | (detachable ? kTaskIsDetachable : 0),
      form.taskBytes, kTaskHeaderBytes + form.sharedBytes, runTask);
  initialiseTask(task, form, mayLeave, detachable);
  return task;
}

Task *duplicateTask(const Ident *location, std::int32_t gtid, const Task &task, bool mayLeave) {
  const TaskForm &form = headerOf(&task).form;
  Task *copy = allocateTask(location, gtid, form, mayLeave);
  ensureWrite(copy, form.taskBytes);
  std::memcpy(copy + 1, &task + 1, form.taskBytes - sizeof(Task));
  copy->destructors = task.destructors;
  copy->priority = task.priority;
  if (form.sharedBytes != 0) {
    ensureWrite(copy->shareds, form.sharedBytes);
    std::memcpy(copy->shareds, task.shareds, form.sharedBytes);
  }
  return copy;
}

void dropTask(Ident *location, std::int32_t gtid, Task *task) {
  libomp().__kmpc_omp_task_begin_if0(location, gtid, task);
  libomp().__kmpc_omp_task_complete_if0(location, gtid, task);
}

void initialiseTask(Task *task, const TaskForm &form, bool mayLeave, bool isDetachable) {
  task->shareds = static_cast<char *>(task->shareds) + kTaskHeaderBytes;
  TaskHeader &header = *new (&headerOf(task)) TaskHeader;
  header.form = form;
  header.mayLeave = mayLeave;
  header.isDetachable = isDetachable;
  const RegionFrame *frame = currentThread.frame;
  header.hasFrame = frame != nullptr;
  if (!frame)
    return;
  header.region = frame->region;
  header.enclosing = frame->enclosing;
  TaskNode *creator = currentTaskNode();
  if (!creator)
    return;
  const bool isTied = (form.flags & kTaskIsTied) != 0;
  if (!isTied && frame->region->sharesTasks && frame->region->localThreads > 1)
    team().tasks().noteUntied(*frame);
  TaskNode &node = header.node;
  node.parent = creator;
  node.memberOf = node.group = creator->group;
  node.root = creator->root;
  node.origins = creator->origins;
  node.depth = creator->depth + 1;
  node.isFinal = creator->isFinal || (form.flags & kTaskIsFinal) != 0;
  header.form.root = node.root;
  header.form.depth = node.depth;
}

std::int32_t runTask(std::int32_t gtid, Task *task) {
  TaskHeader &header = headerOf(task);
  // Compiled code has set them after the allocation.
  if ((header.form.flags & kTaskHasDestructors) && !header.destructors) {
    header.destructors = task->destructors;
    task->destructors = runDestructors;
  }
  if (!header.isCounted)
    return enter(gtid, task, header);
  TaskSharing &tasks = team().tasks();
  // An untied task comes here for each part.
  const bool isWhole = header.mayLeave && task->part == 0;
  const auto leaves = [&] {
    return header.isDetachable && isWhole && tasks.isWanted() && tasks.give(gtid, *task);
  };
  if (header.isOver || leaves()) {
    tasks.noteEnded(/*isLast=*/false);
    return 0; // Its parent waits until that node says that it has ended.
  }
  const bool isDue =
      isWhole &&
      tasks.worth().isDue(reinterpret_cast<const void *>(header.form.routine), header.form.depth);
  const std::int32_t result =
      isDue ? enterAndMeasure(gtid, task, header) : enter(gtid, task, header);
  awaitKeptTasks(gtid, header.node);
  bool isLast = false;
  if (header.node.endPart()) {
    header.node.isOver.store(true, std::memory_order_release);
    isLast = noteTaskEnd(*header.node.parent, header.node.memberOf);
  }
  tasks.noteEnded(isLast);
  return result;
}

void setDuplicate(Task *pattern, TaskDuplicate duplicate) {
  headerOf(pattern).duplicate = duplicate;
}

// libomp has copied the pattern's memory before, header included.
void runDuplicate(Task *to, Task *from, std::int32_t last) {
  TaskHeader &header = headerOf(from);
  TaskScope scope(header);
  header.duplicate(to, from, last);
}

std::vector<std::byte> contentOf(const Task &task, const TaskForm &form) {
  std::vector<std::byte> content(form.contentBytes());
  const std::size_t privateBytes = form.taskBytes - sizeof(Task);
  std::memcpy(content.data(), &task + 1, privateBytes);
  if (form.sharedBytes != 0)
    std::memcpy(content.data() + privateBytes, task.shareds, form.sharedBytes);
  return content;
}

void runCopy(std::int32_t gtid, const TaskForm &form, const TaskOrigins &origins,
             fabric::Bytes content) {
  beginTaskGroup(nullptr, gtid);
  Task *task = allocateTask(nullptr, gtid, form, /*mayLeave=*/false);
  TaskHeader &header = headerOf(task);
  header.node.root = form.root;
  header.node.depth = form.depth;
  header.node.origins = &origins;
  const std::size_t privateBytes = form.taskBytes - sizeof(Task);
  ensureWrite(task + 1, privateBytes);
  std::memcpy(task + 1, content.data(), privateBytes);
  if (form.sharedBytes != 0) {
    ensureWrite(task->shareds, form.sharedBytes);
    std::memcpy(task->shareds, content.data() + privateBytes, form.sharedBytes);
  }
  startTask(nullptr, gtid, task);
  endTaskGroup(nullptr, gtid);
}

} // namespace ompdsm
