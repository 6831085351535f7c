// TwinTest.cpp: what is merged under writers; the pool of twins.
#include "protocol/engine/Twin.h"
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ompdsm::test {
namespace {

using Line = std::array<std::byte, kLineBytes>;

TEST(Twin, AnyByteTellsABlockFromZeros) {
  std::vector<std::byte> block(256);
  EXPECT_TRUE(isZero(block.data(), block.size()));
  for (std::byte &byte : block) {
    byte = std::byte{0x80};
    EXPECT_FALSE(isZero(block.data(), block.size()));
    byte = std::byte{0};
  }
}

TEST(Twin, AMergeKeepsLateStoresAndTakesWhatIsNew) {
  // For each byte: memory, twin and fresh contents may each be 0 or 1.
  Line memory, twin, fresh;
  for (unsigned i = 0; i < 64; ++i) {
    memory[i] = std::byte(i & 1);
    twin[i] = std::byte(i >> 1 & 1);
    fresh[i] = std::byte(i >> 2 & 1);
  }
  const Line before = memory, oldTwin = twin;
  mergeUnderWriters(memory.data(), twin.data(), fresh.data(), kLineBytes);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(memory[i], fresh[i] != oldTwin[i] ? fresh[i] : before[i]);
    EXPECT_EQ(twin[i], fresh[i]);
  }
}

TEST(Twin, TheTwinsOfAPoolDoNotOverlap) {
  for (unsigned shift = 6; shift <= 16; ++shift) {
    TwinPool pool;
    std::set<std::byte *> twins;
    std::size_t bytes = std::size_t(1) << shift, count = (3u << 20) >> shift;
    for (std::size_t i = 0; i < count; ++i) {
      std::byte *twin = pool.acquire(shift);
      auto [place, isNew] = twins.insert(twin);
      ASSERT_TRUE(isNew);
      if (place != twins.begin())
        ASSERT_GE(twin, *std::prev(place) + bytes);
      if (std::next(place) != twins.end())
        ASSERT_LE(twin + bytes, *std::next(place));
      std::memset(twin, 0xff, bytes);
    }
    std::byte *first = *twins.begin();
    pool.release(first, shift);
    EXPECT_EQ(pool.acquire(shift), first) << "what is released is used again";
    for (std::byte *kept : twins)
      pool.release(kept, shift);
  }
}

TEST(Twin, APoolGivesBackWhatIsMoreThanItKeeps) {
  constexpr unsigned kShift = 16;
  TwinPool pool;
  std::vector<std::byte *> twins(2 * (TwinPool::kMostBytesKept >> kShift));
  for (std::byte *&twin : twins)
    twin = pool.acquire(kShift);
  EXPECT_EQ(pool.bytesKept(), 0u);
  for (std::byte *twin : twins)
    pool.release(twin, kShift);
  EXPECT_EQ(pool.bytesKept(), TwinPool::kMostBytesKept);
  std::byte *const again = pool.acquire(kShift);
  EXPECT_EQ(pool.bytesKept(), TwinPool::kMostBytesKept - (std::size_t(1) << kShift));
  pool.release(again, kShift);
}

} // namespace
} // namespace ompdsm::test
