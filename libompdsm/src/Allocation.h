// Allocation.h: allocation with the meaning of the C library's functions, from the heap that fits.
//
// Before the job has started, and with one node, all memory is private and jemalloc's. With several
// nodes the program's and its libraries' memory is shared, the runtime's own is not. The owner of
// memory is known by its address, so that any of it may be freed by anybody.
#pragma once
#include "libompdsm/src/SharedHeap.h"

namespace ompdsm {

/// All return null and set errno to ENOMEM when there is no memory. `alignment` is a power of two.
void *allocateMemory(HeapKind kind, std::size_t bytes, std::size_t alignment, bool zeroed);
/// realloc: null `p` allocates, 0 `bytes` frees and returns null.
void *reallocateMemory(HeapKind kind, void *p, std::size_t bytes);
void freeMemory(void *p);
std::size_t usableMemory(void *p);

/// Behind what it allocates for a pointer flang's runtime puts a word by which it knows it again.
inline constexpr std::size_t kFortranFooterBytes = 16;

/// Memory of the runtime itself, never shared; for its operator new.
void *allocatePrivate(std::size_t bytes, std::size_t alignment);

} // namespace ompdsm
