// VariableExtentsTest.cpp: lists of variables as images have them.
#include "libompdsm/src/VariableExtents.h"
#include "libompdsm/include/ompdsm/abi.h"
#include <array>
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

using List = std::array<std::uint64_t, 12>; // Address, bytes, name, address, bytes, name, ...

LoadedImage imageWith(const List &list) {
  ImageNote note;
  note.abiVersion = OMPDSM_ABI_VERSION;
  const auto begin = reinterpret_cast<Address>(list.data());
  note.variables = {begin, begin + sizeof list};
  return {"/bin/program", {0x10000, 0x90000}, "ab", note};
}

void expectRange(AddressRange range, Address begin, Address end) {
  EXPECT_EQ(range.begin, begin);
  EXPECT_EQ(range.end, end);
}

TEST(VariableExtents, eachAddressHasItsVariable) {
  const List one{0, 0, 0, 0x5000, 0x100, 0, 0x2000, 8, 0, 0x2010, 0x20, 0}, other{0x9000, 1};
  const VariableExtents extents(
      {imageWith(one), {"/lib/libc.so.6", {0, 1}, "", std::nullopt}, imageWith(other)});
  expectRange(extents.find(0x2000), 0x2000, 0x2008);
  expectRange(extents.find(0x2007), 0x2000, 0x2008);
  expectRange(extents.find(0x202f), 0x2010, 0x2030);
  expectRange(extents.find(0x50ff), 0x5000, 0x5100);
  expectRange(extents.find(0x9000), 0x9000, 0x9001);
  for (Address outside : {0x0, 0x1fff, 0x2008, 0x200f, 0x2030, 0x5100, 0x9001})
    EXPECT_EQ(extents.find(outside).bytes(), 0u) << std::hex << outside;
}

TEST(VariableExtents, ofSeveralDefinitionsTheLargestCounts) {
  const List list{0x2000, 8, 0, 0x2000, 64, 0, 0x2000, 16, 0};
  expectRange(VariableExtents({imageWith(list)}).find(0x2030), 0x2000, 0x2040);
}

TEST(VariableExtents, variablesHaveNames) {
  const char *const name = "counts";
  const List list{0x2000, 8, reinterpret_cast<std::uintptr_t>(name), 0x3000, 8, 0};
  const VariableExtents extents({imageWith(list)});
  ASSERT_EQ(extents.in({0x2000, 0x3001}).size(), 2u);
  EXPECT_STREQ(extents.in({0x2004, 0x2005}).front().name, name);
  EXPECT_EQ(extents.in({0x2008, 0x3001}).front().name, nullptr);
  EXPECT_TRUE(extents.in({0x2008, 0x3000}).empty());
  EXPECT_TRUE(extents.in({0x1000, 0x2000}).empty());
}

TEST(VariableExtents, withoutListsNothingIsKnown) {
  EXPECT_EQ(VariableExtents().find(0x2000).bytes(), 0u);
}

} // namespace
