// HeapArena.h: a jemalloc arena whose memory is one given address range.
//
// jemalloc never reads or writes the range: its metadata lies elsewhere, memory is never given back
// to the kernel (that would change bytes behind the protocol's back), and zeroing is the caller's.
// Any thread may call anything; what one returns depends on no lock of the runtime.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include <atomic>
#include <cstddef>
#include <jemalloc/jemalloc.h>

namespace ompdsm {

class HeapArena {
public:
  /// Ends the process when jemalloc cannot make an arena. The object must never move.
  explicit HeapArena(AddressRange range);
  HeapArena(const HeapArena &) = delete;
  HeapArena &operator=(const HeapArena &) = delete;

  /// `bytes` > 0, `alignment` a power of two. Null when the range is used up. `cache` is one of the
  /// calling thread that is used with this arena only, or kNoCache.
  void *allocate(std::size_t bytes, std::size_t alignment, int cache);
  void deallocate(void *p, int cache);
  /// Grows or shrinks without moving; true if at least `bytes` are usable afterwards.
  bool resizeInPlace(void *p, std::size_t bytes);
  std::size_t usableBytes(const void *p) const;

  /// Notes that [p, p + bytes) is given to the program; true if no byte of it ever was before, so
  /// that it is still zero.
  bool noteGiven(const void *p, std::size_t bytes);

  static constexpr int kNoCache = MALLOCX_TCACHE_NONE;

private:
  struct Hooks;
  void takeAsOneExtent();
  void *extend(void *wanted, std::size_t bytes, std::size_t alignment);

  extent_hooks_t hooks_; ///< First: jemalloc hands its address to the hooks.
  const AddressRange range_;
  std::atomic<Address> handedOut_; ///< To jemalloc: everything below.
  std::atomic<Address> given_;     ///< To the program: nothing at or above.
  unsigned index_ = 0;
};

} // namespace ompdsm
