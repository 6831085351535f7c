// HeapArenaTest.cpp: an arena over memory that nobody may touch. Were the allocator to write or
// read a byte of it, the test would end with a segmentation fault.
#include "libompdsm/src/HeapArena.h"
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sys/mman.h>

using namespace ompdsm;

namespace {

constexpr std::size_t kRangeBytes = std::size_t(1) << 30;
constexpr int kNone = HeapArena::kNoCache;

/// jemalloc keeps the arena for ever, so the objects must never go away.
HeapArena &makeArena(AddressRange &range) {
  void *p =
      mmap(nullptr, kRangeBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(p, MAP_FAILED);
  range = {reinterpret_cast<Address>(p), reinterpret_cast<Address>(p) + kRangeBytes};
  return *new HeapArena(range);
}

TEST(HeapArena, neverTouchesTheMemoryItManages) {
  AddressRange range;
  HeapArena &arena = makeArena(range);
  unsigned cacheIndex = 0;
  std::size_t bytes = sizeof cacheIndex;
  ASSERT_EQ(mallctl("tcache.create", &cacheIndex, &bytes, nullptr, 0), 0);
  std::mt19937 random(1);
  std::vector<void *> live;
  for (int step = 0; step < 200'000; ++step) {
    const int cache = step % 2 ? kNone : int(MALLOCX_TCACHE(cacheIndex));
    if (live.size() > 2000 || (!live.empty() && random() % 3 == 0)) {
      const std::size_t victim = random() % live.size();
      if (random() % 4 == 0)
        arena.resizeInPlace(live[victim], 1 + random() % 100'000);
      arena.deallocate(live[victim], cache);
      live[victim] = live.back();
      live.pop_back();
    } else {
      const std::size_t wanted = 1 + random() % (random() % 8 ? 500 : 60'000);
      const std::size_t alignment = std::size_t(16) << random() % 4;
      void *p = arena.allocate(wanted, alignment, cache);
      ASSERT_NE(p, nullptr);
      const Address address = reinterpret_cast<Address>(p);
      ASSERT_EQ(address % alignment, 0u);
      ASSERT_TRUE(range.contains(address) && range.contains(address + wanted - 1));
      ASSERT_GE(arena.usableBytes(p), wanted);
      live.push_back(p);
    }
  }
  ASSERT_EQ(mallctl("tcache.destroy", nullptr, nullptr, &cacheIndex, sizeof cacheIndex), 0);
}

TEST(HeapArena, freedNeighboursBecomeOneExtent) {
  AddressRange range;
  HeapArena &arena = makeArena(range);
  // Three quarters of the range, freed in pieces and wanted again in one.
  std::vector<void *> pieces;
  for (int i = 0; i < 24; ++i)
    pieces.push_back(arena.allocate(32 << 20, 16, kNone));
  for (void *p : pieces) {
    ASSERT_NE(p, nullptr);
    arena.deallocate(p, kNone);
  }
  EXPECT_NE(arena.allocate(std::size_t(700) << 20, 16, kNone), nullptr);
}

TEST(HeapArena, whatHasPagesOfItsOwnBeginsAtOne) {
  AddressRange range;
  HeapArena &arena = makeArena(range);
  for (const std::size_t bytes : {16u << 10, 17000u, 100000u, 1u << 20})
    for (unsigned i = 0; i < 8; ++i)
      EXPECT_EQ(reinterpret_cast<Address>(arena.allocate(bytes, 16, kNone)) % 4096, 0u) << bytes;
}

TEST(HeapArena, aUsedUpRangeAnswersNull) {
  AddressRange range;
  HeapArena &arena = makeArena(range);
  EXPECT_EQ(arena.allocate(kRangeBytes * 2, 16, kNone), nullptr);
  EXPECT_EQ(arena.allocate(SIZE_MAX / 2, 16, kNone), nullptr);
  void *large = arena.allocate(kRangeBytes / 8 * 7, 16, kNone);
  ASSERT_NE(large, nullptr);
  EXPECT_EQ(arena.allocate(kRangeBytes / 4, 16, kNone), nullptr);
  arena.deallocate(large, kNone);
  EXPECT_NE(arena.allocate(kRangeBytes / 4, 16, kNone), nullptr);
}

TEST(HeapArena, memoryIsFreshOnlyTheFirstTime) {
  AddressRange range;
  HeapArena &arena = makeArena(range);
  const auto *p = reinterpret_cast<const char *>(range.begin);
  EXPECT_TRUE(arena.noteGiven(p, 100));
  EXPECT_FALSE(arena.noteGiven(p, 100));
  EXPECT_FALSE(arena.noteGiven(p + 64, 100)) << "only in part";
  EXPECT_TRUE(arena.noteGiven(p + 1000, 10));
  EXPECT_FALSE(arena.noteGiven(p + 500, 10)) << "below what was given may have been used";
}

} // namespace
