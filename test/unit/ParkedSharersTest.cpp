// ParkedSharersTest.cpp: sets of sharers by number, and what the table of records makes of them.
#include "protocol/engine/BlockTable.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

SharerSet setOf(std::initializer_list<NodeId> nodes) {
  SharerSet set;
  for (NodeId node : nodes)
    set.insert(node);
  return set;
}

constexpr unsigned kShift = 10;
constexpr Address kBlock = Address(1) << 45;

TEST(ParkedSharers, ABlockGetsBackTheSharersThatItParked) {
  ParkedSharers parked;
  EXPECT_TRUE(parked.park(kBlock, kShift, setOf({1, 5})));
  EXPECT_TRUE(parked.park(kBlock + 1024, kShift, setOf({1, 5})));
  EXPECT_TRUE(parked.park(kBlock + 2048, kShift, setOf({5, 70, 900})));
  EXPECT_TRUE(parked.contains(kBlock, kShift, 5));
  EXPECT_FALSE(parked.contains(kBlock, kShift, 70));
  EXPECT_TRUE(parked.contains(kBlock + 2048, kShift, 900));
  EXPECT_FALSE(parked.contains(kBlock + 3072, kShift, 5)) << "never parked";
  EXPECT_EQ(parked.take(kBlock, kShift), setOf({1, 5}));
  EXPECT_EQ(parked.take(kBlock, kShift), SharerSet()) << "taken already";
  EXPECT_EQ(parked.take(kBlock + 2048, kShift), setOf({5, 70, 900}));
  EXPECT_EQ(parked.take(kBlock + 1024, kShift), setOf({1, 5}));
}

TEST(ParkedSharers, BlocksOfDifferentSizesMayMeetInAChunk) {
  ParkedSharers parked;
  EXPECT_TRUE(parked.park(kBlock, 6, setOf({1})));
  EXPECT_TRUE(parked.park(kBlock, 16, setOf({2})));
  EXPECT_TRUE(parked.contains(kBlock, 6, 1));
  EXPECT_FALSE(parked.contains(kBlock, 6, 2));
  EXPECT_EQ(parked.take(kBlock, 16), setOf({2}));
  EXPECT_EQ(parked.take(kBlock, 6), setOf({1}));
}

TEST(ParkedSharers, WithoutNumbersLeftABlockKeepsItsRecord) {
  BlockTable table;
  const auto parkWith = [&](std::size_t at) {
    const Address block = kBlock + at * 1024;
    SharerSet &sharers = table.findOrAdd(block, kShift).sharers;
    for (unsigned bit = 0; bit < 17; ++bit)
      if ((at + 1) >> bit & 1)
        sharers.insert(static_cast<NodeId>(bit));
    table.park(block, kShift);
    return table.find(block, kShift) != nullptr;
  };
  constexpr std::size_t kNumbers = 65535; // Without that of the empty set.
  for (std::size_t at = 0; at < kNumbers; ++at)
    ASSERT_FALSE(parkWith(at)) << at;
  EXPECT_TRUE(parkWith(kNumbers)) << "set " << kNumbers + 1 << " has a number";
  EXPECT_TRUE(table.find(kBlock + kNumbers * 1024, kShift)->sharers.contains(16));
  EXPECT_TRUE(table.parkedOf(kBlock, kShift).contains(0));
  // A number that comes free is used again, and wrong for nobody.
  table.erase(kBlock + 6 * 1024, kShift);
  table.park(kBlock + kNumbers * 1024, kShift);
  EXPECT_EQ(table.find(kBlock + kNumbers * 1024, kShift), nullptr);
  EXPECT_EQ(table.findOrAdd(kBlock + kNumbers * 1024, kShift).sharers, setOf({16}));
  EXPECT_EQ(table.findOrAdd(kBlock + 5 * 1024, kShift).sharers, setOf({1, 2}));
  EXPECT_EQ(table.findOrAdd(kBlock + 6 * 1024, kShift).sharers, SharerSet());
}

} // namespace
} // namespace ompdsm::test
