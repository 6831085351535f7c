// StatisticsExchange.h: collects the counters of all nodes at node 0 when the program has ended.
//
// OMPDSM_STATS=1 prints one table on stderr; OMPDSM_STATS_FILE=path writes them as JSON. With one
// node the counters are there and zero, so that scripts need no special case.
#pragma once
#include "libompdsm/src/Stats.h"
#include <condition_variable>
#include <mutex>

namespace ompdsm {

struct Options;
struct Runtime;

/// Where the user wants to see them.
struct StatisticsTargets {
  bool table = false; ///< On stderr.
  std::string file;   ///< Empty: none.
  bool areAny() const { return table || !file.empty(); }
  /// Of OMPDSM_STATS and OMPDSM_STATS_FILE.
  static StatisticsTargets of(const Options &options);
};

/// The calling node's counters now.
NodeStatistics readStatistics(const Runtime &runtime);

class StatisticsExchange {
public:
  explicit StatisticsExchange(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();
  void send();    ///< Nodes other than 0, as their last message.
  void collect(); ///< Node 0: waits for all, at most kTimeoutSeconds.
  /// Node 0: writes what the user asked for.
  void report(const Sites &sites, std::vector<FoldedLine> folded);

  static constexpr unsigned kTimeoutSeconds = 10;

private:
  Runtime &runtime_;
  std::mutex mutex_; ///< Guards all below; innermost.
  std::condition_variable arrived_;
  std::vector<std::optional<NodeStatistics>> nodes_;
  std::vector<SiteCounts> sites_;        ///< Of all nodes that have answered.
  std::vector<ChangedTogether> sharing_; ///< The worst blocks of each.
  unsigned answers_ = 0;
};

} // namespace ompdsm
