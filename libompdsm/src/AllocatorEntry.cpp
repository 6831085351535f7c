// AllocatorEntry.cpp: the memory allocators of OpenMP (omp_alloc, the allocate directive). libomp
// keeps a descriptor in front of each block, which another node does not see, so on several nodes
// all of them are the application heap: traits are wishes, and any node may free.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Team.h"
#include <algorithm>

using namespace ompdsm;

namespace {

constexpr std::size_t kAlignment = 16;

void *allocate(std::size_t alignment, std::size_t count, std::size_t bytes, bool zeroed) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all) || all == 0)
    return nullptr;
  return allocateMemory(HeapKind::Application, all, std::max(alignment, kAlignment), zeroed);
}

void *reallocate(void *p, std::size_t bytes) {
  return reallocateMemory(HeapKind::Application, p, bytes);
}

} // namespace

/// An entry that is libomp's with one node; `ours` is what it does on several.
#define OMPDSM_ALLOCATOR_ENTRY(result, name, parameters, arguments, ours)                          \
  OMPDSM_EXPORT result name parameters { return jobIsSpread() ? ours : libomp().name arguments; }

OMPDSM_ALLOCATOR_ENTRY(void *, omp_alloc, (std::size_t bytes, void *allocator), (bytes, allocator),
                       allocate(0, 1, bytes, false))
OMPDSM_ALLOCATOR_ENTRY(void *, omp_aligned_alloc,
                       (std::size_t alignment, std::size_t bytes, void *allocator),
                       (alignment, bytes, allocator), allocate(alignment, 1, bytes, false))
OMPDSM_ALLOCATOR_ENTRY(void *, omp_calloc, (std::size_t count, std::size_t bytes, void *allocator),
                       (count, bytes, allocator), allocate(0, count, bytes, true))
OMPDSM_ALLOCATOR_ENTRY(void *, omp_aligned_calloc,
                       (std::size_t alignment, std::size_t count, std::size_t bytes,
                        void *allocator),
                       (alignment, count, bytes, allocator),
                       allocate(alignment, count, bytes, true))
OMPDSM_ALLOCATOR_ENTRY(void *, omp_realloc,
                       (void *p, std::size_t bytes, void *allocator, void *freeAllocator),
                       (p, bytes, allocator, freeAllocator), reallocate(p, bytes))
OMPDSM_ALLOCATOR_ENTRY(void, omp_free, (void *p, void *allocator), (p, allocator), freeMemory(p))

OMPDSM_ALLOCATOR_ENTRY(void *, __kmpc_alloc, (int gtid, std::size_t bytes, void *allocator),
                       (gtid, bytes, allocator), allocate(0, 1, bytes, false))
OMPDSM_ALLOCATOR_ENTRY(void *, __kmpc_aligned_alloc,
                       (int gtid, std::size_t alignment, std::size_t bytes, void *allocator),
                       (gtid, alignment, bytes, allocator), allocate(alignment, 1, bytes, false))
OMPDSM_ALLOCATOR_ENTRY(void *, __kmpc_calloc,
                       (int gtid, std::size_t count, std::size_t bytes, void *allocator),
                       (gtid, count, bytes, allocator), allocate(0, count, bytes, true))
OMPDSM_ALLOCATOR_ENTRY(void *, __kmpc_realloc,
                       (int gtid, void *p, std::size_t bytes, void *allocator, void *freeAllocator),
                       (gtid, p, bytes, allocator, freeAllocator), reallocate(p, bytes))
OMPDSM_ALLOCATOR_ENTRY(void, __kmpc_free, (int gtid, void *p, void *allocator),
                       (gtid, p, allocator), freeMemory(p))
