// StridePrediction.h: which runs of blocks this node will fetch behind a site of the program, as
// what it has fetched there in its last visits lies at constant distances. Under the engine's lock.
//
// FetchPrediction.h remembers blocks: who reads another panel, row or plane in each step fetches
// each of them for the first time. So a node also remembers the runs that its threads have fetched
// behind a site in its last visits. If those of the visit p ago begin and end as far from those of
// 2 p ago as these do from those of 3 p ago, the next ones are expected at the same distances
// (stride prefetching: Baer and Chen, "An effective on-chip preloading scheme to reduce data access
// penalty", SC 1991; here by place of the program, and with both ends, as panels become shorter). p
// is 1 where each visit fetches, and the number of nodes where panels are dealt in turn and a
// node's own is not fetched. Ends are those of what threads have asked for, to the byte: ends of
// blocks and pages do not move evenly.
//
// Only what was fetched by several requests, one after the other, is expected, and not what is
// large: who waits once, or for the contents, waits as long if the request has left before.
//
// The first time and now and then, the first and the last block that are asked for of a run are
// watched. If neither is read it was expected in vain, and some of the next visits are not
// predicted: each failure doubles their number. Else what was asked for counts as fetched.
//
// A prediction is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

namespace ompdsm {

class StridePrediction {
public:
  /// The first and the last block that were asked for of a run, and where that ends.
  struct Asked {
    Address first = 0, last = 0, end = 0;
  };

  /// Visits of other sites than these are not remembered, nor what is fetched in a visit with more
  /// runs.
  static constexpr std::size_t kMostSites = 64, kMostRuns = 64;
  static constexpr std::size_t kMostPeriod = 8;
  /// Distances may differ by so much, as the first elements of a run may be here already.
  static constexpr std::int64_t kSlack = 128;
  /// Who has waited for fewer requests, or fetches more, is left to wait.
  static constexpr unsigned kFewestWaits = 2;
  static constexpr std::size_t kMostBytes = 1024 * 1024;
  /// After predictions in vain so many visits are not predicted, at most.
  static constexpr unsigned kMostDoubt = 64;

  /// A thread has asked for `wanted`, of which the blocks in `fetched` are fetched, together with
  /// others until endTogether().
  void onFetch(AddressRun wanted, AddressRun fetched) {
    add({wanted, hull(wanted, fetched), /*isAhead=*/false});
    isAwaited_ = true;
  }
  /// A block is fetched with one that a thread has asked for. Between two of them it belongs to
  /// their run.
  void onFetchAhead(AddressRun block) { add({block, block, /*isAhead=*/true}); }
  void endTogether() { waits_ += std::exchange(isAwaited_, false); }

  /// The interval ends, and one behind `site` begins; `watches`: it is to be noticed whether what
  /// is expected there is read. Returns how many runs were expected in vain.
  unsigned comeTo(SiteId site, bool watches) {
    const unsigned inVain = judge();
    remember();
    site_ = site;
    predict(watches);
    return inVain;
  }
  /// Calls ask(run), which returns what it has asked for, if anything, as an optional Asked, for
  /// each run that is expected behind the site that the node has come to.
  template <class Ask> void forEachExpected(Ask ask) {
    for (Expected &expected : expected_) {
      const std::optional<Asked> asked = ask(expected.run);
      if (!asked || expected.asked)
        continue;
      expected.asked = asked;
      if (watches_)
        for (const Address block : {asked->first, asked->last})
          watched_.try_emplace(block, false);
    }
  }
  /// Whether it is to be noticed that the block, which was asked for behind this site, is read.
  bool isWatched(Address block) const { return watched_.contains(block); }
  void onRead(Address block) {
    if (const auto watched = watched_.find(block); watched != watched_.end())
      watched.value() = true;
  }

private:
  /// Of runs, in the order in which they are fetched.
  static constexpr std::size_t kMostPieces = 2 * kMostRuns;

  struct Fetched {
    AddressRun wanted, blocks;
    bool isAhead = false;
  };
  struct Expected {
    AddressRun run;
    std::optional<Asked> asked;
  };
  struct Visit {
    std::vector<AddressRun> runs; ///< In the order of addresses; at most kMostRuns.
    unsigned waits = 0;           ///< For so many requests, one after the other.
  };
  struct Site {
    std::array<Visit, 3 * kMostPeriod> visits;
    std::size_t next = 0;  ///< Where the next visit goes.
    unsigned doubt = 0;    ///< So many visits are not predicted after a failure.
    unsigned skips = 0;    ///< So many are left.
    bool isProven = false; ///< What was expected and watched last was read.

    /// 1: the last visit.
    const Visit &ago(std::size_t visitsAgo) const {
      return visits[(next + visits.size() - visitsAgo) % visits.size()];
    }
    Visit &add() {
      Visit &visit = visits[next];
      next = (next + 1) % visits.size();
      visit.runs.clear();
      return visit;
    }
  };

