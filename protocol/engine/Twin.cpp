#include "protocol/engine/Twin.h"
#include "fabric/Check.h"
#include <cstring>
#include <emmintrin.h>
#include <new>
#include <utility>

// Reading a block while the program writes other bytes of it, or bytes that the next release will
// find, is the protocol's intention; the thread sanitizer cannot know that.
#define OMPDSM_READS_RACILY __attribute__((no_sanitize("thread")))

namespace ompdsm {

OMPDSM_READS_RACILY void snapshot(std::byte *target, const std::byte *block, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 16)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(target + at),
                     _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + at)));
}

OMPDSM_READS_RACILY bool isZero(const std::byte *block, std::size_t bytes) {
  __m128i any = _mm_setzero_si128();
  for (std::size_t at = 0; at < bytes; at += 16) {
    any = _mm_or_si128(any, _mm_loadu_si128(reinterpret_cast<const __m128i *>(block + at)));
    // Most blocks that are not zero show it in their first line.
    if (at % kLineBytes == 0 &&
        _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) != 0xffff)
      return false;
  }
  return _mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff;
}

OMPDSM_READS_RACILY void overwrite(std::byte *block, const std::byte *fresh, std::size_t bytes) {
  snapshot(block, fresh, bytes);
}

OMPDSM_READS_RACILY void mergeUnderWriters(std::byte *memory, std::byte *twin,
                                           const std::byte *fresh, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLineBytes) {
    LineMask mask = differingBytes(fresh + at, twin + at);
    copyMasked(memory + at, fresh + at, mask);
    copyMasked(twin + at, fresh + at, mask);
  }
}

TwinPool::~TwinPool() {
  for (unsigned shift = 0; shift <= kMaxShift; ++shift)
    while (free_[shift])
      ::operator delete(takeFree(shift), kAlignment);
}

std::byte *TwinPool::acquire(unsigned blockShift) {
  OMPDSM_CHECK(blockShift <= kMaxShift);
  // By operator new, whose owner knows what to tell the user when there is no memory.
  if (!free_[blockShift])
    return static_cast<std::byte *>(::operator new(std::size_t(1) << blockShift, kAlignment));
  std::byte *twin = takeFree(blockShift);
  __builtin_prefetch(free_[blockShift], /*for writing*/ 1); // The next one is asked for soon.
  return twin;
}

void TwinPool::release(std::byte *twin, unsigned blockShift) {
  const std::size_t bytes = std::size_t(1) << blockShift;
  if (bytesKept_ + bytes > kMostBytesKept)
    return ::operator delete(twin, kAlignment);
  free_[blockShift] = new (twin) FreeTwin{free_[blockShift]};
  bytesKept_ += bytes;
}

std::byte *TwinPool::takeFree(unsigned blockShift) {
  bytesKept_ -= std::size_t(1) << blockShift;
  return reinterpret_cast<std::byte *>(std::exchange(free_[blockShift], free_[blockShift]->next));
}

} // namespace ompdsm
