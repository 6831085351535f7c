// Allocation.cpp: decides between jemalloc's own arenas (private) and the heap of the slice.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Runtime.h"
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace ompdsm {
namespace {

SharedHeap *sharedHeap() {
  Runtime *job = runtime();
  return job ? job->heap.get() : nullptr;
}

bool isShared(const void *p) {
  Runtime *job = runtime();
  return job && job->heap && job->addressSpace->contains(p);
}

void *orNoMemory(void *p) {
  if (!p)
    errno = ENOMEM;
  return p;
}

/// Jemalloc's answer to sizes that no address space holds is undefined.
bool isAbsurd(std::size_t bytes) { return bytes > PTRDIFF_MAX; }

} // namespace

void *allocateMemory(HeapKind kind, std::size_t bytes, std::size_t alignment, bool zeroed) {
  const std::size_t wanted = bytes ? bytes : 1;
  if (isAbsurd(wanted) || isAbsurd(alignment))
    return orNoMemory(nullptr);
  if (SharedHeap *heap = sharedHeap())
    return orNoMemory(heap->allocate(kind, wanted, alignment, zeroed));
  void *p = mallocx(wanted, MALLOCX_ALIGN(alignment) | (zeroed ? MALLOCX_ZERO : 0));
  if (Runtime *job = runtime(); job && p && kind == HeapKind::Application)
    job->heapPages.note(p, wanted);
  return orNoMemory(p);
}

void *reallocateMemory(HeapKind kind, void *p, std::size_t bytes) {
  if (!p)
    return allocateMemory(kind, bytes, alignof(std::max_align_t), false);
  if (bytes == 0) {
    freeMemory(p);
    return nullptr;
  }
  if (isAbsurd(bytes))
    return orNoMemory(nullptr);
  if (isShared(p))
    return orNoMemory(sharedHeap()->reallocate(kind, p, bytes));
  if (!sharedHeap())
    return orNoMemory(rallocx(p, bytes, 0));
  // Memory from before the start of the job becomes shared as soon as that is possible.
  void *moved = allocateMemory(kind, bytes, alignof(std::max_align_t), false);
  if (!moved)
    return nullptr;
  const std::size_t copied = std::min(bytes, sallocx(p, 0));
  if (kind == HeapKind::Application)
    ensureWrite(moved, copied);
  std::memcpy(moved, p, copied);
  dallocx(p, 0);
  return moved;
}

void freeMemory(void *p) {
  if (!p)
    return;
  const int kept = errno; // free keeps it (POSIX 2024), and checks and diagnostics rely on that.
  if (isShared(p))
    sharedHeap()->deallocate(p);
  else
    dallocx(p, 0);
  errno = kept;
}

std::size_t usableMemory(void *p) {
  if (!p)
    return 0;
  return isShared(p) ? sharedHeap()->usableBytes(p) : sallocx(p, 0);
}

void *allocatePrivate(std::size_t bytes, std::size_t alignment) {
  return mallocx(bytes ? bytes : 1, MALLOCX_ALIGN(alignment));
}

} // namespace ompdsm
