// TwinTest.cpp: masks of changed bytes, and copying by them, at every offset; the pool of twins.
#include "protocol/engine/Twin.h"
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ompdsm::test {
namespace {

using Line = std::array<std::byte, kLineBytes>;

Line filled(unsigned seed) {
  Line line;
  for (std::size_t i = 0; i < kLineBytes; ++i)
    line[i] = std::byte(seed * 31 + i * 7 + 1);
  return line;
}

/// All runs of ones, and masks without structure.
std::vector<LineMask> masks() {
  std::vector<LineMask> all = {0, kWholeLine, 0x5555555555555555u, 0xaaaaaaaaaaaaaaaau};
  for (unsigned first = 0; first < 64; ++first)
    for (unsigned count = 1; first + count <= 64; ++count)
      all.push_back((count == 64 ? kWholeLine : (LineMask(1) << count) - 1) << first);
  LineMask random = 1;
  for (int i = 0; i < 500; ++i)
    all.push_back(random = random * 6364136223846793005u + 1442695040888963407u);
  return all;
}

TEST(Twin, AnyByteTellsABlockFromZeros) {
  std::vector<std::byte> block(256);
  EXPECT_TRUE(isZero(block.data(), block.size()));
  for (std::byte &byte : block) {
    byte = std::byte{0x80};
    EXPECT_FALSE(isZero(block.data(), block.size()));
    byte = std::byte{0};
  }
}

TEST(Twin, TheMaskNamesExactlyTheBytesThatDiffer) {
  for (LineMask mask : masks()) {
    Line a = filled(1), b = a;
    for (unsigned i = 0; i < 64; ++i)
      if (mask >> i & 1)
        b[i] = ~a[i];
    ASSERT_EQ(differingBytes(a.data(), b.data()), mask);
  }
}

TEST(Twin, CopyingByAMaskTouchesNoOtherByte) {
  for (LineMask mask : masks()) {
    // Bytes around the line catch stores that reach over its ends.
    std::array<Line, 3> memory = {filled(1), filled(2), filled(3)};
    const std::array<Line, 3> before = memory;
    Line source = filled(9), packed{};
    copyMasked(memory[1].data(), source.data(), mask);
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(memory[1][i], mask >> i & 1 ? source[i] : before[1][i]);
    ASSERT_TRUE(memory[0] == before[0] && memory[2] == before[2]);

    std::size_t count = packMasked(packed.data(), source.data(), mask);
    ASSERT_EQ(count, std::size_t(std::popcount(mask)));
    memory = before;
    ASSERT_EQ(unpackMasked(memory[1].data(), packed.data(), mask), count);
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(memory[1][i], mask >> i & 1 ? source[i] : before[1][i]);
    ASSERT_TRUE(memory[0] == before[0] && memory[2] == before[2]);
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
  }
}

} // namespace
} // namespace ompdsm::test
