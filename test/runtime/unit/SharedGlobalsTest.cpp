// SharedGlobalsTest.cpp: image notes as they may come from the linker.
#include "libompdsm/src/SharedGlobals.h"
#include "libompdsm/include/ompdsm/abi.h"
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

LoadedImage imageWith(ImageNote note) { return {"/bin/program", {0x10000, 0x90000}, "ab", note}; }

ImageNote noteWith(AddressRange small, AddressRange large) {
  ImageNote note;
  note.abiVersion = OMPDSM_ABI_VERSION;
  note.sections[0] = small;
  note.sections[3] = large;
  return note;
}

TEST(SharedGlobals, theSectionsOfAllImagesAreFound) {
  std::vector<GlobalRange> ranges;
  ASSERT_TRUE(findSharedGlobals({imageWith(noteWith({0x555555511000, 0x555555513000},
                                                    {0x555555520000, 0x555555530000})),
                                 {"/lib/libc.so.6", {0, 1}, "", std::nullopt},
                                 imageWith(noteWith({0x555555551000, 0x555555552000}, {}))},
                                ranges)
                  .isOk());
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].range.begin, 0x555555511000u);
  EXPECT_FALSE(ranges[0].large);
  EXPECT_TRUE(ranges[1].large);
  EXPECT_EQ(ranges[2].range.end, 0x555555552000u);
}

TEST(SharedGlobals, largeVariablesOfAnExecutableAtLowAddressesAreRefused) {
  std::vector<GlobalRange> ranges;
  const auto statusOf = [&](Address end) {
    return findSharedGlobals({imageWith(noteWith({0x404000, 0x406000}, {0x410000, end}))}, ranges);
  };
  EXPECT_TRUE(statusOf(0x4000000).isOk());
  const Status status = statusOf(0x8000000 + 0x8000000);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("at 0x404000-0x10000000, are too large"), std::string::npos)
      << status.message();
}

TEST(SharedGlobals, anotherInterfaceVersionIsRefused) {
  ImageNote note;
  note.abiVersion = OMPDSM_ABI_VERSION + 1;
  std::vector<GlobalRange> ranges;
  const Status status = findSharedGlobals({imageWith(note)}, ranges);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("compile and link it again"), std::string::npos);
}

TEST(SharedGlobals, aSectionThatSharesItsLastPageIsRefused) {
  std::vector<GlobalRange> ranges;
  const Status status = findSharedGlobals({imageWith(noteWith({0x11000, 0x12010}, {}))}, ranges);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("ompdsm_data"), std::string::npos);
  EXPECT_NE(status.message().find("put -lompdsm after them"), std::string::npos);
  EXPECT_TRUE(ranges.empty());
}

TEST(SharedGlobals, largeObjectsMayChangeHomeAndSmallOnesMayNot) {
  AddressMap map;
  // On node 0, where no state byte has to be written.
  shareGlobals({{{0x11000, 0x13000}, false}, {{0x20000, 0x30000}, true}}, 0, {}, map);
  map.seal();
  ASSERT_EQ(map.areas().size(), 2u);
  EXPECT_FALSE(map.find(0x11000)->migratable);
  EXPECT_EQ(map.find(0x12fff)->blockBytes(), 256u);
  EXPECT_TRUE(map.find(0x20000)->migratable);
  EXPECT_EQ(map.find(0x20000)->blockBytes(), 2048u);
  EXPECT_EQ(map.find(0x13000), nullptr);
}

TEST(Images, thisProgramIsTheFirstAndHasNoNote) {
  const std::vector<LoadedImage> images = loadedImages();
  ASSERT_GT(images.size(), 2u);
  EXPECT_NE(images[0].name.find("ompdsm-runtime-units"), std::string::npos);
  EXPECT_FALSE(images[0].note);
  EXPECT_TRUE(images[0].range.contains(reinterpret_cast<Address>(&imageRangeAround)));
  const AddressRange own = imageRangeAround(reinterpret_cast<const void *>(&imageRangeAround));
  EXPECT_EQ(own.begin, images[0].range.begin);
  int local = 0;
  EXPECT_EQ(imageRangeAround(&local).bytes(), 0u);
}

} // namespace
