// FoldingLimit.h: up to which work regions are folded (Foldings.h), by experiment. Pure.
//
// One node alone is faster where its work takes less than what spreading costs besides. But regions
// work on the same data: what a folded one has changed others may have to fetch when they are
// spread, and then all of them are better spread, or all folded. So there is one limit for all
// regions of the program, a multiple of what spreading costs at least, and it is changed if the
// program is faster with another one: by the times from visit to visit of the same regions, which
// whatever the program does between them is part of (as dynamic feedback, Diniz and Rinard, PLDI
// 1997). What does other things at one time than at another, or shares the machine, shows
// differences of its own, so that the limit before has to be slower both before and after.
#pragma once
#include "libompdsm/src/RegionWork.h"
#include <map>

namespace ompdsm {

/// A visit as the limit sees it.
struct LimitVisit {
  const void *region = nullptr; ///< Any name of the region at its size.
  std::uint64_t begin = 0;      ///< Of a steady clock.
  RegionTimes times;
  std::uint64_t alone = 0; ///< RegionWork::alone.
  bool isFolded = false, mayFold = false;
};

class FoldingLimit {
public:
  explicit FoldingLimit(unsigned nodes) : nodes_(nodes) {}

  /// Nanoseconds of work of one node.
  std::uint64_t value() const { return limitAt(level_); }
  void note(const LimitVisit &visit);

  /// An epoch has so much time and so many visits at least.
  static constexpr std::uint64_t kLeastTime = 20'000'000;
  static constexpr unsigned kFewestVisits = 64;
  /// Epochs until an experiment that has failed is repeated; longer each time.
  static constexpr unsigned kPatience = 16;

private:
  static constexpr unsigned kFirstLevel = 2;

  enum class Phase : std::uint8_t { Steady, Settling, Trying, Returning, Comparing };
  struct Periods {
    std::uint64_t visits = 0, time = 0;
  };
  using Epoch = std::map<const void *, Periods>;
  /// Towards less or more that is folded.
  struct Direction {
    unsigned patience = 0, nextPatience = kPatience;
    double gain = 0;        ///< Nanoseconds of the epoch that might be gained at most.
    std::uint64_t work = 0; ///< Of the region that would be the first to change.
  };

  std::uint64_t limitAt(unsigned level) const;
  void endEpoch(std::uint64_t time);
  void beginExperiment(std::uint64_t time);
  void endExperiment();
  static double speedup(const Epoch &from, const Epoch &to);

  unsigned nodes_, level_ = kFirstLevel;
  double cost_ = 20'000; ///< What spreading costs besides the work, in good cases.
  Phase phase_ = Phase::Steady;
  unsigned triedLevel_ = 0, levelBefore_ = 0;
  Direction less_, more_, *tried_ = nullptr;
  Epoch epoch_, before_, during_;
  std::uint64_t epochBegin_ = 0;
  unsigned visits_ = 0;
};

} // namespace ompdsm
