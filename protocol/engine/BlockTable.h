// BlockTable.h: what a node knows of a block beyond its state byte: twin, sharers, waiters. Blocks
// that need none of it (exclusive at home, clean or invalid at a cacher) have no record, those that
// need only their sharers have them in a shorter form. Also the dirty list. Under the engine's
// lock.
#pragma once
#include "protocol/core/SharerSet.h"
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/ParkedSharers.h"
#include "protocol/engine/Twin.h"
#include <atomic>
#include <memory>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

namespace ompdsm {

/// One thread that waits for a number of blocks.
struct MissWaiter {
  std::atomic<std::uint32_t> remaining{0};
};

struct BlockRecord {
  std::byte *twin = nullptr;
  std::uint64_t graceStamp =
      0;                   ///< Since when W is revoked (GracePeriod); meaningful in closing states.
  bool distrusted = false; ///< The next flush tells the sharers whatever the twin shows.
  bool writerWaits = false; ///< A thread waits for W on the block being fetched.
  SharerSet sharers;        ///< At the home.
  std::vector<MissWaiter *> waiters;

  bool hasTwin() const { return twin != nullptr; }
};

class BlockTable {
public:
  /// Null if nothing or only the sharers are known.
  BlockRecord *find(Address block) {
    auto found = records_.find(block);
    return found == records_.end() ? nullptr : found->second.get();
  }
  BlockRecord &findOrAdd(Address block, unsigned blockShift) {
    auto &slot = records_[block];
    if (!slot) {
      slot = std::make_unique<BlockRecord>();
      slot->sharers = parked_.take(block, blockShift);
    }
    return *slot;
  }
  /// A block that needs nothing of its record but the sharers, if it has any.
  void park(Address block, unsigned blockShift) {
    auto found = records_.find(block);
    if (found->second->sharers.empty() || parked_.park(block, blockShift, found->second->sharers))
      eraseRecord(found);
  }
  void erase(Address block, unsigned blockShift) {
    if (auto found = records_.find(block); found != records_.end())
      eraseRecord(found);
    else
      parked_.take(block, blockShift);
  }
  /// Of a block without a record; until the next change of any block's.
  const SharerSet &parkedOf(Address block, unsigned blockShift) const {
    return parked_.of(block, blockShift);
  }

  void enlist(Address block) { dirty_.push_back(block); }
  const std::vector<Address> &dirty() const { return dirty_; }
  /// Takes the dirty list; blocks that stay dirty are put back by relist. Entries may be stale or
  /// double: the block's state decides.
  std::vector<Address> takeDirty() { return std::exchange(dirty_, {}); }
  void relist(Address block) { dirty_.push_back(block); }

  TwinPool &twins() { return twins_; }

private:
  using Records = tsl::robin_map<Address, std::unique_ptr<BlockRecord>, AddressHash>;

  void eraseRecord(Records::iterator record) {
    records_.erase(record);
    // A home that served what it had written has a record for each block until its next release.
    constexpr std::size_t kFew = 16, kSmallTable = 1024;
    if (records_.size() * kFew * 4 < records_.bucket_count() &&
        records_.bucket_count() > kSmallTable)
      records_.rehash(records_.size() * kFew);
  }

  Records records_;
  ParkedSharers parked_; ///< Of blocks without a record.
  std::vector<Address> dirty_;
  TwinPool twins_;
};

} // namespace ompdsm
