// EvictionTest.cpp: what a node does that may keep only so much of other nodes' memory.
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kPage = 4096, kPages = 64, kLimitPages = 8;

ClusterOptions limited(unsigned nodes = 2, std::uint8_t blockShift = 8) {
  ClusterOptions options;
  options.nodes = nodes;
  options.areas = {{0, kPages * kPage, 0, blockShift}};
  options.prefetchBlocks = 0;
  options.cacheLimitBytes = kLimitPages * kPage;
  return options;
}
int valueOf(std::size_t page) { return int(page) + 1; }

/// Node 0 has written a value to each page, node 1 reads some of them.
struct Swept {
  explicit Swept(std::uint8_t blockShift = 8)
      : cluster(limited(2, blockShift)), home(cluster, 0), one(cluster, 1) {
    for (std::size_t page = 0; page < kPages; ++page)
      home.write<int>(at(page), valueOf(page));
    home.release();
  }
  Address at(std::size_t page) const { return cluster.at(0, page * kPage); }
  void read(std::size_t page) { EXPECT_EQ(one.read<int>(at(page)), valueOf(page)); }
  void readAll(bool synchronises) {
    for (std::size_t page = 0; page < kPages; ++page) {
      read(page);
      if (synchronises)
        one.syncPoint();
    }
  }
  bool isDropped(std::size_t page) const {
    return *reinterpret_cast<int *>(cluster.memory(1, at(page))) == 0;
  }
  std::size_t dropped() const {
    std::size_t count = 0;
    for (std::size_t page = 0; page < kPages; ++page)
      count += isDropped(page);
    return count;
  }

  Cluster cluster;
  NodeThread home, one;
};

TEST(Eviction, ASweepKeepsToTheLimit) {
  Swept test;
  test.readAll(true);
  test.readAll(true);
  EXPECT_GE(test.dropped(), kPages - kLimitPages);
  EXPECT_LE(test.cluster.statistics(1).cachedBytesPeak, (kLimitPages + 1) * kPage);
  EXPECT_GE(test.cluster.statistics(1).pagesEvicted, 2 * (kPages - kLimitPages));
}

TEST(Eviction, WithoutALimitNothingGoes) {
  ClusterOptions options = limited();
  options.cacheLimitBytes = 0;
  Cluster cluster(options);
  NodeThread one(cluster, 1);
  for (std::size_t page = 0; page < kPages; ++page)
    one.read<int>(cluster.at(0, page * kPage));
  one.release();
  EXPECT_EQ(cluster.statistics(1).pagesEvicted, 0u);
  EXPECT_EQ(cluster.sent(1, MessageKind::Leave), 0u);
}

TEST(Eviction, MemoryUnderAPermissionStays) {
  Swept test;
  test.readAll(false);
  EXPECT_EQ(test.dropped(), 0u);
  for (std::size_t page = 0; page < kPages; ++page)
    EXPECT_EQ(test.one.peek<int>(test.at(page)), valueOf(page));
  EXPECT_GE(test.cluster.statistics(1).cachedBytesPeak, kPages * kPage) << "and is told";
  test.one.syncPoint();
  EXPECT_GE(test.dropped(), kPages - kLimitPages);
}

TEST(Eviction, MemoryThatAnotherThreadMayReadStays) {
  Swept test;
  NodeThread reader(test.cluster, 1);
  EXPECT_EQ(reader.read<int>(test.at(0)), valueOf(0));
  test.readAll(true);
  EXPECT_EQ(reader.peek<int>(test.at(0)), valueOf(0));
  EXPECT_EQ(test.dropped(), 0u);
  reader.syncPoint();   // what was given up goes, and all else that is too much is given up
  test.one.syncPoint(); // and goes
  EXPECT_GE(test.dropped(), kPages - kLimitPages);
}

