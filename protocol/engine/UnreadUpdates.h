// UnreadUpdates.h: which copies that a node is sent changes of it does not read. Under the engine's
// lock; for blocks of which another node is the home.
//
// A read of a valid copy leaves no trace, so some updates are watched: the copy is closed until a
// thread reads it, and the next update finds it so if none has. Once that is no reason to give it
// up: a program that writes an array in two phases, with a barrier between them, and reads its
// neighbour's part after the second one would have to fetch what it has just given up. The second
// time it is, as to send three phases in vain costs more than to fetch after the last one. What was
// given up before, and is sent again, is watched at once. A block that several nodes have written is
// updated several times in one barrier: nobody can have read it in between, so that says nothing.
#pragma once
#include "protocol/engine/AddressHash.h"
#include "protocol/engine/BlockMarks.h"
#include <tsl/robin_set.h>

namespace ompdsm {

class UnreadUpdates {
public:
  /// An update of a barrier closes the copy.
  void onClosed(Address block) { closed_.insert(block); }
  /// This node leaves a barrier.
  void endEpoch() {
    if (!closed_.empty())
      closed_ = {};
  }
  /// An update finds the copy closed: nobody has read the one before. True: it is to be given up.
  /// `patient`: not yet, if that was the first time.
  bool onUnread(Address block, unsigned blockShift, bool patient) {
    if (closed_.contains(block))
      return false;
    if (patient && marks_.get(block, blockShift) == Mark::Trusted) {
      marks_.set(block, blockShift, Mark::UnreadOnce);
      return false;
    }
    marks_.set(block, blockShift, Mark::Suspect);
    return true;
  }
  /// An update finds it open. Whether to watch it; `watched`: it is watched in any case.
  bool onOpen(Address block, unsigned blockShift, bool watched) {
    const Mark mark = marks_.get(block, blockShift);
    if (mark == Mark::Suspect) {
      marks_.set(block, blockShift, Mark::Tried);
      return true;
    }
    if (mark != Mark::Trusted) // it has been read
      marks_.set(block, blockShift, Mark::Trusted);
    return watched;
  }

private:
  enum class Mark : std::uint8_t {
    Trusted,
    UnreadOnce, ///< Since it was watched.
    Suspect,    ///< It was given up.
    Tried,      ///< The same, and an update is being watched.
  };
  BlockMarks<Mark> marks_;
  tsl::robin_set<Address, AddressHash> closed_; ///< In this epoch.
};

} // namespace ompdsm
