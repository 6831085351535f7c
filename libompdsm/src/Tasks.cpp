// Tasks.cpp: entering a task's code.
#include "libompdsm/src/Tasks.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/SpreadRegion.h"
#include <optional>

namespace ompdsm {

namespace {

TaskHeader &headerOf(Task *task) {
  return *reinterpret_cast<TaskHeader *>(static_cast<char *>(task->shareds) - kTaskHeaderBytes);
}

/// The calling thread executes code of the task.
class TaskScope {
public:
  explicit TaskScope(const TaskHeader &header) : wasOnline_(currentThread.online) {
    goOnline();
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
  RegionFrame frame_;
  std::optional<FrameScope> scope_;
};

std::int32_t runDestructors(std::int32_t gtid, Task *task) {
  const TaskHeader &header = headerOf(task);
  TaskScope scope(header);
  return header.destructors(gtid, task);
}

} // namespace

void initialiseTask(Task *task, std::int32_t flags, TaskRoutine routine) {
  task->shareds = static_cast<char *>(task->shareds) + kTaskHeaderBytes;
  const RegionFrame *frame = currentThread.frame;
  headerOf(task) = {.routine = routine,
                    .destructors = nullptr,
                    .duplicate = nullptr,
                    .region = frame ? frame->region : nullptr,
                    .enclosing = frame ? frame->enclosing : nullptr,
                    .hasFrame = frame != nullptr,
                    .hasDestructors = (flags & kTaskHasDestructors) != 0};
}

std::int32_t runTask(std::int32_t gtid, Task *task) {
  TaskHeader &header = headerOf(task);
  // Compiled code has set them after the allocation. An untied task comes here for each part.
  if (header.hasDestructors && !header.destructors) {
    header.destructors = task->destructors;
    task->destructors = runDestructors;
  }
  TaskScope scope(header);
  return header.routine(gtid, task);
}

void setDuplicate(Task *pattern, TaskDuplicate duplicate) {
  headerOf(pattern).duplicate = duplicate;
}

// libomp has copied the pattern's memory before, header included.
void runDuplicate(Task *to, Task *from, std::int32_t last) {
  const TaskHeader &header = headerOf(from);
  TaskScope scope(header);
  header.duplicate(to, from, last);
}

} // namespace ompdsm
