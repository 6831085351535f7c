// Reduction.h: reductions of a spread region: inside the node through its memory, across nodes
// along a binomial tree on the bytes of the objects, never through shared memory.
//
// The order of combination depends on the numbers of nodes and threads only, so a result is the
// same in every run with the same numbers. What travels are the bytes of the objects: an object
// that owns memory may be read through them by the other node, but its combiner must not move from
// them.
#pragma once
#include "fabric/Transport.h"
#include "libompdsm/src/ReductionObjects.h"
#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace ompdsm {

struct Runtime;
struct RegionFrame;
struct SpreadRegion;

class ReductionExchange {
public:
  explicit ReductionExchange(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();

  /// Starts a reduction on the calling thread. Returns what __kmpc_reduce returns: 1 on the thread
  /// that has the combined value in its private copies and puts it into the original (then calls
  /// end()), 0 elsewhere. Without sizes every thread gets 1, one at a time.
  int begin(RegionFrame &frame, const ReductionCall &call);
  void end(RegionFrame &frame, Ident *location, std::int32_t gtid, CriticalName *lock, bool nowait);

private:
  using Key = std::tuple<std::uint64_t, std::uint64_t, NodeId>; ///< Region, reduction, from.
  struct Incoming {
    std::vector<std::byte> bytes;
    std::size_t received = 0;
    bool complete() const { return received == bytes.size(); }
  };
  void combineAcrossNodes(const SpreadRegion &region, std::uint64_t reduction,
                          const ReductionCall &call);
  void post(NodeId to, const SpreadRegion &region, std::uint64_t reduction,
            const std::vector<std::byte> &objects);
  std::vector<std::byte> receive(const Key &key);

  Runtime &runtime_;
  std::mutex mutex_; ///< Guards incoming_; innermost.
  std::map<Key, Incoming> incoming_;
};

} // namespace ompdsm
