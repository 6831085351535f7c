// OffersTest.cpp: a home gives a page to who alone changes it, also where that reads nothing of it.
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kPage = kPageBytes;

ClusterOptions migratable() { return Trio::migratablePages(4); }

/// All of it but what node 1 will change is there from the start.
void fill(Trio &trio) {
  for (std::size_t at = 0; at < kPage; at += 8)
    trio.home.write<std::uint64_t>(trio.at(kPage + at), at);
  trio.barrier();
}

/// As a column of a matrix by rows, or a number further in each interval.
TEST(Offers, APageMovesToWhoChangesOneOfItsBlocks) {
  Trio trio(migratable());
  fill(trio);
  std::uint64_t epoch = 0;
  for (; epoch < 20; ++epoch) {
    trio.one.write<std::uint64_t>(trio.at(kPage), 1000 + epoch);
    trio.barrier();
  }
  EXPECT_EQ(trio.cluster.engine(0).homeOf(trio.at(kPage)), 1);
  EXPECT_EQ(trio.cluster.sent(0, MessageKind::Offer), 1u);
  // Which has no changes to send then, and nothing to compare.
  const std::uint64_t puts = trio.cluster.sent(1, MessageKind::Put);
  const std::uint64_t twins = trio.cluster.statistics(1).twins;
  trio.one.write<std::uint64_t>(trio.at(kPage), 1000 + epoch);
  trio.barrier();
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::Put), puts);
  EXPECT_EQ(trio.cluster.statistics(1).twins, twins);
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(kPage)), 1000 + epoch);
  for (std::size_t at = 8; at < kPage; at += 8)
    ASSERT_EQ(trio.two.read<std::uint64_t>(trio.at(kPage + at)), at);
}

TEST(Offers, NothingIsOfferedThatTwoNodesChange) {
  Trio trio(migratable());
  fill(trio);
  for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
    trio.one.write<std::uint64_t>(trio.at(kPage), 5000 + epoch);
    trio.two.write<std::uint64_t>(trio.at(kPage + 1024), 5000 + epoch);
    trio.barrier();
  }
  EXPECT_EQ(trio.cluster.engine(1).homeOf(trio.at(kPage)), 0);
  EXPECT_EQ(trio.cluster.sent(0, MessageKind::Offer), 0u);
}

/// What the home changes while nobody shares it is not known: the page may move, but not on and on.
TEST(Offers, AreRareWhereTheHomeChangesTheRest) {
  Trio trio(migratable());
  fill(trio);
  for (std::uint64_t epoch = 0; epoch < 40; ++epoch) {
    trio.one.write<std::uint64_t>(trio.at(kPage), epoch);
    trio.home.write<std::uint64_t>(trio.at(kPage + 1024), epoch);
    trio.barrier();
  }
  EXPECT_LE(trio.cluster.sent(0, MessageKind::Offer) + trio.cluster.sent(1, MessageKind::Offer),
            8u);
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(kPage)), 39u);
  EXPECT_EQ(trio.two.read<std::uint64_t>(trio.at(kPage + 1024)), 39u);
}

} // namespace
} // namespace ompdsm::test
