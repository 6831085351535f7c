// DynamicSchedule.h: loops whose iterations are handed out at run time, over all nodes.
//
// Each node starts with a contiguous share of the iterations in proportion to its threads, whole
// chunks only. Its threads take chunks from the share; a node that runs dry asks the other nodes in
// turn and gets half of the rest of the first that has some. When all have answered "dry" the node
// has ended the loop. A share is given away under the same mutex as chunks, so each iteration is
// executed exactly once; whole chunks travel, so chunk sizes are kept. The loop's last chunk is
// kept for the end (see finalChunk). In a monotonic loop a node gets only what lies before it in
// the loop.
//
// A loop is named by (region, how many dynamic loops the thread met before). A node that is asked
// before it reached the loop creates it from the bounds in the message; one that has ended it says
// dry.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/LoopShares.h"
#include "libompdsm/src/Worksharing.h"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace ompdsm {

struct Runtime;
struct RegionFrame;

/// A thread's way through a dispatched loop; in its stack frame's place, see RegionFrame::loop.
struct LoopCursor;

class DynamicLoops {
public:
  explicit DynamicLoops(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();

  /// Enters the next dispatched loop of the region. A static schedule is dispatched by thread
  /// number, without sharing.
  void begin(RegionFrame &frame, Schedule schedule, const LoopBounds &bounds, Wide chunk,
             bool monotonic);
  /// The next chunk of the calling thread; false when the loop has ended for it, and the frame has
  /// no loop any more.
  bool next(RegionFrame &frame, StaticPart &part);
  /// All threads of this node have left the region.
  void endRegion(std::uint64_t region);

  /// Loops that some thread of the node has not ended: nowait loops run ahead of one another.
  static constexpr std::size_t kMaxActiveLoops = 1 << 20;

private:
  using Key = std::pair<std::uint64_t, std::uint64_t>; ///< Region, loop.
  struct Loop {
    DynamicLoopShape shape;
    IterationRange share;
    IterationRange finalChunk;   ///< On the last node until a thread takes it.
    IterationCount position = 0; ///< End of the last chunk that a thread of this node took.
    unsigned threadsDone = 0;
    /// A thread asks other nodes; the others wait for it. Atomic, as `answered`: conditions of
    /// Messenger::waitUntil must not take the mutex.
    std::atomic<bool> stealing{false};
    std::atomic<bool> answered{false}; ///< The answer to it is here.
    bool dryEverywhere = false;
  };
  /// Needs mutex_.
  Loop &loopOf(const Key &key, const DynamicLoopShape &shape, unsigned nodes);
  bool ended(const Key &key) const; ///< Needs mutex_.
  void endForThread(const Key &key, const RegionFrame &frame);
  IterationRange nextRange(const RegionFrame &frame, const LoopCursor &cursor);
  void steal(std::unique_lock<std::mutex> &lock, Loop &loop, const Key &key,
             const RegionFrame &frame);

  Runtime &runtime_;
  mutable std::mutex mutex_;  ///< Guards all below; not held while waiting or posting.
  std::map<Key, Loop> loops_; ///< Nodes of a map stay where they are.
  Key firstActive_{0, 0};     ///< Everything before it has ended on this node.
};

} // namespace ompdsm
