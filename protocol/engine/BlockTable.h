// BlockTable.h: what a node knows of a block beyond its state byte: twin, sharers, waiters. Blocks
// that need none of it (exclusive at home, clean or invalid at a cacher) have no record, those that
// need only their sharers have them in a shorter form. Also the dirty list. Under the engine's
// lock.
#pragma once
#include "protocol/engine/ParkedSharers.h"
#include "protocol/engine/ServedDigest.h"
#include "protocol/engine/Twin.h"
#include <atomic>
#include <forward_list>
#include <memory>
#include <utility>
#include <vector>

namespace ompdsm {

/// One thread that waits for a number of blocks.
struct MissWaiter {
  std::atomic<std::uint32_t> remaining{0};
};

/// Of one line: steps come to records that are in no cache, some thousand in a release.
struct alignas(kLineBytes) BlockRecord {
  std::byte *twin = nullptr;
  ServedDigest served; ///< Instead of a twin, in state HomeServed.
  std::uint64_t graceStamp =
      0;                   ///< Since when W is revoked (GracePeriod); meaningful in closing states.
  bool distrusted = false; ///< The next flush tells the sharers whatever the twin shows.
  bool writerWaits = false;                ///< A thread waits for W on the block being fetched.
  SharerSet sharers;                       ///< At the home.
  std::forward_list<MissWaiter *> waiters; ///< Of a block that is being fetched, mostly one.

  bool hasTwin() const { return twin != nullptr; }
};
static_assert(sizeof(BlockRecord) == kLineBytes);

class BlockTable {
public:
  /// Records that are kept for the next blocks: those of a release are those of the interval after.
  static constexpr std::size_t kMostSpare = 4096;

  /// Null if nothing or only the sharers are known.
  BlockRecord *find(Address block, unsigned blockShift) {
    const auto *piece = records_.find(block, blockShift);
    return piece ? piece->values[Records::indexOf(block, blockShift)].get() : nullptr;
  }
  /// The record will be asked for soon, behind others near it.
  void prefetch(Address block, unsigned blockShift) const {
    if (const auto *record = records_.findNear(block, blockShift))
      __builtin_prefetch(record->get());
  }
  BlockRecord &findOrAdd(Address block, unsigned blockShift) {
    auto &piece = records_.findOrAdd(block, blockShift);
    auto &slot = piece.values[Records::indexOf(block, blockShift)];
    if (!slot) {
      slot = newRecord();
      slot->sharers = parked_.take(block, blockShift);
      ++piece.used;
    }
    return *slot;
  }
  /// A block that needs nothing of its record but the sharers, if it has any.
  void park(Address block, unsigned blockShift) {
    const SharerSet &sharers = find(block, blockShift)->sharers;
    if (sharers.empty() || parked_.park(block, blockShift, sharers))
      eraseRecord(block, blockShift);
  }
  void erase(Address block, unsigned blockShift) {
    if (find(block, blockShift))
      eraseRecord(block, blockShift);
    else
      parked_.take(block, blockShift);
  }
  /// Of a block without a record; until the next change of any block's.
  const SharerSet &parkedOf(Address block, unsigned blockShift) const {
    return parked_.of(block, blockShift);
  }

  /// Calls visit(record, blockShift) for each, in no order.
  template <class Visit> void forEachRecord(Visit &&visit) {
    records_.forEach([&](std::unique_ptr<BlockRecord> &record, unsigned blockShift) {
      if (record)
        visit(*record, blockShift);
    });
  }

  void enlist(Address block) { dirty_.push_back(block); }
  const std::vector<Address> &dirty() const { return dirty_; }
  /// Takes the dirty list; blocks that stay dirty are put back by relist. Entries may be stale or
  /// double: the block's state decides.
  std::vector<Address> takeDirty() { return std::exchange(dirty_, {}); }
  /// Takes those off for which `isOff`, in order.
  template <class IsOff> void takeOff(IsOff &&isOff) { std::erase_if(dirty_, isOff); }
  void relist(Address block) { dirty_.push_back(block); }

  TwinPool &twins() { return twins_; }

private:
  /// A block that is written under a lock gets and loses its record, and its array, each time.
  using Records = BlockArrays<std::unique_ptr<BlockRecord>, 64>;

  std::unique_ptr<BlockRecord> newRecord() {
    if (spare_.empty())
      return std::make_unique<BlockRecord>();
    auto record = std::move(spare_.back());
    spare_.pop_back();
    if (!spare_.empty())
      __builtin_prefetch(spare_.back().get(), /*for writing*/ 1); // The next one is asked for soon.
    return record;
  }
  void eraseRecord(Address block, unsigned blockShift) {
    auto &piece = *records_.find(block, blockShift);
    auto record = std::move(piece.values[Records::indexOf(block, blockShift)]);
    if (--piece.used == 0)
      records_.noteUnused(block, blockShift);
    if (spare_.size() < kMostSpare) {
      *record = {};
      spare_.push_back(std::move(record));
    }
  }

  Records records_;
  std::vector<std::unique_ptr<BlockRecord>> spare_; ///< As if new.
  ParkedSharers parked_;                            ///< Of blocks without a record.
  std::vector<Address> dirty_;
  TwinPool twins_;
};

} // namespace ompdsm
