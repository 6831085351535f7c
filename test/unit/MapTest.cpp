// MapTest.cpp: areas of shared addresses, and the homes of their pages.
#include "protocol/engine/BlockSizes.h"
#include "protocol/engine/HomeMap.h"
#include "protocol/engine/StateTable.h"
#include <gtest/gtest.h>
#include <random>

namespace ompdsm::test {
namespace {

Area area(Address begin, Address end, std::uint8_t shift, NodeId home, bool migratable) {
  Area made;
  made.begin = begin;
  made.end = end;
  made.blockShift = shift;
  made.defaultHome = home;
  made.migratable = migratable;
  return made;
}

AddressMap threeAreas() {
  AddressMap map;
  map.add(area(0x50000, 0x72040, 16, 2, true)); // begins and ends inside of blocks of 64 KiB
  map.add(area(0x10000, 0x12000, 8, 1, false));
  map.add(area(0x12000, 0x14000, 6, 0, true)); // adjacent
  map.seal();
  return map;
}

TEST(AddressMap, FindsTheAreaOfAnAddressAndNothingBetween) {
  AddressMap map = threeAreas();
  EXPECT_EQ(map.find(0), nullptr);
  EXPECT_EQ(map.find(0xffff), nullptr);
  EXPECT_EQ(map.find(0x10000)->defaultHome, 1);
  EXPECT_EQ(map.find(0x11fff)->defaultHome, 1);
  EXPECT_EQ(map.find(0x12000)->defaultHome, 0);
  EXPECT_EQ(map.find(0x14000), nullptr);
  EXPECT_EQ(map.find(0x7203f)->defaultHome, 2);
  EXPECT_EQ(map.find(0x72040), nullptr);
  EXPECT_EQ(map.find(~Address(0)), nullptr);
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(map.areas()[i].index, i);
}

TEST(AddressMap, TheNextBeginSkipsPrivateMemory) {
  AddressMap map = threeAreas();
  EXPECT_EQ(map.nextBegin(0), 0x10000u);
  EXPECT_EQ(map.nextBegin(0x14000), 0x50000u);
  EXPECT_EQ(map.nextBegin(0x72040), ~Address(0));
}

TEST(AddressMap, BlocksAreAlignedAndCutOffByTheirArea) {
  AddressMap map = threeAreas();
  const Area &large = *map.find(0x50000);
  EXPECT_EQ(large.blockBegin(0x5ffff), 0x50000u);
  EXPECT_EQ(large.blockEnd(0x50000), 0x60000u);
  EXPECT_EQ(large.blockBegin(0x72000), 0x70000u);
  EXPECT_EQ(large.blockEnd(0x70000), 0x72040u);
  const Area &small = *map.find(0x10000);
  EXPECT_EQ(small.blockBegin(0x101ff), 0x10100u);
  EXPECT_EQ(small.blockEnd(0x101ff), 0x10200u);
}

TEST(HomeMap, HomesMoveByPagesOrLargerBlocks) {
  AddressMap map = threeAreas();
  HomeMap homes(map);
  const Area &lines = *map.find(0x12000), &large = *map.find(0x50000);
  EXPECT_EQ(homes.unitOf(lines, 0x13fff), 0x13000u);
  EXPECT_EQ(homes.unitEnd(lines, 0x13000), 0x14000u);
  EXPECT_EQ(homes.unitOf(large, 0x6ffff), 0x60000u);
  EXPECT_EQ(homes.unitEnd(large, 0x60000), 0x70000u);
  EXPECT_EQ(homes.unitEnd(large, 0x70000), 0x72040u);

  homes.move(lines, 0x13000, 7);
  EXPECT_EQ(homes.homeOf(lines, 0x12fff), 0);
  EXPECT_EQ(homes.homeOf(lines, 0x13000), 7);
  EXPECT_EQ(homes.homeOf(lines, 0x13fff), 7);
  homes.move(lines, 0x13000, 0);
  EXPECT_EQ(homes.homeOf(lines, 0x13abc), 0);
  homes.move(large, 0x72000, 65534);
  EXPECT_EQ(homes.homeOf(large, 0x72000), 65534);
  EXPECT_EQ(homes.homeOf(large, 0x71fff), 2);
  EXPECT_EQ(homes.homeOf(*map.find(0x10000), 0x10000), 1);
}

TEST(HomeMap, BlocksOfAPageThatHasGotSmallerOnesHaveHomesOfTheirOwn) {
  AddressMap map = threeAreas();
  HomeMap homes(map);
  BlockSizes sizes(map);
  homes.move(*map.find(0x51000), 0x50000, 5); // a page of a block of 64 KiB
  sizes.set(0x50000, 8);
  const Area &parted = *sizes.find(0x50000);
  EXPECT_EQ(homes.unitOf(parted, 0x501ff), 0x50100u);
  EXPECT_EQ(homes.unitEnd(parted, 0x50100), 0x50200u);
  EXPECT_EQ(homes.homeOf(parted, 0x50100), 5) << "that of the page";
  homes.move(parted, 0x50100, 7);
  for (Address line = 0x50000; line < 0x51000; line += 0x40)
    EXPECT_EQ(homes.homeOf(parted, line), line >= 0x50100 && line < 0x50200 ? 7 : 5);
  homes.move(parted, 0x50f00, 0);
  EXPECT_EQ(homes.homeOf(parted, 0x50fff), 0);
  EXPECT_EQ(homes.homeOf(parted, 0x50eff), 5);
  EXPECT_EQ(homes.homeOf(*sizes.find(0x60000), 0x60000), 2);
  EXPECT_EQ(homes.unitEnd(*sizes.find(0x60000), 0x60000), 0x70000u);
}

TEST(StateTable, SetsAllLinesOfABlockAndNoOther) {
  constexpr Address kLines = 64;
  for (Address first = 0; first < 20; ++first)
    for (Address last = first + 1; last < first + 40; ++last) {
      std::byte bytes[kLines] = {};
      StateTable table(bytes);
      table.set(first * kLineBytes, last * kLineBytes, BlockState::Dirty);
      for (Address line = 0; line < kLines; ++line)
        ASSERT_EQ(table.stateAt(line * kLineBytes + 5),
                  line >= first && line < last ? BlockState::Dirty : BlockState::Exclusive)
            << first << " to " << last;
    }
}

TEST(StateTable, AGroupHasTheMissBitsOfItsLines) {
  constexpr Address kGroups = 4, kLines = kGroups * GroupTable::kGroupBytes / kLineBytes;
  std::byte bytes[kLines] = {}, groups[kGroups] = {};
  StateTable table(bytes, nullptr, groups);
  const auto joined = [&](Address group) {
    unsigned bits = 0;
    for (Address line = group * kLines / kGroups; line < (group + 1) * kLines / kGroups; ++line)
      bits |= missBits(table.stateAt(line * kLineBytes));
    return bits;
  };
  std::mt19937 random(3);
  constexpr BlockState kStates[] = {BlockState::Invalid, BlockState::Clean, BlockState::Dirty};
  unsigned differing = 0;
  for (int round = 0; round < 20000; ++round) {
    // Of one line to all groups, in one state before.
    const std::size_t size = kLineBytes << random() % 8;
    const Address begin = random() % (kLines * kLineBytes / size) * size;
    const BlockState before = table.stateAt(begin), after = kStates[random() % 3];
    for (Address line = begin; line < begin + size; line += kLineBytes)
      if (table.stateAt(line) != before)
        table.set(line, line + kLineBytes, before);
    table.set(begin, begin + size, after);
    for (Address group = 0; group < kGroups; ++group) {
      ASSERT_EQ(std::to_integer<unsigned>(groups[group]), joined(group)) << "round " << round;
      differing += joined(group) != joined(0);
    }
  }
  EXPECT_GT(differing, 1000U);
}

TEST(GroupTable, ABitComesBeforeALineHasItAndGoesAfterTheLastHasNot) {
  std::uint8_t lines[32] = {};
  std::byte group{};
  const GroupTable table(&group);
  table.beforeChange(64, 128, kWriteMisses);
  EXPECT_EQ(group, std::byte(kWriteMisses)) << "while no line has it";
  lines[1] = lines[2] = kWriteMisses;
  lines[1] = 0;
  table.afterChange(64, 128, 0, lines);
  EXPECT_EQ(group, std::byte(kWriteMisses)) << "another line has it";
  lines[2] = stateByte(BlockState::HomeDirty);
  table.afterChange(128, 192, 0, lines);
  EXPECT_EQ(group, std::byte(0)) << "nothing of the state but its miss bits";
}

using MapDeathTest = testing::Test;
TEST(MapDeathTest, AreasThatOverlapOrAreNotAlignedEndTheProcess) {
  EXPECT_DEATH(
      {
        AddressMap map;
        map.add(area(0x1000, 0x3000, 8, 0, false));
        map.add(area(0x2000, 0x4000, 8, 0, false));
        map.seal();
      },
      "check");
  EXPECT_DEATH(AddressMap().add(area(0x1001, 0x3000, 8, 0, false)), "check");
  EXPECT_DEATH(AddressMap().add(area(0x1000, 0x3000, 17, 0, false)), "check");
  EXPECT_DEATH(
      {
        AddressMap map;
        map.add(area(0x1040, 0x3000, 8, 0, true)); // its first page could belong to two areas
        map.seal();
        HomeMap homes(map);
      },
      "check");
}

} // namespace
} // namespace ompdsm::test
