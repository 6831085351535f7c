// SilentStoresTest.cpp: a home moves to who stores to its blocks, even if that changes nothing.
#include "protocol/engine/SilentStores.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kPage = kPageBytes;

ClusterOptions migratable() { return Trio::migratablePages(4); }

/// What is there already.
void storeSame(NodeThread &thread, Address begin) {
  for (std::size_t at = 0; at < kPage; at += 8)
    thread.write<std::uint64_t>(begin + at, at);
}

TEST(SilentStores, MoveThePageOfAnotherHome) {
  Trio trio(migratable());
  storeSame(trio.home, trio.at(kPage));
  trio.barrier();
  for (int epoch = 0; epoch < 6; ++epoch) {
    storeSame(trio.one, trio.at(kPage));
    trio.barrier();
  }
  for (NodeId node = 0; node < 3; ++node) {
    EXPECT_EQ(trio.cluster.engine(node).homeOf(trio.at(kPage)), 1);
    EXPECT_EQ(trio.cluster.engine(node).homeOf(trio.at(0)), 0);
  }
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Put), 0u);
  // Which then has nothing to compare, and no misses.
  const std::uint64_t misses = trio.cluster.engine(1).statistics().writeMisses;
  storeSame(trio.one, trio.at(kPage));
  trio.barrier();
  EXPECT_EQ(trio.cluster.engine(1).statistics().writeMisses, misses);
  for (std::size_t at = 0; at < kPage; at += 8)
    ASSERT_EQ(trio.two.read<std::uint64_t>(trio.at(kPage) + at), at);
}

TEST(SilentStores, MoveNothingThatAnotherNodeChangesMeanwhile) {
  Trio trio(migratable());
  storeSame(trio.home, trio.at(kPage));
  trio.barrier();
  for (std::uint64_t epoch = 0; epoch < 10; ++epoch) {
    trio.one.write<std::uint64_t>(trio.at(kPage), 0);
    trio.home.write<std::uint64_t>(trio.at(kPage + 8), 100 + epoch);
    trio.barrier();
  }
  EXPECT_EQ(trio.cluster.engine(1).homeOf(trio.at(kPage)), 0);
}

TEST(SilentStores, AreNotToldWhereHomesStay) {
  ClusterOptions options = migratable();
  options.homePatience = 0;
  Trio trio(options);
  storeSame(trio.home, trio.at(kPage));
  trio.barrier();
  for (int epoch = 0; epoch < 6; ++epoch) {
    storeSame(trio.one, trio.at(kPage));
    trio.barrier();
  }
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::SilentStores), 0u);
  EXPECT_EQ(trio.cluster.engine(1).homeOf(trio.at(kPage)), 0);
}

TEST(SilentStores, OfTheHomeKeepThePageThere) {
  Trio trio(migratable());
  storeSame(trio.home, trio.at(kPage));
  trio.barrier();
  for (int epoch = 0; epoch < 10; ++epoch) {
    trio.one.write<std::uint64_t>(trio.at(kPage), 0);
    trio.home.write<std::uint64_t>(trio.at(kPage + 8), 8);
    trio.barrier();
  }
  EXPECT_GT(trio.cluster.sent(1, MessageKind::SilentStores), 0u);
  EXPECT_EQ(trio.cluster.engine(1).homeOf(trio.at(kPage)), 0);
}

TEST(SilentStores, BeginAnewBehindAChange) {
  SilentStores stores;
  for (int time = 0; time < 20; ++time) {
    stores.onUnchanged(kPage);
    stores.onUnchanged(2 * kPage);
    if (time % 2)
      stores.onChanged(kPage);
    for (const Address unit : stores.takeNotices())
      EXPECT_EQ(unit, 2 * kPage);
  }
}

TEST(SilentStores, AreToldInARowAndThenMoreRarely) {
  SilentStores stores;
  std::vector<int> told;
  for (int time = 1; time <= 40; ++time) {
    for (const Address unit : {2 * kPage, kPage, 2 * kPage})
      stores.onUnchanged(unit);
    const std::vector<Address> units = stores.takeNotices();
    if (!units.empty()) {
      EXPECT_EQ(units, (std::vector<Address>{kPage, 2 * kPage}));
      told.push_back(time);
    }
  }
  EXPECT_EQ(told, (std::vector{3, 4, 5, 6, 8, 16, 32}));
}

TEST(SilentStores, AreBoundedBetweenTwoBarriers) {
  SilentStores stores;
  for (int time = 0; time < 3; ++time) {
    for (std::size_t unit = 0; unit < 2 * SilentStores::kMostUnits; ++unit)
      stores.onUnchanged(unit * kPage);
    EXPECT_LE(stores.takeNotices().size(), SilentStores::kMostUnits);
  }
}

} // namespace
} // namespace ompdsm::test
