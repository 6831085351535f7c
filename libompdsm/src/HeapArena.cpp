// HeapArena.cpp: extent hooks over a range that is handed out from its begin to its end.
#include "libompdsm/src/HeapArena.h"
#include "fabric/Check.h"
#include "libompdsm/src/Fatal.h"
#include <algorithm>
#include <cstdio>

namespace ompdsm {

/// jemalloc's callbacks. Each returns true for "not done"; none of them touches memory.
struct HeapArena::Hooks {
  static void *allocate(extent_hooks_t *hooks, void *wanted, std::size_t bytes,
                        std::size_t alignment, bool *zero, bool *commit, unsigned) {
    auto *arena = reinterpret_cast<HeapArena *>(hooks);
    void *p = arena->extend(wanted, bytes, alignment);
    if (p)
      *zero = *commit = true;
    return p;
  }
  static bool keep(extent_hooks_t *, void *, std::size_t, bool, unsigned) { return true; }
  static bool keepPart(extent_hooks_t *, void *, std::size_t, std::size_t, std::size_t, unsigned) {
    return true;
  }
  static bool split(extent_hooks_t *, void *, std::size_t, std::size_t, std::size_t, bool,
                    unsigned) {
    return false;
  }
  static bool merge(extent_hooks_t *, void *, std::size_t, void *, std::size_t, bool, unsigned) {
    return false;
  }
};

namespace {

/// What jemalloc 5.3 takes at experimental.arenas_create_ext; its public header does not declare
/// it.
struct ArenaConfiguration {
  extent_hooks_t *hooks;
  bool metadataUsesHooks;
};

/// From here on an allocation has pages of its own, so to begin at one takes no more memory.
constexpr std::size_t kLargeBytes = 16 << 10;

void setArenaOption(unsigned index, const char *option, const void *value, std::size_t bytes) {
  char name[64];
  std::snprintf(name, sizeof name, "arena.%u.%s", index, option);
  if (const int error = mallctl(name, nullptr, nullptr, const_cast<void *>(value), bytes))
    fatal("jemalloc does not take the option %s (error %d); libompdsm needs jemalloc 5.3", name,
          error);
}

} // namespace

HeapArena::HeapArena(AddressRange range)
    : hooks_{&Hooks::allocate, &Hooks::keep,     nullptr,       &Hooks::keepPart, &Hooks::keepPart,
             &Hooks::keepPart, &Hooks::keepPart, &Hooks::split, &Hooks::merge},
      range_(range), handedOut_(range.begin), given_(range.begin) {
  ArenaConfiguration configuration{&hooks_, /*metadataUsesHooks=*/false};
  std::size_t bytes = sizeof index_;
  if (const int error = mallctl("experimental.arenas_create_ext", &index_, &bytes, &configuration,
                                sizeof configuration))
    fatal("jemalloc cannot make an arena outside of its own memory (error %d); libompdsm needs "
          "jemalloc 5.3",
          error);
  // Without decay a freed extent goes back at once to the list on which neighbours are merged. A
  // low limit of growth keeps jemalloc from asking for larger extents than it needs.
  const ssize_t noDecay = 0;
  setArenaOption(index_, "dirty_decay_ms", &noDecay, sizeof noDecay);
  setArenaOption(index_, "muzzy_decay_ms", &noDecay, sizeof noDecay);
  const std::size_t growth = 4 << 20;
  setArenaOption(index_, "retain_grow_limit", &growth, sizeof growth);
  takeAsOneExtent();
}

void HeapArena::takeAsOneExtent() {
  // jemalloc never merges what it got by different calls of a hook. Pieces of one extent it merges
  // again, so that memory freed in pieces serves a larger request; hence most of the range is
  // allocated and freed at once, which touches none of it. The rest comes as it is needed.
  const int flags = MALLOCX_ARENA(index_) | MALLOCX_TCACHE_NONE;
  const std::size_t margin = 64 << 10; // jemalloc adds a page to large extents.
  std::size_t bytes = range_.bytes() - margin;
  while (nallocx(bytes, flags) > range_.bytes() - margin)
    bytes -= bytes / 16;
  if (void *all = mallocx(bytes, flags))
    dallocx(all, flags);
}

void *HeapArena::extend(void *wanted, std::size_t bytes, std::size_t alignment) {
  Address begin = handedOut_.load(std::memory_order_relaxed), aligned;
  do {
    aligned = (begin + alignment - 1) & ~Address(alignment - 1);
    if (aligned < begin || aligned > range_.end || bytes > range_.end - aligned)
      return nullptr;
    if (wanted && reinterpret_cast<Address>(wanted) != aligned)
      return nullptr;
  } while (!handedOut_.compare_exchange_weak(begin, aligned + bytes, std::memory_order_relaxed));
  return reinterpret_cast<void *>(aligned);
}

void *HeapArena::allocate(std::size_t bytes, std::size_t alignment, int cache) {
  if (bytes > range_.bytes())
    return nullptr; // jemalloc's answer to absurd sizes is undefined.
  // A large array that begins anywhere in a page, as jemalloc has it otherwise, shares its pages
  // between the nodes that share its rows: each of them would write to the other's home.
  if (bytes >= kLargeBytes)
    alignment = std::max(alignment, kPageBytes);
  return mallocx(bytes, MALLOCX_ARENA(index_) | MALLOCX_ALIGN(alignment) | cache);
}

void HeapArena::deallocate(void *p, int cache) { dallocx(p, cache); }

bool HeapArena::resizeInPlace(void *p, std::size_t bytes) {
  if (bytes > range_.bytes())
    return false;
  return xallocx(p, bytes, 0, MALLOCX_ARENA(index_) | MALLOCX_TCACHE_NONE) >= bytes;
}

std::size_t HeapArena::usableBytes(const void *p) const { return sallocx(p, 0); }

bool HeapArena::noteGiven(const void *p, std::size_t bytes) {
  const Address begin = reinterpret_cast<Address>(p), end = begin + bytes;
  Address given = given_.load(std::memory_order_relaxed);
  const bool fresh = begin >= given;
  while (given < end && !given_.compare_exchange_weak(given, end, std::memory_order_relaxed))
    ;
  return fresh;
}

} // namespace ompdsm
