// ObjectFetches.cpp: see ObjectFetches.h. All loads and stores are relaxed: nothing follows from
// them but a guess.
#include "libompdsm/src/ObjectFetches.h"

namespace ompdsm {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
/// What may be fetched to save one miss: in the time of a round trip (5 to 20 us) the network moves
/// some ten KiB, and their blocks cost their home about as long.
constexpr std::size_t kBytesForAMiss = 8 * 1024;
/// So many fetches, then the loop runs with checks once more, to see what it really needs.
constexpr unsigned kFetchesInTurn = 31;
/// What is missing is looked at so often, each time after a run that came to less than a quarter of
/// it: the first ones may still read what is in use.
constexpr unsigned kMostLooks = 4;

} // namespace

ObjectFetches::Entry &ObjectFetches::entryOf(const void *place, AddressRange object) {
  const std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(place) ^ (object.begin >> 6)) *
                              0x9E3779B97F4A7C15u; // Fibonacci hashing (Knuth 3, 6.4).
  Entry &entry = entries_[mixed >> 58];
  static_assert(std::tuple_size_v<decltype(entries_)> == 1 << (64 - 58));
  if (entry.place.load(kRelaxed) != place || entry.begin.load(kRelaxed) != object.begin ||
      entry.end.load(kRelaxed) != object.end) {
    entry.place.store(place, kRelaxed);
    entry.begin.store(object.begin, kRelaxed);
    entry.end.store(object.end, kRelaxed);
    entry.missing.store(0, kRelaxed);
    entry.missed.store(0, kRelaxed);
    entry.fetchesLeft.store(0, kRelaxed);
    entry.wasSparse.store(false, kRelaxed);
    entry.least.store(0, kRelaxed);
    entry.isUnreached.store(false, kRelaxed);
    entry.looks.store(0, kRelaxed);
  }
  return entry;
}

bool ObjectFetches::isWorthFetching(const void *place, AddressRange object,
                                    std::size_t missingBytes) {
  if (missingBytes > maxBytes_)
    return false;
  Entry &entry = entryOf(place, object);
  noteMissing(entry, missingBytes);
  if (const unsigned left = entry.fetchesLeft.load(kRelaxed)) {
    entry.fetchesLeft.store(left - 1, kRelaxed);
    return true;
  }
  const std::size_t before = entry.missing.exchange(missingBytes, kRelaxed);
  const std::size_t missed = entry.missed.exchange(0, kRelaxed);
  if (before == 0 || missed < before / kBytesForAMiss + 1)
    return false;
  const bool isSparse = missed * blockBytes_ < before / 2;
  if (isSparse && entry.wasSparse.exchange(true, kRelaxed))
    return false;                   // It changes: what was fetched is stale again.
  entry.missing.store(0, kRelaxed); // The next run with checks is compared with its own.
  entry.fetchesLeft.store(isSparse ? 0 : kFetchesInTurn - 1, kRelaxed);
  return true;
}

void ObjectFetches::noteMissing(Entry &entry, std::size_t missingBytes) {
  const std::size_t least = entry.least.load(kRelaxed);
  // More than ever is missing where something was closed, and looked at.
  entry.isUnreached.store(missingBytes <= least && missingBytes >= least / 4 * 3, kRelaxed);
  if (least == 0 || missingBytes < least)
    entry.least.store(missingBytes, kRelaxed);
}

unsigned ObjectFetches::lookAtMissing(const void *place, AddressRange object) {
  Entry &entry = entryOf(place, object);
  const unsigned looks = entry.looks.load(kRelaxed);
  if (looks == kMostLooks || !entry.isUnreached.exchange(false, kRelaxed))
    return 0;
  entry.looks.store(looks + 1, kRelaxed);
  return looks + 1;
}

void ObjectFetches::noteMiss(Address address) {
  for (Entry &entry : entries_)
    if (address >= entry.begin.load(kRelaxed) && address < entry.end.load(kRelaxed))
      entry.missed.fetch_add(1, kRelaxed);
}

} // namespace ompdsm
