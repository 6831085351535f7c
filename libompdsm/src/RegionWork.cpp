// RegionWork.cpp: see RegionWork.h.
#include "libompdsm/src/RegionWork.h"
#include <bit>
#include <utility>

namespace ompdsm {

namespace {
constexpr std::uint64_t kPatienceGrowth = 4, kMostPatience = std::uint64_t(1) << 24;
/// Multiples of the limit: behind a folded region and behind a spread one; where the work is not
/// measured yet.
constexpr double kAfterFolded = 2, kAfterSpread = 0.5, kMeasured = 8;
/// Up to which what has proved faster folded is folded.
constexpr double kMostFaster = 8;
/// Visits that are spread to see whether it is still faster: the first ones fetch.
constexpr unsigned kCompared = 5;
/// By how much work has to shrink to be measured again.
constexpr std::uint64_t kShrunk = 4;
} // namespace

std::uint64_t foldingLimit(std::string_view transport, unsigned nodes) {
  const auto has = [&](std::string_view name) { return transport.find(name) != transport.npos; };
  // Nanoseconds of a message from thread to thread, of which as many come one after the other as a
  // tree of nodes is deep.
  const std::uint64_t message = has("shm") ? 4'000 : has("tcp") || has("net") ? 15'000 : 5'000;
  const std::uint64_t forkAndJoin = message * unsigned(1 + std::bit_width(nodes - 1));
  constexpr unsigned kMargin = 4;
  return kMargin * forkAndJoin * nodes / (nodes - 1);
}

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

void RegionWork::noteFolded(const RegionTimes &visit, std::uint64_t limit) {
  if (foldedInTurn_ < kSettling) {
    quickest_ = foldedInTurn_ == 0 ? visit.duration : std::min(quickest_, visit.duration);
    if (++foldedInTurn_ == kSettling && !folded_.isSettled() &&
        double(quickest_) > kMeasured * double(limit))
      giveUp(); // Nothing that goes away makes it so slow.
    return;
  }
  folded_.add(visit.duration);
  workBefore_ = work_.value();
  if (folded_.isSettled() && spreadDuration() != 0 && foldedDuration() > spreadDuration())
    giveUp();
}

void RegionWork::giveUp() {
  patience_ =
      std::exchange(nextPatience_, std::min(kPatienceGrowth * nextPatience_, kMostPatience));
  foldedInTurn_ = 0;
}

RegionWork RegionWork::ofSize(double ratio) const {
  RegionWork other;
  if (!folded_.isSettled() || patience_ > 0)
    return other;
  // Where it would be spread its memory may be new, too.
  other.isVisited_ = isFolded_;
  other.folded_ = folded_.times(ratio);
  other.workBefore_ = other.folded_.value();
  return other;
}

bool RegionWork::folds(std::uint64_t limit, bool afterFolded) {
  if (patience_ > 0)
    --patience_;
  const double factor = !folded_.isSettled() ? kMeasured
                        : afterFolded        ? kAfterFolded
                                             : kAfterSpread;
  const bool isSmall = double(alone()) <= factor * double(limit);
  isFolded_ = isVisited_ && patience_ == 0 && (isSmall || isKnownToBeFaster(limit));
  return isFolded_;
}

bool RegionWork::isKnownToBeFaster(std::uint64_t limit) {
  if (!folded_.isSettled() || !spread_.isSettled() || foldedDuration() >= spreadDuration() ||
      double(foldedDuration()) > kMostFaster * double(limit))
    return false;
  // What the spread visits took is of long ago.
  if (++fasterVisits_ < nextComparison_)
    return true;
  if (fasterVisits_ == nextComparison_ + kCompared) {
    fasterVisits_ = 0;
    nextComparison_ = std::min(kPatienceGrowth * nextComparison_, kMostPatience);
  }
  return false;
}

} // namespace ompdsm
