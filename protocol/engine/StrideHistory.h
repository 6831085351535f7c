// StrideHistory.h: which runs of blocks this node has fetched behind a site in its last visits
// there, and which ones follow from that.
//
// If those of the visit p ago begin and end as far from those of 2 p ago as these do from those of
// 3 p ago, the next ones are expected at the same distances (stride prefetching: Baer and Chen, "An
// effective on-chip preloading scheme to reduce data access penalty", SC 1991; here by place of the
// program, and with both ends, as panels become shorter). p is 1 where each visit fetches, and the
// number of nodes where panels are dealt in turn and a node's own is not fetched. Ends are those of
// what threads have asked for, to the byte: ends of blocks and pages do not move evenly.
//
// Where the runs begin again elsewhere (another matrix), those of the next visits are expected as
// far from the first ones as before.
//
// What is large is not expected: who waits for the contents waits as long if the request has left
// before.
#pragma once
#include "protocol/engine/AddressMap.h"
#include <array>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace ompdsm {

class StrideHistory {
public:
  static constexpr std::size_t kMostPeriod = 8;
  /// Distances may differ by so much, as the first elements of a run may be here already.
  static constexpr std::int64_t kSlack = 128;
  /// Who fetches more is left to wait.
  static constexpr std::size_t kMostBytes = 1024 * 1024;

  struct Visit {
    std::vector<AddressRun> runs; ///< In the order of addresses.
    unsigned waits = 0;           ///< For so many requests, one after the other.
  };
  /// By what the ends of a run move.
  struct Move {
    std::int64_t begin = 0, end = 0;
  };
  struct Prediction {
    Visit visit;
    std::size_t period = 0;  ///< Of the visit from which it follows.
    std::vector<Move> moves; ///< Of the runs of that.
    bool isSure = true;      ///< Three visits say so; else they do not begin as others did.
  };

  /// The latest visit from now on, to be filled.
  Visit &add() {
    Visit &visit = visits_[next_];
    next_ = (next_ + 1) % visits_.size();
    visit.runs.clear();
    return visit;
  }
  /// What will be fetched in the next visit, or, if it is known that `current` is fetched in that,
  /// in the one after it. `believes`: runs move as they did before, also from elsewhere.
  Prediction predict(bool believes, const Visit *current = nullptr) const {
    const auto ago = [&](std::size_t visits) -> const Visit & {
      const std::size_t known = current ? visits - 1 : visits; // 1: the latest
      return known == 0 ? *current : visits_[(next_ + visits_.size() - known) % visits_.size()];
    };
    const auto predictBy = [&](std::size_t period) {
      const auto &last = ago(period).runs, &before = ago(2 * period).runs,
                 &first = ago(3 * period).runs;
      return moveAlike(last, before, first)
                 ? moved(ago(period), period, movesBetween(last, first), /*isSure=*/true)
                 : Prediction{};
    };
    Prediction next;
    if (believes && period_ != 0) {
      next = predictBy(period_);
      if (next.visit.runs.empty() && mayMove(ago(period_).runs, ago(2 * period_).runs))
        next = moved(ago(period_), period_, moves_, /*isSure=*/false);
    }
    for (std::size_t period = 1; period <= kMostPeriod && next.visit.runs.empty(); ++period)
      next = predictBy(period);
    return next;
  }
  /// Whether that was fetched in the latest visit.
  bool wasFetched(std::span<const AddressRun> runs) const {
    const auto &latest = visits_[(next_ + visits_.size() - 1) % visits_.size()].runs;
    if (latest.size() != runs.size())
      return false;
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (!areAlike(distance(runs[i].begin, latest[i].begin), 0) ||
          !areAlike(distance(runs[i].end, latest[i].end), 0))
        return false;
    return true;
  }
  /// That is what is expected in this visit.
  void onPrediction(const Prediction &prediction) {
    if (!prediction.isSure || prediction.period == 0)
      return;
    period_ = prediction.period;
    moves_ = prediction.moves;
  }

private:
  static std::int64_t distance(Address from, Address to) { return std::int64_t(to - from); }
  static bool areAlike(std::int64_t one, std::int64_t other) {
    return std::abs(one - other) <= kSlack;
  }
  static bool moveAlike(std::span<const AddressRun> last, std::span<const AddressRun> before,
                        std::span<const AddressRun> first) {
    if (last.size() != before.size() || last.size() != first.size())
      return false;
    for (std::size_t i = 0; i < last.size(); ++i)
      if (!areAlike(distance(before[i].begin, last[i].begin),
                    distance(first[i].begin, before[i].begin)) ||
          !areAlike(distance(before[i].end, last[i].end), distance(first[i].end, before[i].end)))
        return false;
    return !last.empty();
  }
  /// Whether the runs of a visit may be the first ones, or those that follow on the ones before:
  /// not if they only end where they should not.
  bool mayMove(std::span<const AddressRun> last, std::span<const AddressRun> before) const {
    if (last.size() != moves_.size() || before.size() != moves_.size())
      return true;
    for (std::size_t i = 0; i < moves_.size(); ++i)
      if (areAlike(distance(before[i].begin, last[i].begin), moves_[i].begin) &&
          !areAlike(distance(before[i].end, last[i].end), moves_[i].end))
        return false;
    return true;
  }
  /// Of runs that have moved twice.
  static std::vector<Move> movesBetween(std::span<const AddressRun> last,
                                        std::span<const AddressRun> first) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < last.size(); ++i)
      moves.push_back(
          {distance(first[i].begin, last[i].begin) / 2, distance(first[i].end, last[i].end) / 2});
    return moves;
  }
  /// `last` was `period` visits ago.
  static Prediction moved(const Visit &last, std::size_t period, std::vector<Move> moves,
                          bool isSure) {
    Prediction next;
    if (last.waits == 0 || last.runs.size() != moves.size())
      return next;
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const auto [begin, end] = moves[i];
      const AddressRun run{last.runs[i].begin + Address(begin), last.runs[i].end + Address(end)};
      // Else it stays where it is, or is the last one.
      if (run.begin < run.end && (std::abs(begin) > kSlack || std::abs(end) > kSlack)) {
        bytes += run.end - run.begin;
        next.visit.runs.push_back(run);
      }
    }
    if (bytes > kMostBytes)
      return {};
    next.visit.waits = last.waits;
    next.period = period;
    next.moves = std::move(moves);
    next.isSure = isSure;
    return next;
  }

  std::array<Visit, 3 * kMostPeriod> visits_;
  std::size_t next_ = 0;    ///< Where the next visit goes.
  std::size_t period_ = 0;  ///< Of the latest prediction that was sure; 0: there was none.
  std::vector<Move> moves_; ///< In that.
};

} // namespace ompdsm
