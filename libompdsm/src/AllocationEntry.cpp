// AllocationEntry.cpp: the exported allocation functions: the C library's names, for code that is
// not instrumented (pinned heap), and their __ompdsm_ twins, which the pass puts in instrumented
// code (application heap). ompdsm/abi.def lists the twins.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>

using namespace ompdsm;

namespace {

constexpr std::size_t kUsual = alignof(std::max_align_t);

bool multiply(std::size_t count, std::size_t bytes, std::size_t &total) {
  if (!__builtin_mul_overflow(count, bytes, &total))
    return true;
  errno = ENOMEM;
  return false;
}

void *allocateZeroed(HeapKind kind, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  return multiply(count, bytes, total) ? allocateMemory(kind, total, kUsual, true) : nullptr;
}

void *reallocateArray(HeapKind kind, void *p, std::size_t count, std::size_t bytes) {
  std::size_t total = 0;
  return multiply(count, bytes, total) ? reallocateMemory(kind, p, total) : nullptr;
}

/// memalign rounds a strange alignment up; aligned_alloc of the C library is the same function.
void *allocateAligned(HeapKind kind, std::size_t alignment, std::size_t bytes) {
  if (alignment > (SIZE_MAX >> 1) + 1) {
    errno = EINVAL;
    return nullptr;
  }
  return allocateMemory(kind, bytes, std::max(kUsual, std::bit_ceil(alignment)), false);
}

int allocatePosix(HeapKind kind, void **result, std::size_t alignment, std::size_t bytes) {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void *) != 0)
    return EINVAL;
  const int kept = errno; // posix_memalign returns its error and leaves errno alone.
  void *p = allocateMemory(kind, bytes, alignment, false);
  errno = kept;
  if (!p)
    return ENOMEM;
  ensureWrite(result, sizeof *result); // The caller's variable, which may be anybody's.
  *result = p;
  return 0;
}

void *allocatePages(HeapKind kind, std::size_t bytes) {
  std::size_t rounded = 0;
  if (__builtin_add_overflow(bytes, kPageBytes - 1, &rounded)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocateMemory(kind, rounded & ~(kPageBytes - 1), kPageBytes, false);
}

} // namespace

using FortranAllocation = ThreadContext::FortranAllocation;

OMPDSM_EXPORT void *malloc(std::size_t bytes) {
  const FortranAllocation allocation = currentThread.fortranAllocation;
  if (allocation == FortranAllocation::None)
    return allocateMemory(HeapKind::Pinned, bytes, kUsual, false);
  void *p = allocateMemory(HeapKind::Application, bytes, kUsual, false);
  // What was there before may have copies, and code that is not instrumented writes to it now: all
  // of it, or a word at its end.
  const std::size_t written =
      allocation == FortranAllocation::Written ? bytes : std::min(bytes, kFortranFooterBytes);
  if (p)
    ensureWrite(static_cast<std::byte *>(p) + bytes - written, written);
  return p;
}
OMPDSM_EXPORT void *__ompdsm_malloc(std::size_t bytes) {
  return allocateMemory(HeapKind::Application, bytes, kUsual, false);
}
OMPDSM_EXPORT void __ompdsm_fortran_allocation(int how) {
  currentThread.fortranAllocation = FortranAllocation(how);
}

// One body for both names of a function.
#define OMPDSM_FAMILY(prefix, kind)                                                                \
  OMPDSM_EXPORT void *prefix##calloc(std::size_t count, std::size_t bytes) {                       \
    return allocateZeroed(kind, count, bytes);                                                     \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##realloc(void *p, std::size_t bytes) {                                \
    return reallocateMemory(kind, p, bytes);                                                       \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##reallocarray(void *p, std::size_t count, std::size_t bytes) {        \
    return reallocateArray(kind, p, count, bytes);                                                 \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##aligned_alloc(std::size_t alignment, std::size_t bytes) {            \
    return allocateAligned(kind, alignment, bytes);                                                \
  }                                                                                                \
  OMPDSM_EXPORT int prefix##posix_memalign(void **result, std::size_t alignment,                   \
                                           std::size_t bytes) {                                    \
    return allocatePosix(kind, result, alignment, bytes);                                          \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##memalign(std::size_t alignment, std::size_t bytes) {                 \
    return allocateAligned(kind, alignment, bytes);                                                \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##valloc(std::size_t bytes) {                                          \
    return allocateMemory(kind, bytes, kPageBytes, false);                                         \
  }                                                                                                \
  OMPDSM_EXPORT void *prefix##pvalloc(std::size_t bytes) { return allocatePages(kind, bytes); }

OMPDSM_FAMILY(, HeapKind::Pinned)
OMPDSM_FAMILY(__ompdsm_, HeapKind::Application)

OMPDSM_EXPORT void free(void *p) { freeMemory(p); }
OMPDSM_EXPORT std::size_t malloc_usable_size(void *p) { return usableMemory(p); }
