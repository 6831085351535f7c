// IterationFlags.h: flags, one for each iteration of a loop, that threads of any node raise and
// wait for.
//
// They are what ordered loops and doacross loops need. A flag has a manager, a node chosen by the
// loop and the iteration (runs of 512 go to one node); who raises a flag tells the manager, who
// waits for one asks it. Raising is a release, and waiting for a flag of another node an acquire. A
// flag raised on a thread's own node is seen without a message.
#pragma once
#include "fabric/Transport.h"
#include <bitset>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ompdsm {

struct Runtime;
struct SpreadRegion;

/// A loop of a region: its number among the region's loops of its kind.
struct FlaggedLoop {
  enum class Kind : std::uint64_t { Ordered, Doacross };
  Kind kind = Kind::Ordered;
  std::uint64_t number = 0;
};

class IterationFlags {
public:
  explicit IterationFlags(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();
  void raise(const SpreadRegion &region, FlaggedLoop loop, std::uint64_t iteration);
  void wait(const SpreadRegion &region, FlaggedLoop loop, std::uint64_t iteration);
  /// All threads of all nodes have left the region.
  void endRegion(std::uint64_t region);

private:
  static constexpr std::uint64_t kRun = 512;
  using Key = std::pair<std::uint64_t, std::uint64_t>; ///< Region, loop.
  struct Body {
    std::uint64_t region = 0;
    std::uint64_t loop = 0;
    std::uint64_t iteration = 0;
    std::uint64_t waiter = 0; ///< Address of the waiting thread's flag, in its own process.
    Key key() const { return {region, loop}; }
  };
  struct Waiter {
    std::uint64_t iteration;
    NodeId node;
    std::uint64_t flag;
  };
  struct Loop {
    std::unordered_map<std::uint64_t, std::bitset<kRun>> raised; ///< By run; a bit per iteration.
    std::vector<Waiter> waiting; ///< For flags that this node manages; one a thread at most.
    bool isRaised(std::uint64_t iteration) const;
  };
  static Body bodyOf(const SpreadRegion &region, FlaggedLoop loop, std::uint64_t iteration);
  static NodeId managerOf(const SpreadRegion &region, const Body &body);
  void note(const Body &body);             ///< Needs mutex_.
  void ask(NodeId from, const Body &body); ///< Needs mutex_.
  void answer(NodeId node, std::uint64_t flag);

  Runtime &runtime_;
  std::mutex mutex_; ///< Guards all below; held while posting. No lock inside but the messenger's.
  std::map<Key, Loop> loops_;
  std::uint64_t firstActiveRegion_ = 0;
};

} // namespace ompdsm
