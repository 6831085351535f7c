// TaskLoops.h: taskloop constructs of regions whose tasks may leave their nodes.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstdint>

namespace ompdsm {

/// The parameters of libomp's __kmpc_taskloop_5.
struct TaskLoop {
  Ident *location = nullptr;
  std::int32_t gtid = 0;
  Task *pattern = nullptr; ///< Of the tasks; its bounds are those of the loop.
  bool isDeferred = true;  ///< The if clause.
  std::uint64_t *lower = nullptr, *upper = nullptr; ///< In the pattern; the upper one included.
  std::int64_t stride = 1;
  bool hasGroup = true;
  enum class Clause : std::int32_t { None, GrainSize, TaskCount };
  Clause clause = Clause::None;
  std::uint64_t size = 0; ///< Of the clause.
  bool isStrict = false;
  TaskDuplicate duplicate = nullptr; ///< Null if a copy of the pattern's bytes will do.
};

/// Makes the tasks, each as one of its own that may leave: libomp would copy the pattern, with its
/// place among the tasks. Ends the pattern.
void runTaskLoop(const TaskLoop &loop);

} // namespace ompdsm
