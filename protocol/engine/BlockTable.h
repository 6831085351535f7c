// BlockTable.h: what a node knows of a block beyond its state byte: twin, sharers, waiters. Blocks
// that need none of it (exclusive at home, clean or invalid at a cacher) have no record. Also the
// dirty list. Under the engine's lock.
#pragma once
#include "protocol/core/SharerSet.h"
#include "protocol/engine/AddressMap.h"
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
  std::uint64_t graceStamp = 0;  ///< Since when W is revoked (GracePeriod); meaningful in closing states.
  bool distrusted = false;       ///< The next flush tells the sharers whatever the twin shows.
  bool listed = false;           ///< On the dirty list.
  bool writerWaits = false;      ///< A thread waits for W on the block being fetched.
  SharerSet sharers;             ///< At the home.
  std::vector<MissWaiter *> waiters;

  bool hasTwin() const { return twin != nullptr; }
};

class BlockTable {
public:
  BlockRecord *find(Address block) {
    auto found = records_.find(block);
    return found == records_.end() ? nullptr : found->second.get();
  }
  BlockRecord &findOrAdd(Address block) {
    auto &slot = records_[block];
    if (!slot)
      slot = std::make_unique<BlockRecord>();
    return *slot;
  }
  void erase(Address block) { records_.erase(block); }

  void enlist(Address block, BlockRecord &record) {
    if (!std::exchange(record.listed, true))
      dirty_.push_back(block);
  }
  const std::vector<Address> &dirty() const { return dirty_; }
  /// Takes the dirty list; blocks that stay dirty are put back by relist. Entries may be stale or
  /// double: the record's `listed` decides.
  std::vector<Address> takeDirty() { return std::exchange(dirty_, {}); }
  void relist(Address block) { dirty_.push_back(block); }

  TwinPool &twins() { return twins_; }

private:
  tsl::robin_map<Address, std::unique_ptr<BlockRecord>> records_;
  std::vector<Address> dirty_;
  TwinPool twins_;
};

} // namespace ompdsm
