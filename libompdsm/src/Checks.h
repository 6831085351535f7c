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

/// True if a line of [p, p + bytes) has one of `missBits` (OMPDSM_READ_MISSES, OMPDSM_WRITE_MISSES)
/// in the state table. Addresses outside the user address space (as after an overflow) never miss.
inline bool rangeMisses(const void *p, std::size_t bytes, unsigned missBits) {
  // Linux maps nothing in the last page, so that reading eight states at once stays in the table.
  constexpr std::uint64_t kEnd = (std::uint64_t(1) << 47) - 4096;
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(p);
  if (bytes == 0 || begin >= kEnd || bytes > kEnd - begin)
    return false;
  std::uint64_t line = begin >> OMPDSM_LINE_SHIFT;
  const std::uint64_t last = (begin + bytes - 1) >> OMPDSM_LINE_SHIFT;
  const auto *states = reinterpret_cast<const volatile std::uint8_t *>(OMPDSM_STATE_TABLE);
  // Eight lines at a time; volatile because other threads change them, and any mixture will do: the
  // engine decides again under its lock. Behind the last line are those of other addresses.
  struct __attribute__((packed, may_alias)) Eight {
    std::uint64_t value;
  };
  const auto eightFrom = [states](std::uint64_t first) {
    return reinterpret_cast<const volatile Eight *>(states + first)->value;
  };
  const std::uint64_t mask = missBits * 0x0101010101010101;
  for (; line + 8 <= last; line += 8)
    if (eightFrom(line) & mask)
      return true;
  return eightFrom(line) & mask >> (7 - (last - line)) * 8;
}

/// Gives the calling thread permission for the range until its next synchronisation point. Does
/// nothing before the job has started, and for private memory.
void ensureRead(const void *p, std::size_t bytes);
void ensureWrite(void *p, std::size_t bytes);
/// The same where the thread stores to every byte of the range, and reads none before, until then.
void ensureOverwrite(void *p, std::size_t bytes);

} // namespace ompdsm
