// Sums.h: what threads of a node add to blocks of other homes, kept beside these until it leaves.
//
// An addition elsewhere takes a message, or a part of one. Where a node adds to the same blocks
// again and again, it adds to zeros of its own, and what has come together leaves as one change
// (BlockState::Summed): additions commute, and nobody wants to know what was there. Sources: Zhang,
// Horn, Sanchez, "Exploiting commutativity to reduce the cost of updates to shared data in
// cache-coherent systems" (MICRO 2015), whose update-only state this is; Gottlieb et al., "The NYU
// Ultracomputer" (1983), which combines operations under way to memory.
//
// A thread adds without the engine's lock: it looks at the state, adds, and looks at the state
// again. Who ends the state changes it first and takes the sums then, by exchanges. So either the
// sums that are taken have what was added, or the thread sees that they were (isSettled). What a
// chunk of memory has beside it stays where it is for as long as the engine lives: nobody adds to
// the sums of another block.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/ByteMasks.h"
#include "protocol/engine/Engine.h"
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace ompdsm {

/// What is done to numbers of so many bytes: each has zeros of its own, as structures mix them.
struct SumKind {
  std::uint8_t operation = 0, bytes = 0;
  static SumKind of(const AtomicOperation &operation) {
    return {operation.operation, operation.bytes};
  }
  friend bool operator==(SumKind, SumKind) = default;
};

class Sums {
public:
  /// Blocks are at most as large.
  static constexpr unsigned kChunkShift = 16;
  static constexpr std::size_t kChunkBytes = std::size_t(1) << kChunkShift;
  /// 256 MiB of addresses, of which pages are taken that are added to.
  static constexpr std::size_t kMostChunks = 4096;

  Sums() = default;
  ~Sums();
  Sums(const Sums &) = delete;
  Sums &operator=(const Sums &) = delete;

  /// Where the number at `address` has its sum; null if there is none yet. By any thread.
  std::byte *find(Address address, SumKind kind) const {
    const Table *table = table_.load(std::memory_order_acquire);
    std::byte *const chunk = table ? table->at(keyOf(address, kind)).chunk() : nullptr;
    return chunk ? chunk + address % kChunkBytes : nullptr;
  }
  enum class Added { No, Kept, Late };
  /// A thread that is registered, and online, adds where the state of the block allows it. Late: it
  /// ended before, so what was added has to be settled (Engine::settle). `add`: a full barrier, to
  /// the sum that it is given.
  template <class Add>
  Added add(Address address, const AtomicOperation &operation, const StateTable &states,
            Add &&add) const {
    std::byte *const sum = find(address, SumKind::of(operation));
    if (!sum || states.stateAt(address) != BlockState::Summed)
      return Added::No;
    add(sum);
    return isSettled(states.stateBehind(address)) ? Added::Kept : Added::Late;
  }
  // Under the engine's lock:
  /// Null if there are too many.
  std::byte *findOrAdd(Address address, SumKind kind);
  /// Calls visit(kind, sums) for each kind of which the block may have some.
  template <class Visit> void forEachKind(Address block, Visit &&visit) const {
    for (const SumKind kind : kinds_)
      if (std::byte *sums = find(block, kind))
        visit(kind, sums);
  }
  /// Moves what a block has to `taken`, where numbers without a sum are left as they are, and says
  /// which bytes of its lines are not zero; how many numbers have a sum.
  static std::size_t take(std::byte *sums, SumKind kind, std::byte *taken,
                          std::span<LineMask> masks);
  /// The same where no thread can be adding. `zeros`: as many as the block has bytes.
  static std::size_t takeAlone(std::byte *sums, SumKind kind, const std::byte *zeros,
                               std::byte *taken, std::span<LineMask> masks);

private:
  /// Open addressing; nothing is erased.
  struct Slot {
    std::atomic<std::uint64_t> key{0};
    std::byte *memory = nullptr; ///< Written before the key.
  };
  class Place {
  public:
    Place(Slot &slot, std::uint64_t key) : slot_(slot), key_(key) {}
    std::byte *chunk() const {
      return slot_.key.load(std::memory_order_acquire) == key_ ? slot_.memory : nullptr;
    }
    void fill(std::byte *memory) const {
      slot_.memory = memory;
      slot_.key.store(key_, std::memory_order_release); // pairs with chunk()
    }

  private:
    Slot &slot_;
    std::uint64_t key_;
  };
  struct Table {
    mutable std::array<Slot, 2 * kMostChunks> slots;
    /// Of the key, or where it goes.
    Place at(std::uint64_t key) const {
      for (std::size_t i = AddressHash()(key);; ++i)
        if (Slot &slot = slots[i % slots.size()]; slot.key.load(std::memory_order_relaxed) == key ||
                                                  slot.key.load(std::memory_order_relaxed) == 0)
          return {slot, key};
    }
  };
  static std::uint64_t keyOf(Address address, SumKind kind) {
    return address >> kChunkShift << kChunkShift | std::uint64_t(kind.operation) << 8 | kind.bytes;
  }

  std::atomic<Table *> table_{nullptr}; ///< Made with the first sum.
  std::byte *memory_ = nullptr;
  std::size_t chunks_ = 0;
  std::vector<SumKind> kinds_;
};

} // namespace ompdsm
