#include "protocol/engine/ByteMasks.h"
#include <bit>
#include <cstring>
#include <immintrin.h>

// Reading a line while the program writes other bytes of it, or bytes that the next release will
// find, is the protocol's intention; the thread sanitizer cannot know that.
#define OMPDSM_READS_RACILY __attribute__((no_sanitize("thread")))
#define OMPDSM_AVX512 __attribute__((target("avx512f,avx512bw,popcnt")))
#define OMPDSM_VBMI2 __attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))
#define OMPDSM_BMI2 __attribute__((target("avx512f,avx512bw,bmi2,popcnt")))

#define OMPDSM_INLINED inline __attribute__((always_inline))

namespace ompdsm {

// Several lines, by what an implementation does with one; inlined into functions for its processor.
namespace lines {
namespace {

template <auto Take, auto Differing>
OMPDSM_INLINED bool compare(std::byte *taken, LineMask *masks, const std::byte *memory,
                            const std::byte *twin, std::size_t lines) {
  LineMask any = 0;
  for (std::size_t line = 0; line < lines; ++line) {
    Take(taken, memory);
    any |= masks[line] = Differing(taken, twin);
    taken += kLineBytes, memory += kLineBytes, twin += kLineBytes;
  }
  return any != 0;
}

template <auto Pack>
OMPDSM_INLINED std::size_t pack(std::byte *target, const LineMask *masks, const std::byte *lines,
                                std::size_t count) {
  std::byte *at = target;
  for (std::size_t line = 0; line < count; ++line) {
    std::memcpy(at, &masks[line], sizeof(LineMask));
    at += sizeof(LineMask);
    at += Pack(at, lines + line * kLineBytes, masks[line]);
  }
  return std::size_t(at - target);
}

OMPDSM_INLINED const std::byte *read(const std::byte *from, const std::byte *end,
                                     std::span<PutLine> lines) {
  for (PutLine &line : lines) {
    if (std::size_t(end - from) < sizeof(LineMask))
      return nullptr;
    std::memcpy(&line.mask, from, sizeof(LineMask));
    from += sizeof(LineMask);
    const auto used = std::size_t(std::popcount(line.mask));
    if (std::size_t(end - from) < used)
      return nullptr;
    line.packed = from;
    from += used;
  }
  return from;
}

template <auto Unpack>
OMPDSM_INLINED void apply(std::byte *block, Address begin, std::span<const PutLine> lines) {
  for (const PutLine &line : lines)
    Unpack(block + (line.line - begin), line.packed, line.mask);
}

} // namespace
} // namespace lines

namespace portable {
namespace {

OMPDSM_READS_RACILY void take(std::byte *taken, const std::byte *line) {
  for (unsigned part = 0; part < 4; ++part)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(taken) + part,
                     _mm_loadu_si128(reinterpret_cast<const __m128i *>(line) + part));
}

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

template <class Word>
OMPDSM_READS_RACILY void copyEnds(std::byte *target, const std::byte *source, std::size_t count) {
  Word first, last;
  std::memcpy(&first, source, sizeof(Word));
  std::memcpy(&last, source + count - sizeof(Word), sizeof(Word));
  std::memcpy(target, &first, sizeof(Word));
  std::memcpy(target + count - sizeof(Word), &last, sizeof(Word));
}
/// Most runs are parts of a number: a call would take longer than they do.
OMPDSM_READS_RACILY void copyRun(std::byte *target, const std::byte *source, std::size_t count) {
  if (count > 16)
    std::memcpy(target, source, count);
  else if (count >= 8)
    copyEnds<std::uint64_t>(target, source, count);
  else if (count >= 4)
    copyEnds<std::uint32_t>(target, source, count);
  else if (count >= 2)
    copyEnds<std::uint16_t>(target, source, count);
  else
    *target = *source;
}

/// Calls visit(first byte, count) for each run of ones in the mask.
template <class Visit> void forEachRun(LineMask mask, Visit &&visit) {
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
    copyRun(target + first, source + first, count);
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
    copyRun(packed + at, line + first, count);
  });
}

