// StridePrediction.h: which runs of blocks this node will fetch behind a site of the program, as
// what it has fetched there in its last visits lies at constant distances. Under the engine's lock.
//
// FetchPrediction.h remembers blocks: who reads another panel, row or plane in each step fetches
// each of them for the first time. So a node also remembers the runs that its threads have fetched
// behind a site in its last visits, and expects those that follow (StrideHistory.h).
//
// The first time and now and then, the first and the last block that are asked for of a run are
// watched. If neither is read it was expected in vain, and if that was not the first time for long,
// some of the next visits are not predicted: each failure doubles their number. Else what was asked
// for counts as fetched.
//
// Of a site whose predictions have proved right the runs of the next visit, too, are known by now:
// those are ordered, so that they come without being asked for (Orders.cpp). They are always
// watched.
//
// A prediction is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/StrideHistory.h"
#include <algorithm>
#include <optional>
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
  /// Who waits for fewer requests, one after the other, waits as long if the request has left
  /// before.
  static constexpr unsigned kFewestWaits = 2;
  /// After predictions in vain so many visits are not predicted, at most.
  static constexpr unsigned kMostDoubt = 64;
  /// One in vain says as much as so many that were read: the last panel has no next one.
  static constexpr unsigned kMostProof = 4, kDisproof = 2;

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
    expect(watches);
    return inVain;
  }
  /// A region begins behind the barrier at which the last one has ended. Mostly nothing was fetched
  /// since: then what threads read now is read behind that barrier. Not where it comes too early
  /// then, as node 0 changes it in between.
  unsigned comeToBegin(SiteId site, bool watches) {
    const auto known = sites_.find(site_);
    const bool isInDoubt = known != sites_.end() && known->second.doubt != 0;
    return fetched_.empty() && !isInDoubt && site_ != kNoSite ? 0 : comeTo(site, watches);
  }
  /// Calls ask(run), which returns what it has asked for, if anything, as an optional Asked, for
  /// each run that is expected behind the site that the node has come to. Not `last`: what was
  /// ordered may still come.
  template <class Ask> void forEachExpected(bool last, Ask ask) {
    for (Expected &expected : expected_) {
      if (!last && expected.asked)
        continue;
      const std::optional<Asked> asked = ask(expected.run);
      if (asked && expected.asked && isMost(*asked, *expected.asked))
        expected.how = expected.how == How::Ordered ? How::Missing : How::Early;
      if (!asked || expected.asked)
        continue;
      expected.asked = asked;
      if (watches_)
        for (const Address block : {asked->first, asked->last})
          watched_.try_emplace(block, false);
    }
  }
  /// Calls order(run), which returns what it has ordered, if anything, as an optional Asked, for
  /// each run that will be expected behind this site when the node comes to it the next time.
  template <class Order> void forEachNext(Order order) {
    const auto known = sites_.find(site_);
    if (known == sites_.end() || !known->second.isProven() || known->second.skips != 0)
      return;
    Site &site = known.value();
    if (site.orderSkips != 0) {
      --site.orderSkips;
      return;
    }
    StrideHistory::Visit current;
    for (const Expected &expected : expected_)
      if (!expected.isDoubted)
        current.runs.push_back(expected.run);
    if (!missed_.empty())
      current.runs = missed_;
    current.waits = current.runs.empty() ? 0 : savedWaits_;
    const StrideHistory::Visit next = site.history.predict(/*believes=*/true, &current).visit;
    site.ordered.waits = next.waits;
    for (const AddressRun &run : next.runs)
      if (const std::optional<Asked> asked = order(run)) {
        site.ordered.runs.push_back({.run = run, .asked = asked, .how = How::Ordered});
        for (const Address block : {asked->first, asked->last})
          ordered_.try_emplace(block, false);
      }
  }
  /// Whether it is to be noticed that the block, which was asked for behind this site, or ordered
  /// for the next visit of one, is read.
  bool isWatched(Address block) const {
    return watched_.contains(block) || ordered_.contains(block);
  }
  /// The block comes unasked. Whether it was ordered for the next visit of `site`, or the one that
  /// has begun.
  bool takeOrdered(SiteId site, Address block) {
    const auto take = [&](std::vector<Expected> &runs) {
      const auto run = std::find_if(runs.begin(), runs.end(), [&](const Expected &expected) {
        return (expected.how == How::Ordered || expected.how == How::Come) &&
               block >= expected.asked->first && block <= expected.asked->last;
      });
      if (run == runs.end())
        return false;
      run->how = How::Come;
      return true;
    };
    if (site == site_ && take(expected_))
      return true;
    const auto known = sites_.find(site);
    return known != sites_.end() && take(known.value().ordered.runs);
  }
  void onRead(Address block) {
    for (auto *blocks : {&watched_, &ordered_})
      if (const auto watched = blocks->find(block); watched != blocks->end())
        watched.value() = true;
  }

