// ThreadContext.h: what the runtime knows about the calling thread: its part in grace periods and
// the parallel region it executes.
//
// A thread's context is touched by that thread only. Frames live on the stack of the thread that
// executes the region and form a list from the innermost region outwards.
#pragma once
#include "libompdsm/src/LeagueShape.h"
#include "protocol/core/Types.h"
#include "protocol/engine/PendingRelease.h"
#include <cstdint>
#include <optional>
#include <span>

namespace ompdsm {

class ThreadRegistration;
struct SpreadRegion;
struct LoopCursor;
struct DoacrossCursor;
struct TaskNode;

/// A thread's part in an ordered loop (Ordered.h). Iterations are counted from 0.
struct OrderedCursor {
  bool active = false;
  bool mayEnter = false; ///< All iterations before the thread's chunk have passed.
  bool passed = false;   ///< The current iteration has left its ordered region.
  std::uint64_t loop = 0;
  std::uint64_t next = 0;     ///< The first iteration of the thread's chunk that has not passed.
  std::uint64_t chunkEnd = 0; ///< The first one behind the chunk.
};

/// Registers the calling thread with the engine; `online` when it is about to run instrumented
/// code. Called by the pthread_create interposer in the new thread; other threads attach on first
/// use.
void attachCurrentThread(bool online);
/// The calling thread ends. Attached threads only; harmless otherwise.
void detachCurrentThread();

/// One parallel region that the thread executes.
struct RegionFrame {
  SpreadRegion *region = nullptr; ///< Null: the region stays in this node (nested, or in a league).
  RegionFrame *outer = nullptr;
  /// Of a region that stays in this node: the frame of the spread region around the thread that
  /// started it, which lives as long as the region; null outside of spread regions.
  const RegionFrame *enclosing = nullptr;
  unsigned outerSerializedDepth = 0;
  unsigned localThread =
      0; ///< In the node's part of the team. Of spread regions only, as the rest.
  unsigned globalThread = 0; ///< In the whole team.
  // How many constructs of each kind the thread has met in the region. All threads of a team meet
  // worksharing constructs in the same order, so the count names the construct.
  std::uint64_t singlesMet = 0;
  const void *latestSingle = nullptr; ///< Where the program has it; null behind its barrier.
  std::uint64_t loopsMet = 0;
  std::uint64_t reductionsMet = 0;
  std::uint64_t doacrossMet = 0;
  std::uint64_t copyPrivatesMet = 0;
  /// Of the thread in the region; null where the thread executes a task behind the region's end.
  TaskNode *implicitTask = nullptr;
  LoopCursor *loop = nullptr; ///< The dynamic loop that the thread is in.
  OrderedCursor ordered;
  DoacrossCursor *doacross = nullptr;  ///< The doacross loop that the thread is in.
  const void *reductionCode = nullptr; ///< Of the latest reduction: its combiner.
  bool reductionUnderLock = false;     ///< end_reduce has to release the reduction's lock.
};

struct ThreadContext {
  ThreadRegistration *registration = nullptr; ///< Null with one node, and before attaching.
  RegionFrame *frame = nullptr;               ///< Innermost region; null in the serial part.
  TaskNode *task = nullptr;     ///< Explicit task of a spread region that it executes.
  unsigned serializedDepth = 0; ///< Regions of one thread (if clause) inside of `frame`.
  bool online = false;
  bool initial = false;        ///< Node 0's first thread: only its outermost regions are spread.
  Address lastForeignLock = 0; ///< That another node had before (LockOrder.h).
  unsigned pendingThreads = 0; ///< num_threads clause of the next region; 0 when there is none.
  LeagueTeam league;           ///< That it executes outside of regions (Leagues.h).
  /// Whose descriptors the library's code uses that the thread executes (InterceptFileBuffers.cpp).
  std::optional<NodeId> descriptorsOf;
  /// That flang's runtime makes for the program at present, which is the application heap's.
  enum class FortranAllocation : std::uint8_t { None, Unwritten, Written };
  FortranAllocation fortranAllocation = FortranAllocation::None;
  // Of standard output (ProgramOutput.h).
  unsigned fortranStatements = 0; ///< That the thread is in.
  bool hasPrintedInFortran = false;
};

extern thread_local constinit ThreadContext currentThread
    __attribute__((tls_model("initial-exec")));

/// OMPDSM_RELEASE_OWED: the thread gave up a lock without a release, or without waiting for it. Its
/// next atomic operation on shared memory must release first: another node may order itself after
/// it. Compiled code reads it.
extern "C" thread_local constinit bool __ompdsm_release_owed
    __attribute__((tls_model("initial-exec"), visibility("default")));
inline void setReleaseOwed(bool isOwed) { __ompdsm_release_owed = isOwed; }
inline bool isReleaseOwed() { return __ompdsm_release_owed; }

/// The innermost region's frame if the calling thread executes a spread region directly, else null:
/// in serial parts, nested regions, and always with one node. Null means: libomp's own answer is
/// right.
inline RegionFrame *spreadFrame() {
  const ThreadContext &thread = currentThread;
  RegionFrame *frame = thread.frame;
  return frame && frame->region && thread.serializedDepth == 0 ? frame : nullptr;
}

/// The frame of the spread region around the calling thread, however deeply nested; null outside.
inline const RegionFrame *enclosingSpreadFrame() {
  const RegionFrame *frame = currentThread.frame;
  return !frame || frame->region ? frame : frame->enclosing;
}

/// True if a parallel region that the calling thread starts now is to be spread over the nodes.
inline bool startsSpreadRegion() {
  const ThreadContext &thread = currentThread;
  return thread.initial && !thread.frame && thread.serializedDepth == 0;
}

/// The calling thread's registration; attaches it (online) on first use. Needs nodes > 1.
ThreadRegistration *currentRegistration();

/// Synchronisation points of the calling thread; they do nothing with one node.
void goOnline();
void goOffline();
void acquireHere(); ///< What other nodes released is seen by later checks.
void releaseHere(); ///< What the node has written is at its homes.
/// The same without waiting for it: Engine::beginRelease. Until the next release, atomic operations
/// of the thread release first.
PendingRelease beginReleaseHere();
/// A release towards some nodes, by a message that the caller posts next (Engine::releaseTo).
void releaseTo(std::span<const NodeId> followers);

/// While one lives, the calling thread waits in the runtime and holds no permissions.
class OfflineScope {
public:
  OfflineScope();
  ~OfflineScope();
  OfflineScope(const OfflineScope &) = delete;
  OfflineScope &operator=(const OfflineScope &) = delete;

private:
  const bool wasOnline_;
};

/// Online while instrumented code runs; libomp's workers are offline between regions.
class OnlineScope {
public:
  OnlineScope();
  ~OnlineScope();
  OnlineScope(const OnlineScope &) = delete;
  OnlineScope &operator=(const OnlineScope &) = delete;

private:
  const bool wasOnline_;
};

/// Puts a frame on the calling thread's list while it lives.
class FrameScope {
public:
  explicit FrameScope(RegionFrame &frame);
  ~FrameScope();
  FrameScope(const FrameScope &) = delete;
  FrameScope &operator=(const FrameScope &) = delete;

private:
  RegionFrame &frame_;
};

} // namespace ompdsm
