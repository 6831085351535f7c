// TaskWaits.h: starting tasks and waiting for them, where some of them may be on other nodes.
//
// Each does what libomp's entry of that purpose does. Where tasks may leave the node, a thread
// waits here until all is over, and does what there is to do meanwhile (TaskSharing.h): libomp's
// threads do not know of messages.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstdint>

namespace ompdsm {

struct TaskNode;

std::int32_t startTask(Ident *location, std::int32_t gtid, Task *task);
std::int32_t awaitTasks(Ident *location, std::int32_t gtid);
/// The thread executes an undeferred task from here on, until it has ended.
void beginUndeferred(Ident *location, std::int32_t gtid, Task *task);
void endUndeferred(Ident *location, std::int32_t gtid, Task *task);
/// The task's thread may execute others.
std::int32_t yieldTask(Ident *location, std::int32_t gtid, int endPart);
/// While one lives, the task waits in libomp for some of its children: they stay in the node.
class LibompWait {
public:
  explicit LibompWait(std::int32_t gtid);
  ~LibompWait();
  LibompWait(const LibompWait &) = delete;
  LibompWait &operator=(const LibompWait &) = delete;

private:
  bool keeps_ = false;
};

/// A task's code has ended. In a team of one libomp frees it then, though it has children that are
/// kept.
void awaitKeptTasks(std::int32_t gtid, TaskNode &node);
void beginTaskGroup(Ident *location, std::int32_t gtid);
void endTaskGroup(Ident *location, std::int32_t gtid);
/// Before libomp takes a task with so many dependences.
void noteDependences(std::int32_t gtid, Task *task, std::int32_t count, const void *dependences);

} // namespace ompdsm