OMPDSM_READS_RACILY std::size_t unpack(std::byte *line, const std::byte *packed, LineMask mask) {
  return movePacked(mask, [&](std::size_t first, std::size_t at, std::size_t count) {
    copyRun(line + first, packed + at, count);
  });
}

OMPDSM_READS_RACILY bool compare(std::byte *taken, LineMask *masks, const std::byte *memory,
                                 const std::byte *twin, std::size_t lines) {
  return lines::compare<take, differing>(taken, masks, memory, twin, lines);
}

std::size_t packLines(std::byte *target, const LineMask *masks, const std::byte *lines,
                      std::size_t count) {
  return lines::pack<pack>(target, masks, lines, count);
}

const std::byte *readLines(const std::byte *from, const std::byte *end, std::span<PutLine> lines) {
  return lines::read(from, end, lines);
}

OMPDSM_READS_RACILY void apply(std::byte *block, Address begin, std::span<const PutLine> lines) {
  lines::apply<unpack>(block, begin, lines);
}

} // namespace
} // namespace portable

namespace avx512 {
namespace {

/// The mask of the first `count` bytes, 0 to 64.
LineMask firstBytes(std::size_t count) {
  return count == 64 ? kWholeLine : (LineMask(1) << count) - 1;
}

OMPDSM_READS_RACILY OMPDSM_AVX512 void take(std::byte *taken, const std::byte *line) {
  _mm512_storeu_si512(taken, _mm512_loadu_si512(line));
}

OMPDSM_READS_RACILY OMPDSM_AVX512 LineMask differing(const std::byte *a, const std::byte *b) {
  return _mm512_cmpneq_epu8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

OMPDSM_READS_RACILY OMPDSM_AVX512 void copy(std::byte *target, const std::byte *source,
                                            LineMask mask) {
  _mm512_mask_storeu_epi8(target, mask, _mm512_maskz_loadu_epi8(mask, source));
}

OMPDSM_READS_RACILY OMPDSM_AVX512 bool compare(std::byte *taken, LineMask *masks,
                                               const std::byte *memory, const std::byte *twin,
                                               std::size_t lines) {
  return lines::compare<take, differing>(taken, masks, memory, twin, lines);
}

OMPDSM_AVX512 const std::byte *readLines(const std::byte *from, const std::byte *end,
                                         std::span<PutLine> lines) {
  return lines::read(from, end, lines);
}

} // namespace
} // namespace avx512

// With the instructions that compress and expand bytes.
namespace vbmi2 {
namespace {

OMPDSM_READS_RACILY OMPDSM_VBMI2 std::size_t pack(std::byte *packed, const std::byte *line,
                                                  LineMask mask) {
  // Not by the compressing store, which takes a hundred cycles on some processors.
  const auto used = static_cast<std::size_t>(std::popcount(mask));
  _mm512_mask_storeu_epi8(packed, avx512::firstBytes(used),
                          _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(line)));
  return used;
}

OMPDSM_READS_RACILY OMPDSM_VBMI2 std::size_t unpack(std::byte *line, const std::byte *packed,
                                                    LineMask mask) {
  const auto used = static_cast<std::size_t>(std::popcount(mask));
  const __m512i bytes = _mm512_maskz_loadu_epi8(avx512::firstBytes(used), packed);
  _mm512_mask_storeu_epi8(line, mask, _mm512_maskz_expand_epi8(mask, bytes));
  return used;
}

OMPDSM_VBMI2 std::size_t packLines(std::byte *target, const LineMask *masks, const std::byte *lines,
                                   std::size_t count) {
  return lines::pack<pack>(target, masks, lines, count);
}

OMPDSM_READS_RACILY OMPDSM_VBMI2 void apply(std::byte *block, Address begin,
                                            std::span<const PutLine> lines) {
  lines::apply<unpack>(block, begin, lines);
}

} // namespace
} // namespace vbmi2