TEST(Eviction, MemoryThatIsFetchedAgainWhileItWaitsStays) {
  Swept test;
  NodeThread reader(test.cluster, 1);
  EXPECT_EQ(reader.read<int>(test.at(kPages - 1)), valueOf(kPages - 1)); // holds all up
  test.readAll(true);
  ASSERT_EQ(test.cluster.stateAt(1, test.at(0)), BlockState::Invalid);
  test.read(0);
  reader.syncPoint();
  EXPECT_EQ(test.one.peek<int>(test.at(0)), valueOf(0));
}

TEST(Eviction, ChangesGoHomeBeforeTheirCopy) {
  Swept test;
  for (std::size_t page = 0; page < kPages; ++page) {
    test.one.write<int>(test.at(page) + 8, -valueOf(page));
    test.one.syncPoint(); // no release
  }
  EXPECT_LE(test.cluster.statistics(1).cachedBytesPeak, (kLimitPages + 1) * kPage);
  test.one.release();
  test.home.syncPoint();
  for (std::size_t page = 0; page < kPages; ++page) {
    EXPECT_EQ(test.home.read<int>(test.at(page) + 8), -valueOf(page));
    EXPECT_EQ(test.home.read<int>(test.at(page)), valueOf(page));
  }
}

TEST(Eviction, WhatIsOverwrittenWholeLeavesBeforeItsMemory) {
  Swept test(11); // such blocks are sent from where they are
  for (std::size_t page = 0; page < kPages; ++page) {
    test.one.check(test.at(page), kPage, Access::Overwrite);
    std::memset(test.cluster.memory(1, test.at(page)), valueOf(page), kPage);
    test.one.syncPoint(); // no release
  }
  EXPECT_GE(test.dropped(), kPages - kLimitPages - 1);
  test.one.release();
  test.home.syncPoint();
  for (std::size_t page = 0; page < kPages; ++page)
    EXPECT_EQ(test.home.read<char>(test.at(page) + kPage - 1), valueOf(page)) << page;
}

TEST(Eviction, AHomeForgetsWhoHasGivenUp) {
  Swept test;
  test.readAll(true);
  test.home.release();
  const std::uint64_t before = test.cluster.statistics(0).invalidations;
  // The answer to the last page's fetch came after all that node 1 has sent before.
  test.home.write<int>(test.at(0), 7);
  test.home.release();
  EXPECT_EQ(test.cluster.statistics(0).invalidations, before);
  EXPECT_EQ(test.cluster.stateAt(0, test.at(0)), BlockState::Exclusive);
  EXPECT_EQ(test.one.read<int>(test.at(0)), 7);
}

TEST(Eviction, WhatIsFetchedAgainGetsASecondChance) {
  Swept test;
  for (std::size_t page = 0; page < kPages; ++page) {
    test.read(page);
    test.home.write<int>(test.at(0), valueOf(0)); // node 1 will read it again
    test.home.write<int>(test.at(0) + 4, int(page));
    test.home.release();
    test.one.syncPoint();
    test.read(0);
  }
  EXPECT_FALSE(test.isDropped(0));
  EXPECT_TRUE(test.isDropped(1));
}

TEST(Eviction, APageWhoseHomeComesHereIsNoCopy) {
  ClusterOptions options = limited();
  options.areas[0].migratable = true;
  Duo duo(options);
  for (std::size_t first = 0; first < kPages; first += kLimitPages) {
    for (std::size_t page = first; page < first + kLimitPages; ++page)
      for (std::size_t at = 0; at < kPage; at += 256)
        duo.one.write<int>(duo.at(page * kPage + at), valueOf(page));
    duo.barrier();
  }
  EXPECT_EQ(duo.cluster.statistics(0).pagesMigrated, kPages);
  EXPECT_EQ(duo.cluster.statistics(1).pagesEvicted, 0u);
  EXPECT_GE(duo.cluster.statistics(0).pagesEvicted, kPages - kLimitPages)
      << "what node 0 had of them";
  for (std::size_t page = 0; page < kPages; ++page)
    EXPECT_EQ(duo.home.read<int>(duo.at(page * kPage)), valueOf(page));
}

} // namespace
} // namespace ompdsm::test
