// FetchPrediction.h: which blocks of other nodes this node will fetch behind a site of the program,
// because it did so the last times. Under the engine's lock.
//
// What a home is told to send unasked (PushPrediction.h) is sent at each release that changes it. A
// block that is changed in several phases and read behind the last one, or that nobody keeps (as
// what a transposition overwrites), is fetched in each round. So a node remembers, for each barrier
// and each beginning of a region, what was fetched behind it; what was fetched there in two
// intervals is asked for, all of it together, as soon as the node comes there again (Bianchini,
// Pinto, Amorim, "Data prefetching for software DSMs", ICS 1998, for pages; by place of the program
// instead of by the faults since the last acquire).
//
// Whether such a copy is read is noticed the first time and sometimes later (DataWatched); if it is
// not before it becomes stale, the block is no more expected there.
//
// A prediction is never wrong for a program's result, only for its speed.
#pragma once
#include "protocol/core/Types.h"
#include "protocol/engine/BlockMarks.h"
#include <array>
#include <span>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>
#include <utility>
#include <vector>

namespace ompdsm {

class FetchPrediction {
public:
  /// Blocks behind other sites than these are not remembered, nor more blocks behind a site, nor
  /// more that are fetched in an interval.
  static constexpr std::size_t kMostSites = 512, kMostBlocks = 2048, kMostOfInterval = 8192;
  /// A site at which more different blocks were fetched, as it walks through memory, begins anew.
  static constexpr std::size_t kMostRemembered = 65536;
  /// A thread that fetches more blocks at once does not wait less if they are asked for before.
  static constexpr std::size_t kFewBlocks = 8;

  /// What became of a block that was expected.
  enum class Found : std::uint8_t {
    Here,  ///< It has come by other ways, or nobody has changed it.
    Asked, ///< It is being fetched.
  };

  /// A thread fetches a block, together with others until endTogether().
  void onFetch(Address block, unsigned blockShift) {
    if (together_ < kFewBlocks)
      few_[together_] = {block, std::uint8_t(blockShift)};
    ++together_;
  }
  void endTogether() {
    const std::size_t count = std::exchange(together_, 0);
    if (site_ == kNoSite || count > kFewBlocks)
      return;
    for (const Fetched &fetched : std::span(few_).first(count))
      if (fetched_.size() < kMostOfInterval && seen_.insert(fetched.block).second)
        fetched_.push_back(fetched);
  }
  /// The interval ends, and one behind `site` begins. `again`: what was fetched in vain before is
  /// believed as if it had not been.
  void comeTo(SiteId site, bool again) {
    if (!fetched_.empty())
      remember(again);
    site_ = site;
  }
  /// Calls found = visit(block, isNew) for what is expected behind the site that the node has come
  /// to, in the order of first use; `isNew`: it has not been asked for before. `last`: not again
  /// before the next site.
  template <class Visit> void forEachExpected(bool last, Visit &&visit) {
    const auto found = sites_.find(site_);
    if (found == sites_.end())
      return;
    Site &site = found.value();
    std::size_t kept = 0;
    for (Expected expected : site.expected)
      if (staysExpected(site, expected, last, visit))
        site.expected[kept++] = expected;
    site.expected.resize(kept);
  }
  /// Whether the block, which is asked for at this site, is read is to be noticed.
  void watch(Address block) { watched_[block] = site_; }
  bool isWatched(Address block) const { return watched_.contains(block); }
  /// It is read, or found not to be. Returns whether a prediction was in vain.
  bool onOutcome(Address block, unsigned blockShift, bool isRead) {
    const auto watched = watched_.find(block);
    if (watched == watched_.end())
      return false;
    if (!isRead)
      sites_[watched->second].marks.set(block, blockShift, Mark::Doubted);
    watched_.erase(watched);
    return !isRead;
  }

private:
  /// So often in a row an expected block may be there already.
  static constexpr std::uint8_t kMostIdleVisits = 64;
  enum class Mark : std::uint8_t { Unknown, Fetched, Expected, Doubted };
  struct Fetched {
    Address block = 0;
    std::uint8_t blockShift = 0;
  };
  struct Expected : Fetched {
    bool isProven = false;
    std::uint8_t idleVisits = 0;
  };
  struct Site {
    BlockMarks<Mark> marks;
    std::vector<Expected> expected; ///< In the order of first use; with some that are not any more.
    std::size_t remembered = 0;     ///< Blocks that were fetched once.
  };

  template <class Visit>
  static bool staysExpected(Site &site, Expected &expected, bool last, Visit &visit) {
    if (site.marks.get(expected.block, expected.blockShift) != Mark::Expected)
      return false;
    if (visit(expected.block, !expected.isProven) == Found::Asked) {
      expected.isProven = true; // unless onOutcome says otherwise
      expected.idleVisits = 0;
      return true;
    }
    if (!last || ++expected.idleVisits < kMostIdleVisits)
      return true;
    site.marks.set(expected.block, expected.blockShift, Mark::Unknown);
    return false;
  }

  void remember(bool again) {
    if (sites_.size() < kMostSites || sites_.contains(site_)) {
      Site &site = sites_[site_];
      for (const Fetched &fetched : fetched_)
        remember(site, fetched, again);
    }
    fetched_.clear();
    seen_.clear();
  }
  static void remember(Site &site, const Fetched &fetched, bool again) {
    const auto [block, blockShift] = fetched;
    if (site.remembered >= kMostRemembered)
      site = Site{};
    switch (site.marks.get(block, blockShift)) {
    case Mark::Doubted:
      if (!again)
        break;
      [[fallthrough]];
    case Mark::Unknown:
      site.marks.set(block, blockShift, Mark::Fetched);
      ++site.remembered;
      break;
    case Mark::Fetched:
      if (site.expected.size() < kMostBlocks) {
        site.marks.set(block, blockShift, Mark::Expected);
        site.expected.push_back({fetched});
      }
      break;
    case Mark::Expected: // it had been asked for too late, or became stale again
      break;
    }
  }

  SiteId site_ = kNoSite;
  std::array<Fetched, kFewBlocks> few_;
  std::size_t together_ = 0;     ///< Since endTogether(), the first of them in few_.
  std::vector<Fetched> fetched_; ///< In this interval.
  tsl::robin_set<Address, AddressHash> seen_;
  tsl::robin_map<SiteId, Site> sites_;
  tsl::robin_map<Address, SiteId, AddressHash> watched_; ///< By block: where it was asked for.
};

} // namespace ompdsm