  static AddressRun hull(const AddressRun &one, const AddressRun &other) {
    return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
  }
  void add(const Fetched &fetched) {
    if (site_ == kNoSite || isScattered_)
      return;
    Fetched *const last = fetched_.empty() ? nullptr : &fetched_.back();
    if (last && last->isAhead == fetched.isAhead && last->blocks.end == fetched.blocks.begin) {
      last->wanted = hull(last->wanted, fetched.wanted);
      last->blocks = hull(last->blocks, fetched.blocks);
    } else if (fetched_.size() < kMostPieces) {
      fetched_.push_back(fetched);
    } else {
      isScattered_ = true;
    }
  }

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

  /// What was asked for counts as fetched, unless it is known not to be read.
  unsigned judge() {
    unsigned asked = 0, inVain = 0;
    for (const Expected &expected : expected_) {
      if (!expected.asked)
        continue;
      ++asked;
      if (!mayBeRead(expected.asked->first) && !mayBeRead(expected.asked->last)) {
        ++inVain;
        continue;
      }
      add({expected.run, hull(expected.run, {expected.asked->first, expected.asked->end}),
           /*isAhead=*/false});
      waits_ = std::max(waits_, savedWaits_);
    }
    if (asked != 0 && watches_) {
      Site &site = sites_[site_];
      site.isProven = 2 * inVain <= asked;
      if (site.isProven)
        site.doubt -= site.doubt != 0;
      else
        site.skips = site.doubt = std::min(kMostDoubt, 2 * site.doubt + 2);
    }
    expected_.clear();
    watched_.clear();
    return inVain;
  }
  bool mayBeRead(Address block) const { return !watches_ || watched_.at(block); }

  void remember() {
    const auto known = sites_.find(site_);
    if (known != sites_.end() || (!fetched_.empty() && sites_.size() < kMostSites)) {
      Visit &visit = (known != sites_.end() ? known.value() : sites_[site_]).add();
      visit.waits = waits_;
      if (!isScattered_)
        joinFetched(visit.runs);
      if (visit.runs.size() > kMostRuns)
        visit.runs.clear();
    }
    fetched_.clear();
    isScattered_ = isAwaited_ = false;
    waits_ = 0;
  }
  void joinFetched(std::vector<AddressRun> &runs) {
    std::sort(fetched_.begin(), fetched_.end(), [](const Fetched &one, const Fetched &other) {
      return one.blocks.begin < other.blocks.begin;
    });
    Address end = 0; // Of what is adjacent to the last of the runs.
    for (const Fetched &fetched : fetched_) {
      const bool isAdjacent = !runs.empty() && fetched.blocks.begin <= end;
      if (fetched.isAhead && !isAdjacent)
        continue;
      end = isAdjacent ? std::max(end, fetched.blocks.end) : fetched.blocks.end;
      if (!isAdjacent)
        runs.push_back(fetched.wanted);
      else if (!fetched.isAhead)
        runs.back() = hull(runs.back(), fetched.wanted);
    }
  }

  void predict(bool watches) {
    const auto known = sites_.find(site_);
    if (known == sites_.end())
      return;
    Site &site = known.value();
    watches_ = watches || !site.isProven;
    for (std::size_t period = 1; period <= kMostPeriod && expected_.empty(); ++period) {
      const Visit &last = site.ago(period), &first = site.ago(3 * period);
      if (last.waits < kFewestWaits || !moveAlike(last.runs, site.ago(2 * period).runs, first.runs))
        continue;
      savedWaits_ = last.waits;
      for (std::size_t i = 0; i < last.runs.size(); ++i)
        expect(last.runs[i], first.runs[i]);
    }
    std::size_t bytes = 0;
    for (const Expected &expected : expected_)
      bytes += expected.run.end - expected.run.begin;
    const bool isSkipped = bytes != 0 && site.skips != 0;
    site.skips -= isSkipped;
    if (isSkipped || bytes > kMostBytes)
      expected_.clear();
  }
  void expect(const AddressRun &last, const AddressRun &first) {
    const std::int64_t begin = distance(first.begin, last.begin) / 2;
    const std::int64_t end = distance(first.end, last.end) / 2;
    if (std::abs(begin) <= kSlack && std::abs(end) <= kSlack)
      return; // it stays where it is
    const AddressRun run{last.begin + Address(begin), last.end + Address(end)};
    if (run.begin < run.end)
      expected_.push_back({run, std::nullopt});
  }

  // Of the interval behind this site:
  SiteId site_ = kNoSite;
  std::vector<Fetched> fetched_;
  bool isScattered_ = false; ///< There is more than that.
  bool isAwaited_ = false;   ///< Some was fetched since endTogether().
  unsigned waits_ = 0;       ///< As in Visit.
  std::vector<Expected> expected_;
  unsigned savedWaits_ = 0; ///< Of the visit from which they are expected.
  bool watches_ = false;
  tsl::robin_map<Address, bool, AddressHash> watched_; ///< By block: whether it has been read.

  tsl::robin_map<SiteId, Site> sites_;
};

} // namespace ompdsm
