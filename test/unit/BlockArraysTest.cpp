// BlockArraysTest.cpp: values of blocks in arrays, of which some of the unused ones stay.
#include "protocol/engine/BlockMarks.h"
#include <gtest/gtest.h>

namespace ompdsm {
namespace {

constexpr unsigned kShift = 10;
constexpr Address kBlock = Address(1) << 45, kPiece = BlockArrays<int>::kPieceBlocks << kShift;

int &valueOf(BlockArrays<int> &arrays, Address block, unsigned blockShift = kShift) {
  return arrays.findOrAdd(block, blockShift).values[arrays.indexOf(block, blockShift)];
}

TEST(BlockArrays, EachBlockOfEachSizeHasItsValue) {
  BlockArrays<int> arrays;
  EXPECT_TRUE(arrays.empty());
  EXPECT_EQ(arrays.find(kBlock, kShift), nullptr);
  valueOf(arrays, kBlock) = 1;
  valueOf(arrays, kBlock, 6) = 2;
  valueOf(arrays, kBlock + kPiece) = 3;
  valueOf(arrays, kBlock + kPiece - (1 << kShift)) = 4;
  EXPECT_EQ(valueOf(arrays, kBlock), 1);
  EXPECT_EQ(valueOf(arrays, kBlock, 6), 2);
  EXPECT_EQ(valueOf(arrays, kBlock + kPiece), 3);
  EXPECT_EQ(valueOf(arrays, kBlock + kPiece - (1 << kShift)), 4);
  EXPECT_EQ(valueOf(arrays, kBlock + (1 << kShift)), 0);
  EXPECT_EQ(arrays.find(kBlock + 2 * kPiece, kShift), nullptr);
}

TEST(BlockArrays, OfWhatIsUnusedTheLatestStay) {
  BlockArrays<int> arrays;
  const auto use = [&](Address block) { ++arrays.findOrAdd(block, kShift).used; };
  const auto unuse = [&](Address block) {
    if (--arrays.find(block, kShift)->used == 0)
      arrays.noteUnused(block, kShift);
  };
  constexpr unsigned kMany = 100;
  const Address again = kBlock + kMany * kPiece;
  use(again);
  unuse(again);
  use(again);
  for (unsigned n = 0; n < kMany; ++n) {
    use(kBlock + n * kPiece);
    unuse(kBlock + n * kPiece);
  }
  EXPECT_NE(arrays.find(again, kShift), nullptr) << "used";
  EXPECT_NE(arrays.find(kBlock + (kMany - 1) * kPiece, kShift), nullptr) << "may be used soon";
  unsigned left = 0;
  for (unsigned n = 0; n < kMany; ++n)
    left += arrays.find(kBlock + n * kPiece, kShift) != nullptr;
  EXPECT_LT(left, kMany / 4);
}

enum class Mark : std::uint8_t { None, One, Two };

/// Marks of `kBits` bits, of many blocks beside each other.
template <unsigned kBits> void expectNeighboursApart() {
  BlockMarks<Mark, kBits> marks;
  EXPECT_TRUE(marks.empty());
  constexpr unsigned kMany = 5000, kValues = 1u << kBits;
  for (unsigned n = 0; n < kMany; ++n)
    marks.set(kBlock + (Address(n) << kShift), kShift, Mark(n * 7 % kValues));
  marks.set(kBlock, 6, Mark::Two);
  for (unsigned n = 0; n < kMany; ++n)
    ASSERT_EQ(marks.get(kBlock + (Address(n) << kShift), kShift), Mark(n * 7 % kValues)) << n;
  EXPECT_EQ(marks.get(kBlock, 6), Mark::Two);
  EXPECT_EQ(marks.get(kBlock + (Address(kMany) << kShift), kShift), Mark::None);
}

TEST(BlockMarks, NeighboursDoNotDisturbEachOther) {
  expectNeighboursApart<2>();
  expectNeighboursApart<4>();
}

} // namespace
} // namespace ompdsm