// Without them: eight bytes at a time.
namespace bmi2 {
namespace {

/// Ones in the bytes of a word that have a bit in `bits`.
OMPDSM_BMI2 std::uint64_t bytesOf(LineMask bits) {
  return _pdep_u64(bits, 0x0101010101010101) * 0xff;
}

OMPDSM_READS_RACILY OMPDSM_BMI2 std::size_t pack(std::byte *packed, const std::byte *line,
                                                 LineMask mask) {
  std::byte words[2 * kLineBytes]; // What follows the last bytes of a word is overwritten.
  std::size_t used = 0;
  for (unsigned first = 0; first < kLineBytes; first += sizeof(std::uint64_t)) {
    const LineMask bits = mask >> first & 0xff;
    std::uint64_t word;
    std::memcpy(&word, line + first, sizeof(word));
    word = _pext_u64(word, bytesOf(bits));
    std::memcpy(words + used, &word, sizeof(word));
    used += std::size_t(std::popcount(bits));
  }
  _mm512_mask_storeu_epi8(packed, avx512::firstBytes(used), _mm512_loadu_si512(words));
  return used;
}

OMPDSM_READS_RACILY OMPDSM_BMI2 std::size_t unpack(std::byte *line, const std::byte *packed,
                                                   LineMask mask) {
  std::byte words[2 * kLineBytes];
  std::uint64_t spread[kLineBytes / sizeof(std::uint64_t)];
  const auto all = static_cast<std::size_t>(std::popcount(mask));
  _mm512_storeu_si512(words, _mm512_maskz_loadu_epi8(avx512::firstBytes(all), packed));
  _mm512_storeu_si512(words + kLineBytes, _mm512_setzero_si512());
  std::size_t used = 0;
  for (unsigned first = 0; first < kLineBytes; first += sizeof(std::uint64_t)) {
    const LineMask bits = mask >> first & 0xff;
    std::uint64_t word;
    std::memcpy(&word, words + used, sizeof(word));
    spread[first / sizeof(word)] = _pdep_u64(word, bytesOf(bits));
    used += std::size_t(std::popcount(bits));
  }
  _mm512_mask_storeu_epi8(line, mask, _mm512_loadu_si512(spread));
  return used;
}

OMPDSM_BMI2 std::size_t packLines(std::byte *target, const LineMask *masks, const std::byte *lines,
                                  std::size_t count) {
  return lines::pack<pack>(target, masks, lines, count);
}

OMPDSM_READS_RACILY OMPDSM_BMI2 void apply(std::byte *block, Address begin,
                                           std::span<const PutLine> lines) {
  lines::apply<unpack>(block, begin, lines);
}

} // namespace
} // namespace bmi2

const ByteMaskOperations &portableByteMasks() {
  static constexpr ByteMaskOperations kOperations{
      portable::differing, portable::copy,      portable::pack,      portable::unpack,
      portable::compare,   portable::packLines, portable::readLines, portable::apply};
  return kOperations;
}

const ByteMaskOperations *vbmi2ByteMasks() {
  static constexpr ByteMaskOperations kOperations{
      avx512::differing, avx512::copy,     vbmi2::pack,       vbmi2::unpack,
      avx512::compare,   vbmi2::packLines, avx512::readLines, vbmi2::apply};
  __builtin_cpu_init();
  const bool can = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
  return can ? &kOperations : nullptr;
}

const ByteMaskOperations *avx512ByteMasks() {
  static constexpr ByteMaskOperations kOperations{
      avx512::differing, avx512::copy,    bmi2::pack,        bmi2::unpack,
      avx512::compare,   bmi2::packLines, avx512::readLines, bmi2::apply};
  __builtin_cpu_init();
  const bool can = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi2");
  return can ? &kOperations : nullptr;
}

const ByteMaskOperations &fastestByteMasks() {
  if (const ByteMaskOperations *vbmi2 = vbmi2ByteMasks())
    return *vbmi2;
  const ByteMaskOperations *avx512 = avx512ByteMasks();
  return avx512 ? *avx512 : portableByteMasks();
}

} // namespace ompdsm
