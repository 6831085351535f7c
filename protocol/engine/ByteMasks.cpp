#include "protocol/engine/ByteMasks.h"
#include <bit>
#include <cstring>
#include <immintrin.h>

// Reading a line while the program writes other bytes of it, or bytes that the next release will
// find, is the protocol's intention; the thread sanitizer cannot know that.
#define OMPDSM_READS_RACILY __attribute__((no_sanitize("thread")))
#define OMPDSM_AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))

namespace ompdsm {

namespace portable {
namespace {

OMPDSM_READS_RACILY LineMask differing(const std::byte *a, const std::byte *b) {
  LineMask same = 0;
  for (unsigned part = 0; part < 4; ++part) {
    __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a) + part);
    __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b) + part);
    auto equal = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)));
    same |= LineMask(equal & 0xffff) << (16 * part);
  }
  return ~same;
}

/// Calls visit(first byte, count) for each run of ones in the mask.
template <class Visit> void forEachRun(LineMask mask, Visit visit) {
  while (mask) {
    unsigned first = std::countr_zero(mask);
    unsigned count = std::countr_one(mask >> first);
    visit(first, count);
    mask &= first + count == 64 ? 0 : ~LineMask(0) << (first + count);
  }
}

OMPDSM_READS_RACILY void copy(std::byte *target, const std::byte *source, LineMask mask) {
  if (mask == kWholeLine) {
    std::memcpy(target, source, kLineBytes);
    return;
  }
  forEachRun(mask, [&](unsigned first, unsigned count) {
    std::memcpy(target + first, source + first, count);
  });
}

/// Calls move(first byte in the line, first byte of the packed ones, count); returns how many are
/// packed.
template <class Move> std::size_t movePacked(LineMask mask, Move move) {
  std::size_t used = 0;
  if (mask == kWholeLine) {
    move(0, used, kLineBytes);
    return kLineBytes;
  }
  forEachRun(mask, [&](unsigned first, unsigned count) {
    move(first, used, count);
    used += count;
  });
  return used;
}

std::size_t pack(std::byte *packed, const std::byte *line, LineMask mask) {
  return movePacked(mask, [&](std::size_t first, std::size_t at, std::size_t count) {
    std::memcpy(packed + at, line + first, count);
  });
}

OMPDSM_READS_RACILY std::size_t unpack(std::byte *line, const std::byte *packed, LineMask mask) {
  return movePacked(mask, [&](std::size_t first, std::size_t at, std::size_t count) {
    std::memcpy(line + first, packed + at, count);
  });
}

} // namespace
} // namespace portable

namespace avx512 {
namespace {

/// The mask of the first `count` bytes, 0 to 64.
LineMask firstBytes(std::size_t count) {
  return count == 64 ? kWholeLine : (LineMask(1) << count) - 1;
}

OMPDSM_READS_RACILY OMPDSM_AVX512 LineMask differing(const std::byte *a, const std::byte *b) {
  return _mm512_cmpneq_epu8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

OMPDSM_READS_RACILY OMPDSM_AVX512 void copy(std::byte *target, const std::byte *source,
                                            LineMask mask) {
  _mm512_mask_storeu_epi8(target, mask, _mm512_maskz_loadu_epi8(mask, source));
}

OMPDSM_AVX512 std::size_t pack(std::byte *packed, const std::byte *line, LineMask mask) {
  // Not by the compressing store, which takes a hundred cycles on some processors.
  const auto used = static_cast<std::size_t>(std::popcount(mask));
  _mm512_mask_storeu_epi8(packed, firstBytes(used),
                          _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(line)));
  return used;
}

OMPDSM_READS_RACILY OMPDSM_AVX512 std::size_t unpack(std::byte *line, const std::byte *packed,
                                                     LineMask mask) {
  const auto used = static_cast<std::size_t>(std::popcount(mask));
  const __m512i bytes = _mm512_maskz_loadu_epi8(firstBytes(used), packed);
  _mm512_mask_storeu_epi8(line, mask, _mm512_maskz_expand_epi8(mask, bytes));
  return used;
}

} // namespace
} // namespace avx512

const ByteMaskOperations &portableByteMasks() {
  static constexpr ByteMaskOperations kOperations{portable::differing, portable::copy,
                                                  portable::pack, portable::unpack};
  return kOperations;
}

const ByteMaskOperations *avx512ByteMasks() {
  static constexpr ByteMaskOperations kOperations{avx512::differing, avx512::copy, avx512::pack,
                                                  avx512::unpack};
  __builtin_cpu_init();
  const bool can = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
  return can ? &kOperations : nullptr;
}

} // namespace ompdsm
