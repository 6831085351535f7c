// ObjectFetches.h: which objects are worth being fetched whole in front of a loop.
//
// A loop asks whether all of an object may be read (ObjectChecks.cpp). If not, it runs with checks,
// and each block that it meets and does not have is a round trip of its own. Where the last such
// run over the same object has missed so often that fetching all would have been faster, that is
// done, by few messages, and the loop runs without checks. That is a guess: fetching what nobody
// reads costs, and is never wrong. Who has fetched a part is sent its changes from then on
// (protocol/engine/PushPrediction.h), so an object that changes is fetched whole only by a loop
// that reads most of it.
//
// Another object is larger than what is used of it: a table with room to grow. Its rest is missing
// in all runs, and keeps them from going without checks. If it looks unused, it is fetched:
// zeros do not travel, and nobody writes there. Any thread may call.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <array>
#include <atomic>

namespace ompdsm {

class ObjectFetches {
public:
  /// `maxBytes`: no more is fetched for one question; 0: nothing is. `blockBytes`: what a
  /// miss brings.
  ObjectFetches(std::size_t maxBytes, std::size_t blockBytes)
      : maxBytes_(maxBytes), blockBytes_(blockBytes) {}

  std::size_t maxBytes() const { return maxBytes_; }
  /// The loop that asks at `place` finds that `missingBytes` of the object may not be read. True:
  /// all of it is worth fetching. False: the loop runs with checks, and its misses are counted.
  bool isWorthFetching(const void *place, AddressRange object, std::size_t missingBytes);
  /// After isWorthFetching said no: 0, or the number of the look that is to be taken at what is
  /// missing, as the run before has found nearly the same missing, of which there was never less.
  /// At most some times for a loop and an object.
  unsigned lookAtMissing(const void *place, AddressRange object);
  /// A check has missed at `address`.
  void noteMiss(Address address);

private:
  /// One loop and one object. Threads may mix what they note; then the guess is a worse one.
  struct Entry {
    std::atomic<const void *> place{nullptr};
    std::atomic<Address> begin{0}, end{0};
    std::atomic<std::size_t> missing{0}; ///< Bytes, when the loop began to run with checks.
    std::atomic<std::size_t> missed{0};  ///< Misses since then.
    std::atomic<unsigned> fetchesLeft{0};
    std::atomic<bool> wasSparse{false};   ///< It was fetched whole for less than half of it.
    std::atomic<std::size_t> least{0};    ///< Bytes that were missing; 0: not known.
    std::atomic<bool> isUnreached{false}; ///< The last run has come to hardly any of these.
    std::atomic<unsigned> looks{0};       ///< Whether what is missing is in use.
  };
  Entry &entryOf(const void *place, AddressRange object);
  static void noteMissing(Entry &entry, std::size_t missingBytes);

  const std::size_t maxBytes_, blockBytes_;
  std::array<Entry, 64> entries_;
};

} // namespace ompdsm
