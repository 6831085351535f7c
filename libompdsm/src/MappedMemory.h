// MappedMemory.h: memory of a program on one node that is known to be mapped, and stays so. There
// it lies anywhere, so that loops that load what they might not have to (ObjectChecks) must ask.
#pragma once
#include "protocol/core/Types.h"
#include <array>
#include <atomic>

namespace ompdsm {

/// Pages in which the heap has had objects lately; none where jemalloc may give pages back. Any
/// thread.
class HeapPages {
public:
  /// Asks what the heap does with pages. Before main.
  void begin();
  void note(const void *p, std::size_t bytes) {
    if (keepsPages_ && bytes <= kPageBytes) {
      remember(Address(p));
      remember(Address(p) + bytes - 1);
    }
  }
  bool contains(Address p) const {
    return entryOf(p).load(std::memory_order_relaxed) == numberOf(p);
  }

private:
  static constexpr Address numberOf(Address p) { return p / kPageBytes + 1; } ///< 0: none.
  using Entry = std::atomic<Address>;
  static constexpr std::size_t kEntries = 4096; ///< A page that comes later takes another's place.
  Entry &entryOf(Address p) { return pages_[p / kPageBytes % kEntries]; }
  const Entry &entryOf(Address p) const { return pages_[p / kPageBytes % kEntries]; }
  void remember(Address p) {
    if (!contains(p))
      entryOf(p).store(numberOf(p), std::memory_order_relaxed);
  }

  bool keepsPages_ = false; ///< Objects that are freed leave their pages mapped.
  std::array<Entry, kEntries> pages_{};
};

/// Whether [p, p + bytes) may be loaded from: variables of the images, the calling thread's stack,
/// and small objects of the heap. What is not known is not mapped. Any thread; one node.
bool isKnownToBeMapped(const void *p, std::size_t bytes);

} // namespace ompdsm
