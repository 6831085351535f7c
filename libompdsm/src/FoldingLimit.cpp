// FoldingLimit.cpp: epochs and experiments.
#include "libompdsm/src/FoldingLimit.h"
#include <bit>
#include <utility>
#include <vector>

namespace ompdsm {

namespace {
/// By level: multiples of the work from which spreading would gain if the nodes shared no data.
/// At the lowest what changes is hardly worth a message.
constexpr double kLevels[] = {0.25, 1, 4, 16, 64};
constexpr unsigned kHighest = std::size(kLevels) - 1;
/// Of an epoch: what may be gained at least that is worth an experiment.
constexpr double kWorthTrying = 0.1;
/// How much faster the program has to be.
constexpr double kGain = 1.1;
/// Visits of a region in each of two epochs that are compared.
constexpr unsigned kFewestCompared = 4;
constexpr unsigned kPatienceGrowth = 4, kMostPatience = 1 << 20;
/// How fast what spreading costs follows visits that cost less, and more.
constexpr double kFall = 1.0 / 4, kRise = 1.0 / 512;

double above(std::uint64_t value, double other) { return std::max(double(value) - other, 0.0); }
} // namespace

std::uint64_t FoldingLimit::limitAt(unsigned level) const {
  const double gains = cost_ * nodes_ / (nodes_ - 1);
  // In powers of two, as each new limit is a new choice.
  return std::bit_floor(std::uint64_t(kLevels[level] * gains) | 1);
}

void FoldingLimit::note(const LimitVisit &visit) {
  if (epochBegin_ == 0)
    epochBegin_ = visit.begin;
  const RegionTimes &times = visit.times;
  if (visit.isFolded) {
    less_.gain += above(times.duration, double(times.duration) / nodes_ + cost_);
    less_.work = std::max(less_.work, visit.alone);
  } else if (times.period != 0) { // The first visit tells nothing of the next ones.
    const double cost = above(times.duration, double(times.useful));
    if (!visit.mayFold || visit.alone > value())
      less_.gain += cost; // Part of it may be what folded regions have changed.
    if (visit.mayFold) {
      cost_ += cost < cost_ ? kFall * (cost - cost_) : kRise * (std::min(cost, 2 * cost_) - cost_);
      if (visit.alone > value()) {
        more_.gain += above(times.duration, double(visit.alone));
        more_.work = more_.work == 0 ? visit.alone : std::min(more_.work, visit.alone);
      }
    }
  }
  Periods &periods = epoch_[visit.region];
  ++periods.visits;
  periods.time += times.period;
  ++visits_;
  if (const std::uint64_t time = visit.begin - epochBegin_;
      time >= kLeastTime && visits_ >= kFewestVisits) {
    endEpoch(time);
    epochBegin_ = visit.begin;
    epoch_.clear();
    visits_ = 0;
    for (Direction *direction : {&less_, &more_}) {
      direction->gain = 0;
      direction->work = 0;
    }
  }
}

void FoldingLimit::endEpoch(std::uint64_t time) {
  switch (phase_) {
  case Phase::Steady:
    return beginExperiment(time);
  case Phase::Settling:
    phase_ = Phase::Trying;
    return;
  case Phase::Trying:
    during_ = std::move(epoch_);
    level_ = levelBefore_;
    phase_ = Phase::Returning;
    return;
  case Phase::Returning:
    phase_ = Phase::Comparing;
    return;
  case Phase::Comparing:
    return endExperiment();
  }
}

void FoldingLimit::beginExperiment(std::uint64_t time) {
  const auto isWorthTrying = [&](Direction &direction) {
    if (direction.patience > 0) {
      --direction.patience;
      return false;
    }
    return direction.work != 0 && direction.gain > kWorthTrying * double(time);
  };
  const bool triesLess = isWorthTrying(less_), triesMore = isWorthTrying(more_);
  unsigned level = level_;
  if (triesMore) // More that is folded is less that travels, so it comes first.
    while (level < kHighest && limitAt(level) < more_.work)
      ++level;
  else if (triesLess)
    while (level > 0 && limitAt(level) >= less_.work)
      --level;
  if (level == level_)
    return;
  tried_ = triesMore ? &more_ : &less_;
  levelBefore_ = std::exchange(level_, level);
  triedLevel_ = level;
  before_ = std::move(epoch_);
  phase_ = Phase::Settling;
}

void FoldingLimit::endExperiment() {
  phase_ = Phase::Steady;
  if (std::min(speedup(before_, during_), speedup(epoch_, during_)) >= kGain) {
    level_ = triedLevel_;
    tried_->nextPatience = kPatience;
    return;
  }
  tried_->patience = std::exchange(tried_->nextPatience,
                                   std::min(kPatienceGrowth * tried_->nextPatience, kMostPatience));
}

/// How many times as fast the program is in the second epoch: the median over the regions that were
/// visited in both, weighted by their visits. Zero if most of its visits are of others: then the
/// program is somewhere else.
double FoldingLimit::speedup(const Epoch &from, const Epoch &to) {
  std::vector<std::pair<double, std::uint64_t>> ratios; ///< And visits.
  std::uint64_t visits = 0, allVisits = 0;
  for (const auto &[region, now] : to) {
    allVisits += now.visits;
    const auto entry = from.find(region);
    if (entry == from.end())
      continue;
    const Periods &then = entry->second;
    if (std::min(now.visits, then.visits) < kFewestCompared || now.time == 0 || then.time == 0)
      continue;
    ratios.emplace_back(double(then.time) / double(then.visits) * double(now.visits) /
                            double(now.time),
                        now.visits);
    visits += now.visits;
  }
  if (2 * visits < allVisits || ratios.empty())
    return 0;
  std::ranges::sort(ratios);
  std::uint64_t passed = 0;
  for (const auto &[ratio, weight] : ratios)
    if (2 * (passed += weight) >= visits)
      return ratio;
  return 0;
}

} // namespace ompdsm
