// RegionWork.cpp: see RegionWork.h.
#include "libompdsm/src/RegionWork.h"
#include <utility>

namespace ompdsm {

namespace {
constexpr std::uint64_t kPatienceGrowth = 4, kMostPatience = std::uint64_t(1) << 24;
/// What is folded stays so until its work is so many times the limit.
constexpr double kSlack = 1.5;
/// What is folded to be measured: work of the threads in so many times the limit.
constexpr double kMeasured = 16;
/// By how much work has to shrink to be measured again.
constexpr std::uint64_t kShrunk = 4;
} // namespace

void RegionWork::noteSpread(const RegionTimes &visit, unsigned nodes) {
  foldedInTurn_ = 0;
  work_.add(visit.useful * nodes);
  if (isVisited_)
    spread_.add(visit.duration);
  isVisited_ = true;
  if (kShrunk * work_.value() < workBefore_) { // What was measured is of another problem.
    folded_ = {};
    workBefore_ = 0;
  }
}

void RegionWork::noteFolded(const RegionTimes &visit) {
  folded_.add(visit.duration);
  workBefore_ = work_.value();
  constexpr unsigned kEnough = 3; // The first ones fetch what the other nodes have.
  if (foldedInTurn_ < kEnough) {
    ++foldedInTurn_;
    return;
  }
  if (spreadDuration() != 0 && foldedDuration() > spreadDuration()) {
    patience_ =
        std::exchange(nextPatience_, std::min(kPatienceGrowth * nextPatience_, kMostPatience));
    foldedInTurn_ = 0;
  }
}

RegionWork RegionWork::ofSize(double ratio) const {
  RegionWork other;
  if (limit_ == 0 || patience_ > 0)
    return other;
  other.isVisited_ = true;
  other.work_.add(std::uint64_t(double(alone()) * ratio));
  return other;
}

bool RegionWork::folds(std::uint64_t limit) {
  if (patience_ > 0)
    --patience_;
  const double most = double(limit) * (!folded_.isSettled() ? kMeasured
                                       : limit_ == limit    ? kSlack
                                                            : 1);
  const bool does = isVisited_ && patience_ == 0 && double(alone()) <= most;
  limit_ = does ? limit : 0;
  return does && limit != 0;
}

} // namespace ompdsm