private:
  /// Of runs, in the order in which they are fetched.
  static constexpr std::size_t kMostPieces = 2 * kMostRuns;

  struct Fetched {
    AddressRun wanted, blocks;
    bool isAhead = false;
  };
  enum class How : std::uint8_t {
    Asked,
    Ordered,
    Come,    ///< It was ordered.
    Missing, ///< It was ordered, did not come, and was asked for.
    Early,   ///< It was asked for, or came, before it was made, and was asked for again.
  };
  struct Expected {
    AddressRun run;
    std::optional<Asked> asked; ///< Or ordered.
    How how = How::Asked;
    bool isDoubted = false; ///< It was ordered, and others are expected now.
  };
  struct Ordered {
    std::vector<Expected> runs;
    unsigned waits = 0; ///< As in StrideHistory::Visit.
  };
  struct Site {
    StrideHistory history;
    unsigned doubt = 0;    ///< So many visits are not predicted after a failure.
    unsigned skips = 0;    ///< So many are left.
    unsigned proof = 0;    ///< Of what was expected and watched last, how much was read.
    bool isInVain = false; ///< Some of it was not, the last time.
    unsigned orderDoubt = 0, orderSkips = 0; ///< The same of orders that did not come.
    Ordered ordered;                         ///< For the next visit.

    bool isProven() const { return proof != 0; }
  };

  static bool isMost(const Asked &part, const Asked &all) {
    return 2 * (part.end - part.first) >= all.end - all.first;
  }
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

  /// What was asked for counts as fetched, unless it is known not to be read.
  unsigned judge() {
    unsigned asked = 0, inVain = 0;
    bool isMissing = false;
    for (const Expected &expected : expected_) {
      if (!expected.asked)
        continue;
      ++asked;
      const bool isRead = mayBeRead(expected.asked->first) || mayBeRead(expected.asked->last);
      inVain += !isRead || expected.how == How::Early;
      isMissing |= expected.how == How::Missing;
      if (expected.how == How::Come)
        sites_[site_].orderDoubt = 0;
      if (!isRead)
        continue;
      add({expected.run, hull(expected.run, {expected.asked->first, expected.asked->end}),
           /*isAhead=*/false});
      waits_ = std::max(waits_, savedWaits_);
    }
    if (isMissing) {
      Site &site = sites_[site_];
      site.orderSkips = site.orderDoubt = std::min(kMostDoubt, 2 * site.orderDoubt + 2);
    }
    if (asked != 0 && (watches_ || inVain != 0)) {
      sites_[site_].isInVain = inVain != 0;
      prove(sites_[site_], /*isRight=*/2 * inVain <= asked);
    }
    expected_.clear();
    watched_.clear();
    return inVain;
  }
  static void prove(Site &site, bool isRight) {
    site.proof = isRight ? std::min(kMostProof, site.proof + 1)
                         : site.proof - std::min(kDisproof, site.proof);
    if (isRight)
      site.doubt -= site.doubt != 0;
    else if (!site.isProven())
      site.skips = site.doubt = std::min(kMostDoubt, 2 * site.doubt + 2);
  }
  bool mayBeRead(Address block) const {
    const auto watched = watched_.find(block);
    return watched == watched_.end() || watched->second;
  }

  void remember() {
    const auto known = sites_.find(site_);
    if (known != sites_.end() || (!fetched_.empty() && sites_.size() < kMostSites)) {
      StrideHistory::Visit &visit =
          (known != sites_.end() ? known.value() : sites_[site_]).history.add();
      visit.waits = waits_;
      if (!isScattered_)
        joinFetched(visit.runs);
      if (visit.runs.size() > kMostRuns)
        visit.runs.clear();
    }
    if (!missed_.empty())
      prove(sites_[site_], sites_[site_].history.wasFetched(missed_));
    missed_.clear();
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

  void expect(bool watches) {
    const auto known = sites_.find(site_);
    if (known == sites_.end())
      return;
    Site &site = known.value();
    watches_ = watches || !site.isProven();
    expectOrdered(site);
    if (!expected_.empty() && !site.isInVain) // else it may begin again elsewhere
      return;
    const StrideHistory::Prediction next = site.history.predict(site.isProven());
    if (next.visit.runs.empty())
      return;
    if (site.skips != 0) {
      --site.skips;
      return;
    }
    site.history.onPrediction(next);
    watches_ |= !next.isSure;
    savedWaits_ = next.visit.waits;
    if (next.visit.waits < kFewestWaits) {
      missed_ = next.visit.runs;
      return;
    }
    const std::size_t ordered = expected_.size();
    for (const AddressRun &run : next.visit.runs) {
      const auto isRun = [&](const Expected &one) { return one.run == run; };
      if (std::none_of(expected_.begin(), expected_.begin() + ordered, isRun))
        expected_.push_back({.run = run, .asked = std::nullopt});
    }
    if (expected_.size() != ordered)
      for (std::size_t i = 0; i < ordered; ++i)
        expected_[i].isDoubted = true;
  }
  void expectOrdered(Site &site) {
    if (site.ordered.runs.empty())
      return;
    watches_ = true;
    expected_ = std::exchange(site.ordered.runs, {});
    savedWaits_ = site.ordered.waits;
    for (const Expected &expected : expected_)
      for (const Address block : {expected.asked->first, expected.asked->last})
        if (const auto ordered = ordered_.find(block); ordered != ordered_.end()) {
          watched_.try_emplace(block, ordered->second);
          ordered_.erase(ordered);
        }
  }
  // Of the interval behind this site:
  SiteId site_ = kNoSite;
  std::vector<Fetched> fetched_;
  bool isScattered_ = false; ///< There is more than that.
  bool isAwaited_ = false;   ///< Some was fetched since endTogether().
  unsigned waits_ = 0;       ///< As in StrideHistory::Visit.
  std::vector<Expected> expected_;
  std::vector<AddressRun> missed_; ///< Is expected, and not asked for: threads do, by one request.
  unsigned savedWaits_ = 0;        ///< Of the visit from which they are expected.
  bool watches_ = false;
  tsl::robin_map<Address, bool, AddressHash> watched_; ///< By block: whether it has been read.

  tsl::robin_map<Address, bool, AddressHash> ordered_; ///< As watched_, of what was ordered.
  tsl::robin_map<SiteId, Site> sites_;
};

} // namespace ompdsm
