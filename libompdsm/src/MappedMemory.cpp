// MappedMemory.cpp: asks the headers of the images and the thread library.
#include "libompdsm/src/MappedMemory.h"
#include "libompdsm/src/Images.h"
#include "libompdsm/src/Runtime.h"
#include <cstdio>
#include <jemalloc/jemalloc.h>
#include <pthread.h>

namespace ompdsm {
namespace {

/// What a thread knows.
struct KnownMemory {
  AddressRange variables; ///< The latest of an image.
  AddressRange stack;
};
thread_local constinit KnownMemory known __attribute__((tls_model("initial-exec"))) = {};

AddressRange ownStack() {
  if (known.stack.bytes() != 0)
    return known.stack;
  pthread_attr_t attributes;
  void *begin = nullptr;
  std::size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return {};
  if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0)
    known.stack = {Address(begin), Address(begin) + bytes};
  pthread_attr_destroy(&attributes);
  return known.stack;
}

/// From the frame of the caller up: the kernel maps what is below as it is touched.
bool isOnStack(AddressRange range) {
  return range.begin >= Address(__builtin_frame_address(0)) && range.end <= ownStack().end &&
         range.begin >= ownStack().begin;
}

bool isOfHeap(AddressRange range) {
  const HeapPages &pages = runtime()->heapPages;
  return range.bytes() <= kPageBytes && pages.contains(range.begin) &&
         pages.contains(range.end - 1);
}

bool isOfImage(AddressRange range) {
  const AddressRange &latest = known.variables;
  if (range.begin >= latest.begin && range.end <= latest.end)
    return true;
  if (!isLoaded(range))
    return false;
  known.variables = range;
  return true;
}

} // namespace

void HeapPages::begin() {
  bool retains = false;
  std::size_t bytes = sizeof retains;
  char policy = '2';
  std::FILE *file = std::fopen("/proc/sys/vm/overcommit_memory", "re");
  if (!file)
    return;
  // Where the system counts what is reserved (2), jemalloc takes away access to what it retains.
  keepsPages_ = std::fread(&policy, 1, 1, file) == 1 && policy != '2' &&
                mallctl("opt.retain", &retains, &bytes, nullptr, 0) == 0 && retains;
  std::fclose(file);
}

bool isKnownToBeMapped(const void *p, std::size_t bytes) {
  const AddressRange range{Address(p), Address(p) + bytes};
  const bool wrapsAround = range.end < range.begin;
  return !wrapsAround && (isOnStack(range) || isOfHeap(range) || isOfImage(range));
}

} // namespace ompdsm
