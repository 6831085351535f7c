// WithheldChanges.h: which changes a home does not send at a barrier, although their receiver is
// expected to read the block, as it does so only behind a later one. Under the engine's lock; for
// blocks of which this node is the home.
//
// A block that is written in several phases, with barriers between them, and read behind the last
// one would be sent in each. Who does not read it behind some site says so (UnreadSites.h): there
// its copy ends, and the home writes the block at no cost until all of it is sent, at a site behind
// which the node says that it reads it, or had to fetch it before (core/Serving.h). So predictions
// are by block and site (Karlsson and Brorsson, see PushPrediction.h). It is done where much of a
// block changes: else what changes in all phases is less than the block.
//
// What is withheld or sent is never wrong for a program's result, only for its speed: who has no
// copy fetches. Of whom had to although the block was expected to be there, nothing more is
// withheld.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/ParkedSharers.h"
#include <algorithm>
#include <tsl/robin_map.h>
#include <vector>

namespace ompdsm {

class WithheldChanges {
public:
  static constexpr std::size_t kMostSites = 512, kMostOwed = 16384; ///< Beyond, all is sent.

  /// Whether changes are so much of a block that all of it costs little more.
  static bool isMuch(std::size_t changedBytes, std::size_t blockBytes) {
    return 2 * changedBytes >= blockBytes;
  }
  bool isEmpty() const { return sites_.empty(); }
  /// The node has not read the block behind `site`, twice, but may behind others.
  void onUnread(SiteId site, Address block, unsigned blockShift, NodeId node) {
    if (disappointed_.contains(block, blockShift, node) || !hasRoomFor(site))
      return;
    Site &here = sites_[site];
    (void)here.unread.insert(block, blockShift, node);
    here.read.erase(block, blockShift, node);
  }
  /// It has read behind `site` what it was sent there.
  void onRead(SiteId site, Address block, unsigned blockShift, NodeId node) {
    if (disappointed_.contains(block, blockShift, node) || !hasRoomFor(site))
      return;
    Site &here = sites_[site];
    here.unread.erase(block, blockShift, node);
    (void)here.read.insert(block, blockShift, node);
  }
  /// Whether its copy is to end when the block changes at a barrier at `site`.
  bool withholds(SiteId site, Address block, unsigned blockShift, NodeId node) const {
    const auto here = sites_.find(site);
    return here != sites_.end() && owed_.size() < kMostOwed &&
           here->second.unread.contains(block, blockShift, node);
  }
  /// It does.
  void onWithheld(SiteId site, Address block, unsigned blockShift, NodeId node) {
    owed_[{block, node}] = {site, blockShift, false};
    ended_.push_back(block);
  }
  /// Blocks of which some copies have ended so, since the last call.
  std::vector<Address> takeEnded() { return std::exchange(ended_, {}); }

  struct Owed {
    Address block = 0;
    unsigned blockShift = 0;
    NodeId node = 0;
  };
  /// What is to be sent at a barrier at `site`, by ascending addresses.
  std::vector<Owed> owedAt(SiteId site) const {
    std::vector<Owed> owed;
    if (const auto here = sites_.find(site); here != sites_.end())
      for (const auto &[key, withheld] : owed_)
        if (here->second.read.contains(key.block, withheld.blockShift, key.node))
          owed.push_back({key.block, withheld.blockShift, key.node});
    std::sort(owed.begin(), owed.end(), [](const Owed &a, const Owed &b) {
      return std::pair(a.block, a.node) < std::pair(b.block, b.node);
    });
    return owed;
  }
  /// Some of that was sent, or could not be.
  void onSupply(const Owed &owed, bool isSent) {
    const auto found = owed_.find({owed.block, owed.node});
    if (isSent)
      owed_.erase(found);
    else
      found.value().couldNotBeSent = true;
  }

  /// This node has left a barrier at `site`.
  void leave(SiteId site) { left_ = site; }
  /// The node fetches the block, or has overwritten it. `isBehindLeft`: a thread of it waits, and
  /// the barrier that it has left last is the one that this node has.
  void onFetched(Address block, unsigned blockShift, NodeId node, bool isBehindLeft) {
    const auto found = owed_.find({block, node});
    if (found == owed_.end())
      return;
    const Withheld withheld = found->second;
    owed_.erase(found);
    if (!isBehindLeft || withheld.couldNotBeSent || !hasRoomFor(left_))
      return;
    if (left_ == withheld.site || sites_[left_].read.contains(block, blockShift, node)) {
      (void)disappointed_.insert(block, blockShift, node);
      sites_[withheld.site].unread.erase(block, blockShift, node);
    } else {
      (void)sites_[left_].read.insert(block, blockShift, node);
    }
  }
  /// The node has given the block up, or could not use what it was sent.
  void onLeft(Address block, unsigned blockShift, NodeId node) {
    for (auto site = sites_.begin(); site != sites_.end(); ++site)
      site.value().read.erase(block, blockShift, node);
  }

private:
  struct Site {
    /// Who does not read a block behind it, and who does.
    ParkedSharers unread, read;
  };
  struct Key {
    Address block = 0;
    NodeId node = 0;
    bool operator==(const Key &) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key &key) const { return AddressHash()(key.block + key.node); }
  };
  struct Withheld {
    SiteId site = kNoSite; ///< At which it was the last time.
    unsigned blockShift = 0;
    bool couldNotBeSent = false; ///< Though it was expected: nobody learns of a fetch then.
  };
  bool hasRoomFor(SiteId site) const { return sites_.size() < kMostSites || sites_.contains(site); }

  tsl::robin_map<SiteId, Site> sites_;
  tsl::robin_map<Key, Withheld, KeyHash> owed_; ///< Copies that have ended so.
  ParkedSharers disappointed_; ///< Who had to fetch what was to be sent, or withheld for good.
  std::vector<Address> ended_;
  SiteId left_ = kNoSite;
};

} // namespace ompdsm
