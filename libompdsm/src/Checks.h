// Checks.h: the inline form of the state test, for the runtime's own accesses to shared memory and
// for the slow paths of compiled checks.
//
// Only where the state table is reserved, that is once runtime() is not null.
#pragma once
#include "libompdsm/include/ompdsm/abi.h"
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ompdsm {

/// Whether one of the bytes `at` to `last` of a table has one of the bits. Eight at a time;
/// volatile because other threads change them, and any mixture will do: the engine decides again
/// under its lock. Behind the last one are those of other addresses.
inline bool anyHas(std::uint64_t table, std::uint64_t at, std::uint64_t last, unsigned bits) {
  struct __attribute__((packed, may_alias)) Eight {
    std::uint64_t value;
  };
  const auto eightFrom = [table](std::uint64_t first) {
    return reinterpret_cast<const volatile Eight *>(table + first)->value;
  };
  const std::uint64_t mask = bits * 0x0101010101010101;
  for (; at + 8 <= last; at += 8)
    if (eightFrom(at) & mask)
      return true;
  return eightFrom(at) & mask >> (7 - (last - at)) * 8;
}

/// Whether the range is not empty and lies in the user address space, which it does not after an
/// overflow.
inline bool isUserRange(const void *p, std::size_t bytes) {
  // Linux maps nothing in the last page, so that reading eight states at once stays in the table.
  constexpr std::uint64_t kEnd = (std::uint64_t(1) << 47) - 4096;
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(p);
  return bytes != 0 && begin < kEnd && bytes <= kEnd - begin;
}

/// True if a group of lines that [p, p + bytes) touches has one of `missBits` (OMPDSM_READ_MISSES,
/// OMPDSM_WRITE_MISSES). False if that is no range of user addresses.
inline bool groupsMiss(const void *p, std::size_t bytes, unsigned missBits) {
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(p);
  return isUserRange(p, bytes) && anyHas(OMPDSM_GROUP_TABLE, begin >> OMPDSM_GROUP_SHIFT,
                                         (begin + bytes - 1) >> OMPDSM_GROUP_SHIFT, missBits);
}

/// True if a line of [p, p + bytes) has one of `missBits`. False if that is no range of user
/// addresses.
inline bool rangeMisses(const void *p, std::size_t bytes, unsigned missBits) {
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(p);
  return groupsMiss(p, bytes, missBits) &&
         anyHas(OMPDSM_STATE_TABLE, begin >> OMPDSM_LINE_SHIFT,
                (begin + bytes - 1) >> OMPDSM_LINE_SHIFT, missBits);
}

/// Gives the calling thread permission for the range until its next synchronisation point. Does
/// nothing before the job has started, and for private memory.
void ensureRead(const void *p, std::size_t bytes);
void ensureWrite(void *p, std::size_t bytes);
/// The same where the thread stores to every byte of the range, and reads none before, until then.
void ensureOverwrite(void *p, std::size_t bytes);

} // namespace ompdsm
