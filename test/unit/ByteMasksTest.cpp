// ByteMasksTest.cpp: masks of changed bytes, and copying by them, at every offset, by each
// implementation that this processor can run.
#include "protocol/engine/ByteMasks.h"
#include <array>
#include <bit>
#include <gtest/gtest.h>
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

class ByteMasks : public testing::TestWithParam<const ByteMaskOperations *> {};

TEST_P(ByteMasks, TheMaskNamesExactlyTheBytesThatDiffer) {
  for (LineMask mask : masks()) {
    Line a = filled(1), b = a;
    for (unsigned i = 0; i < 64; ++i)
      if (mask >> i & 1)
        b[i] = ~a[i];
    ASSERT_EQ(GetParam()->differing(a.data(), b.data()), mask);
  }
}

TEST_P(ByteMasks, CopyingByAMaskTouchesNoOtherByte) {
  for (LineMask mask : masks()) {
    // Bytes around the line catch stores that reach over its ends.
    std::array<Line, 3> memory = {filled(1), filled(2), filled(3)};
    const std::array<Line, 3> before = memory;
    Line source = filled(9), packed{};
    GetParam()->copy(memory[1].data(), source.data(), mask);
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(memory[1][i], mask >> i & 1 ? source[i] : before[1][i]);
    ASSERT_TRUE(memory[0] == before[0] && memory[2] == before[2]);

    std::size_t count = GetParam()->pack(packed.data(), source.data(), mask);
    ASSERT_EQ(count, std::size_t(std::popcount(mask)));
    memory = before;
    ASSERT_EQ(GetParam()->unpack(memory[1].data(), packed.data(), mask), count);
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(memory[1][i], mask >> i & 1 ? source[i] : before[1][i]);
    ASSERT_TRUE(memory[0] == before[0] && memory[2] == before[2]);
  }
}

std::vector<const ByteMaskOperations *> implementations() {
  std::vector<const ByteMaskOperations *> all = {&portableByteMasks()};
  for (const ByteMaskOperations *each : {avx512ByteMasks(), vbmi2ByteMasks()})
    if (each)
      all.push_back(each);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Twin, ByteMasks, testing::ValuesIn(implementations()));

} // namespace
} // namespace ompdsm::test
