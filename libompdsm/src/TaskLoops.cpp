// TaskLoops.cpp: dealing the iterations of a taskloop to tasks.
#include "libompdsm/src/TaskLoops.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TaskWaits.h"
#include "libompdsm/src/Tasks.h"
#include <algorithm>

namespace ompdsm {

namespace {

/// As many tasks for each thread, if the program does not say: libomp's number.
constexpr std::uint64_t kTasksOfThread = 10;

std::uint64_t iterationsOf(const TaskLoop &loop) {
  const std::uint64_t lower = *loop.lower, upper = *loop.upper;
  const bool isEmpty = loop.stride > 0 ? std::int64_t(upper) < std::int64_t(lower)
                                       : std::int64_t(upper) > std::int64_t(lower);
  if (isEmpty)
    return 0;
  return loop.stride > 0 ? (upper - lower) / std::uint64_t(loop.stride) + 1
                         : (lower - upper) / std::uint64_t(-loop.stride) + 1;
}

/// How many iterations each task gets: `size`, the first `longer` one more, the last what is left.
struct Shares {
  std::uint64_t tasks = 0, size = 0, longer = 0;
};

Shares sharesOf(const TaskLoop &loop, std::uint64_t iterations, unsigned threads) {
  if (loop.clause == TaskLoop::Clause::GrainSize && loop.isStrict)
    return {.tasks = (iterations - 1) / loop.size + 1, .size = loop.size};
  std::uint64_t tasks = threads * kTasksOfThread;
  if (loop.clause == TaskLoop::Clause::GrainSize)
    tasks = std::max<std::uint64_t>(iterations / loop.size, 1);
  else if (loop.clause == TaskLoop::Clause::TaskCount)
    tasks = loop.size;
  tasks = std::min(tasks, iterations);
  if (loop.clause == TaskLoop::Clause::TaskCount && loop.isStrict) {
    const std::uint64_t size = (iterations - 1) / tasks + 1;
    return {.tasks = (iterations - 1) / size + 1, .size = size};
  }
  return {.tasks = tasks, .size = iterations / tasks, .longer = iterations % tasks};
}

/// The bound that stands in `task` where `bound` does in the pattern.
std::uint64_t &boundIn(Task *task, const TaskLoop &loop, const std::uint64_t *bound) {
  const auto offset =
      reinterpret_cast<const char *>(bound) - reinterpret_cast<char *>(loop.pattern);
  return *reinterpret_cast<std::uint64_t *>(reinterpret_cast<char *>(task) + offset);
}

void start(const TaskLoop &loop, Task *task) {
  if (loop.isDeferred) {
    startTask(loop.location, loop.gtid, task);
    return;
  }
  beginUndeferred(loop.location, loop.gtid, task);
  runTask(loop.gtid, task);
  endUndeferred(loop.location, loop.gtid, task);
}

void makeTasks(const TaskLoop &loop, std::uint64_t iterations) {
  const bool mayLeave = loop.isDeferred && mayTaskLeave(headerOf(loop.pattern).form);
  Shares shares = sharesOf(loop, iterations, spreadFrame()->region->layout.threads);
  std::uint64_t lower = *loop.lower, left = iterations;
  for (std::uint64_t i = 0; i < shares.tasks; ++i) {
    const std::uint64_t size = std::min(shares.size + (i < shares.longer ? 1 : 0), left);
    left -= size;
    Task *task = duplicateTask(loop.location, loop.gtid, *loop.pattern, mayLeave);
    const std::uint64_t upper = lower + (size - 1) * std::uint64_t(loop.stride);
    boundIn(task, loop, loop.lower) = lower;
    boundIn(task, loop, loop.upper) = left == 0 ? *loop.upper : upper;
    if (loop.duplicate)
      loop.duplicate(task, loop.pattern, left == 0);
    start(loop, task);
    lower = upper + std::uint64_t(loop.stride);
  }
}

} // namespace

void runTaskLoop(const TaskLoop &loop) {
  if (loop.hasGroup)
    beginTaskGroup(loop.location, loop.gtid);
  if (const std::uint64_t iterations = iterationsOf(loop))
    makeTasks(loop, iterations);
  dropTask(loop.location, loop.gtid, loop.pattern);
  if (loop.hasGroup)
    endTaskGroup(loop.location, loop.gtid);
}

} // namespace ompdsm
