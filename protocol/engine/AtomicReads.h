// AtomicReads.h: which relaxed atomic loads read the node's copy of a block, and do not ask its
// home. Under the engine's lock.
//
// A home's own atomic operations end other nodes' copies at its next release only, as its stores
// do. So a copy may serve atomic loads as long as nobody here can know of something newer: it was
// fetched for them since the node's latest acquire, and the home was asked for nothing of the line
// since. What the home answers and sends of a block comes in its order, so that no load finds less
// than one before it, of whichever thread, if what has told the thread of it was an acquire.
//
// A copy that is updated with its home (core/Classify.h, keepsUpdated) may have a value that the
// number never had, if others have changed it at the home before: so an update is as a question.
// Not so a minimum or maximum without an answer. Its place among the others' is known to nobody,
// and where those that leave more than it does come first, and the others later, the number has
// what the copy has.
//
// Nobody promises when a relaxed store is seen, but it must be: a copy serves so many loads, and
// who loads the same address again and again waits for another value and asks. A copy is fetched
// when the home was asked some times: it may end as soon as it is there.
#pragma once
#include "protocol/engine/BlockArrays.h"
#include "protocol/engine/StateTable.h"

namespace ompdsm {

class AtomicReads {
public:
  enum class Way { Ask, Fetch, Copy };
  static constexpr std::uint16_t kMostLoads = 1000;   ///< Of a copy.
  static constexpr unsigned kMostRepeats = 16;        ///< Of an address.
  static constexpr unsigned kLeastAsked = 2;          ///< Before a fetch;
  static constexpr std::size_t kBytesPerAsked = 4096; ///< and once more for so many bytes.
  static constexpr unsigned kMostBeside = 16;         ///< Beside a copy, before the next one.

  /// A load that has to ask. `readable`: the node's copy; `interval`: acquires so far.
  Way onLoad(Address address, Address block, unsigned blockShift, bool readable,
             std::uint32_t interval) {
    Reads &reads = at(block, blockShift);
    if (reads.interval != interval)
      reads = {interval, 0, 0, 0};
    repeats_ = address == latest_ ? repeats_ + 1 : 0;
    latest_ = address;
    const bool isWaiting = repeats_ > kMostRepeats;
    const bool serves = reads.left != 0 && reads.left != kComing && readable;
    if (serves && !isWaiting && !(reads.lines & lineOf(address))) {
      --reads.left;
      return Way::Copy;
    }
    if (!serves)
      reads.left = 0;
    reads.lines |= lineOf(address);
    const std::size_t most =
        serves ? kMostBeside : kLeastAsked + (std::size_t(1) << blockShift) / kBytesPerAsked;
    if (isWaiting || reads.asked++ < most)
      return Way::Ask;
    reads = {interval, 0, kComing, 0};
    return Way::Fetch;
  }
  /// The copy was asked for at `interval`, and has come. It serves nobody of lines of which
  /// something else was asked meanwhile.
  void onFetched(Address block, unsigned blockShift, std::uint32_t interval) {
    Reads &reads = at(block, blockShift);
    const bool isLatest = reads.interval == interval && reads.left == kComing;
    reads.asked = 0;
    reads.left = isLatest ? kMostLoads : std::uint16_t(0);
  }
  /// The home is asked for something else of the address.
  void onAsked(Address address, Address block, unsigned blockShift) {
    if (auto *piece = reads_.find(block, blockShift))
      piece->values[Table::indexOf(block, blockShift)].lines |= lineOf(address);
  }

private:
  static constexpr std::uint16_t kComing = 0xffff;
  struct Reads { ///< In an interval:
    std::uint32_t interval = 0;
    std::uint16_t asked = 0, left = 0; ///< how often the home was, and what a copy may serve;
    std::uint64_t lines = 0;           ///< of which lines it was, or of others as far from them.
  };
  using Table = BlockArrays<Reads>;
  static std::uint64_t lineOf(Address address) {
    return std::uint64_t(1) << (address >> kLineShift) % 64;
  }
  Reads &at(Address block, unsigned blockShift) {
    return reads_.findOrAdd(block, blockShift).values[Table::indexOf(block, blockShift)];
  }

  Table reads_;
  Address latest_ = 0;
  unsigned repeats_ = 0;
};

} // namespace ompdsm
