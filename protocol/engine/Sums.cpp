#include "protocol/engine/Sums.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <sys/mman.h>

namespace ompdsm {

namespace {
constexpr std::size_t kReserved = Sums::kMostChunks * Sums::kChunkBytes;

template <class Number>
std::size_t takeNumbers(std::byte *sums, std::byte *taken, std::span<LineMask> masks) {
  std::size_t found = 0;
  for (std::size_t at = 0; at < masks.size() * kLineBytes; at += sizeof(std::uint64_t)) {
    if (std::atomic_ref(*reinterpret_cast<std::uint64_t *>(sums + at))
            .load(std::memory_order_relaxed) == 0)
      continue;
    for (std::size_t i = at; i < at + sizeof(std::uint64_t); i += sizeof(Number)) {
      const Number sum = std::atomic_ref(*reinterpret_cast<Number *>(sums + i)).exchange(0);
      if (sum == 0)
        continue;
      std::memcpy(taken + i, &sum, sizeof(sum));
      for (std::size_t byte = 0; byte < sizeof(Number); ++byte)
        if (sum >> 8 * byte & 0xff)
          masks[i / kLineBytes] |= LineMask(1) << (i + byte) % kLineBytes;
      ++found;
    }
  }
  return found;
}

/// How many numbers of a line have a byte in the mask.
std::size_t numbersIn(LineMask mask, unsigned bytes) {
  for (unsigned shift = 1; shift < bytes; shift *= 2)
    mask |= mask >> shift;
  const LineMask first = ~LineMask(0) / ((LineMask(1) << bytes) - 1); // bits of each
  return std::size_t(std::popcount(mask & first));
}
} // namespace

Sums::~Sums() {
  delete table_.load(std::memory_order_relaxed);
  if (memory_)
    munmap(memory_, kReserved);
}

std::byte *Sums::findOrAdd(Address address, SumKind kind) {
  if (std::byte *sum = find(address, kind))
    return sum;
  if (chunks_ == kMostChunks)
    return nullptr;
  if (!memory_) {
    void *const memory = mmap(nullptr, kReserved, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      chunks_ = kMostChunks; // then all goes as without
      return nullptr;
    }
    memory_ = static_cast<std::byte *>(memory);
    table_.store(new Table, std::memory_order_release);
  }
  if (std::find(kinds_.begin(), kinds_.end(), kind) == kinds_.end())
    kinds_.push_back(kind);
  table_.load(std::memory_order_relaxed)
      ->at(keyOf(address, kind))
      .fill(memory_ + chunks_++ * kChunkBytes);
  return find(address, kind);
}

std::size_t Sums::takeAlone(std::byte *sums, SumKind kind, const std::byte *zeros, std::byte *taken,
                            std::span<LineMask> masks) {
  if (!byteMasks().compare(taken, masks.data(), sums, zeros, masks.size()))
    return 0;
  std::size_t found = 0;
  for (std::size_t line = 0; line < masks.size(); ++line)
    if (masks[line]) {
      found += numbersIn(masks[line], kind.bytes);
      std::memset(sums + line * kLineBytes, 0, kLineBytes);
    }
  return found;
}

std::size_t Sums::take(std::byte *sums, SumKind kind, std::byte *taken, std::span<LineMask> masks) {
  std::fill(masks.begin(), masks.end(), LineMask(0));
  switch (kind.bytes) {
  case 1:
    return takeNumbers<std::uint8_t>(sums, taken, masks);
  case 2:
    return takeNumbers<std::uint16_t>(sums, taken, masks);
  case 4:
    return takeNumbers<std::uint32_t>(sums, taken, masks);
  default:
    return takeNumbers<std::uint64_t>(sums, taken, masks);
  }
}

} // namespace ompdsm
