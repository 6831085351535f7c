// PrivateHeap.cpp: operator new and delete of the runtime itself (of this library and what is
// linked into it): never from shared memory, so that no allocation of the protocol can miss.
//
// They are hidden (-fvisibility-global-new-delete), so programs and other libraries keep theirs.
// What the C++ library allocates for us (the text of a std::string) comes from the pinned heap all
// the same, so delete goes by address.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/MemoryLimits.h"
#include <new>

using namespace ompdsm;

namespace {
void *mustAllocate(std::size_t bytes, std::size_t alignment) {
  void *p = allocatePrivate(bytes, alignment);
  if (!p)
    fatal("out of memory: the runtime cannot get %zu bytes; %s", bytes, MemoryLimitText().text);
  return p;
}
constexpr std::size_t kUsual = alignof(std::max_align_t);
} // namespace

void *operator new(std::size_t bytes) { return mustAllocate(bytes, kUsual); }
void *operator new[](std::size_t bytes) { return mustAllocate(bytes, kUsual); }
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocatePrivate(bytes, kUsual);
}
void *operator new[](std::size_t bytes, const std::nothrow_t &) noexcept {
  return allocatePrivate(bytes, kUsual);
}
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return mustAllocate(bytes, static_cast<std::size_t>(alignment));
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return mustAllocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *p) noexcept { freeMemory(p); }
void operator delete[](void *p) noexcept { freeMemory(p); }
void operator delete(void *p, std::size_t) noexcept { freeMemory(p); }
void operator delete[](void *p, std::size_t) noexcept { freeMemory(p); }
void operator delete(void *p, std::align_val_t) noexcept { freeMemory(p); }
void operator delete[](void *p, std::align_val_t) noexcept { freeMemory(p); }
void operator delete(void *p, std::size_t, std::align_val_t) noexcept { freeMemory(p); }
void operator delete[](void *p, std::size_t, std::align_val_t) noexcept { freeMemory(p); }
