// UnreadUpdates.h: which copies that a node is sent changes of it does not read. Under the engine's
// lock; for blocks of which another node is the home.
//
// A read of a valid copy leaves no trace, so some updates are watched: the copy is closed until a
// thread reads it, and the next update finds it so if none has. Once that is no reason to give it
// up: a program that writes an array in two phases, with a barrier between them, and reads its
// neighbour's part after the second one would have to fetch what it has just given up. The second
// time it is, as to send three phases in vain costs more than to fetch after the last one; but not
// as long as that is the way in which its home learns where to send nothing (UnreadSites.h). What
// was given up before, and is sent again, is watched at once. So is what is sent for the first
// time, as that it was fetched once may not mean much; but for some blocks of an epoch, which cost
// less.
//
// What a barrier updates may come before this node has arrived there, and before its threads have
// read what came of the barrier before; and a block that several nodes have written is updated
// several times. So what they have not read is known when this node leaves the barrier.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/BlockMarks.h"
#include <tsl/robin_set.h>
#include <vector>

namespace ompdsm {

class UnreadUpdates {
public:
  /// `watchesFirst`: the first update of each block, where there are many.
  explicit UnreadUpdates(bool watchesFirst) : watchesFirst_(watchesFirst) {}
  /// An update of a barrier closes the copy.
  void onClosed(Address block) { closed_.insert(block); }
  /// One finds it closed.
  void onUpdated(Address block) {
    if (!closed_.contains(block))
      updated_.insert(block);
  }
  /// The home says that a copy is stale, and finds it closed.
  void onInvalidated(Address block) {
    if (!closed_.contains(block))
      invalidated_.push_back(block);
  }
  struct Ended {
    std::vector<Address> updated, invalidated;
  };
  /// This node leaves a barrier. Which copies it has updated that were closed before, and which
  /// have become stale; where one still is so, nobody has read the update before.
  Ended endEpoch() {
    Ended ended;
    for (const Address block : updated_)
      if (!closed_.contains(block))
        ended.updated.push_back(block);
    ended.invalidated = std::exchange(invalidated_, {});
    if (!updated_.empty())
      updated_ = {};
    if (!closed_.empty())
      closed_ = {};
    firstOfEpoch_ = 0;
    return ended;
  }
  /// How many updates in a row nobody may have read.
  enum class Borne : unsigned { None = 0, One = 1, ToLearn = 8 };
  /// Nobody has read the update before. True: the copy is to be given up.
  bool onUnread(Address block, unsigned blockShift, Borne borne) {
    const Mark mark = marks_.get(block, blockShift);
    const unsigned before =
        mark >= Mark::UnreadOnce ? 1 + unsigned(mark) - unsigned(Mark::UnreadOnce) : 0;
    const bool isBorne = mark != Mark::Suspect && mark != Mark::Tried && before < unsigned(borne);
    marks_.set(block, blockShift,
               isBorne ? Mark(unsigned(Mark::UnreadOnce) + before) : Mark::Suspect);
    return !isBorne;
  }
  /// An update finds it open. Whether to watch it; `watched`: it is watched in any case.
  bool onOpen(Address block, unsigned blockShift, bool watched) {
    const Mark mark = marks_.get(block, blockShift);
    if (mark == Mark::Suspect) {
      marks_.set(block, blockShift, Mark::Tried);
      return true;
    }
    const bool isFirst = mark == Mark::New && watchesFirst_;
    watched |= isFirst && ++firstOfEpoch_ > kFewBlocks;
    if (mark != Mark::Trusted) // it has been read
      marks_.set(block, blockShift, Mark::Trusted);
    return watched;
  }

private:
  enum class Mark : std::uint8_t {
    New, ///< No update has come.
    Trusted,
    Suspect,    ///< It was given up.
    Tried,      ///< The same, and an update is being watched.
    UnreadOnce, ///< Since it was watched; those above: more often.
  };
  static_assert(unsigned(Mark::UnreadOnce) + unsigned(Borne::ToLearn) <= 16, "four bits");
  static constexpr std::size_t kFewBlocks = 512;
  BlockMarks<Mark, 4> marks_;
  const bool watchesFirst_;
  // In this epoch:
  tsl::robin_set<Address, AddressHash> closed_, updated_;
  std::vector<Address> invalidated_;
  std::size_t firstOfEpoch_ = 0; ///< Blocks that an update has found open that had none before.
};

} // namespace ompdsm
