// OrdersTest.cpp: what a node will read behind a site the next time, it orders with its arrival,
// and the home sends it with its own: nobody asks for anything behind the barrier.
#include "protocol/engine/OrderedRuns.h"
#include "test/unit/Appearances.h"
#include "test/unit/FetchCounts.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr SiteId kSite = 1, kOther = 2;
constexpr Address kBase = Address(1) << 32;
constexpr std::size_t kBlock = 2048, kPanel = 16 * kBlock;

std::vector<NodeId> nodesOf(const std::vector<OrderedRuns::Order> &orders) {
  std::vector<NodeId> nodes;
  for (const OrderedRuns::Order &order : orders)
    nodes.push_back(order.node);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

TEST(OrderedRuns, AreTakenOnceAtTheirSiteAndNotByWhoComesThereInTheSameBarrier) {
  OrderedRuns orders;
  const AddressRun run{kBase, kBase + kPanel};
  orders.add(kSite, {run, /*node=*/1, /*epoch=*/7});
  orders.add(kSite, {run, 2, 8});
  orders.add(kOther, {run, 3, 7});
  EXPECT_EQ(nodesOf(orders.takeAt(kSite, 7)), std::vector<NodeId>{}) << "both for a later visit";
  EXPECT_EQ(nodesOf(orders.takeAt(kSite, 8)), std::vector<NodeId>{1});
  EXPECT_EQ(nodesOf(orders.takeAt(kSite, 9)), std::vector<NodeId>{2});
  EXPECT_EQ(nodesOf(orders.takeAt(kSite, 10)), std::vector<NodeId>{});
  EXPECT_EQ(nodesOf(orders.takeAt(kOther, 10)), std::vector<NodeId>{3});
}

TEST(OrderedRuns, AreBounded) {
  OrderedRuns orders;
  for (SiteId site = 1; site <= OrderedRuns::kMostSites + 1; ++site)
    for (std::size_t i = 0; i <= OrderedRuns::kMostRuns; ++i)
      orders.add(site, {{kBase, kBase + kPanel}, 1, 0});
  EXPECT_EQ(orders.takeAt(1, 1).size(), OrderedRuns::kMostRuns);
  EXPECT_EQ(orders.takeAt(OrderedRuns::kMostSites + 1, 1).size(), 0u);
}

// On nodes:

constexpr std::size_t kPanels = 30;

ClusterOptions options(unsigned nodes = 2, std::uint8_t blockShift = 11) {
  ClusterOptions options;
  options.nodes = nodes;
  options.areas = {{0, kPanels * kPanel, 0, blockShift}};
  options.homePatience = 0;
  options.prefetchBlocks = 0;
  return options;
}

/// Node 0 makes panel after panel, and the others read each behind the barrier: the first number,
/// and then all of it.
template <class Nodes> void makePanel(Nodes &nodes, unsigned k) {
  for (std::size_t at = 0; at < kPanel; at += 64)
    nodes.home.template write<int>(nodes.at(k * kPanel + at), int(k + at));
}
template <class Nodes> void readPanel(Nodes &nodes, NodeThread &reader, unsigned k) {
  const std::size_t begin = k * kPanel;
  EXPECT_EQ(reader.read<int>(nodes.at(begin)), int(k));
  reader.check(nodes.at(begin), kPanel, Access::Read);
  for (std::size_t at = 0; at < kPanel; at += 64)
    EXPECT_EQ(reader.peek<int>(nodes.at(begin + at)), int(k + at));
}
void makeAndRead(Duo &duo, unsigned from, unsigned to) {
  for (unsigned k = from; k < to; ++k) {
    makePanel(duo, k);
    duo.barrier(kSite);
    readPanel(duo, duo.one, k);
  }
}

TEST(Orders, ThePanelOfTheNextStepComesWithTheArrivalOfItsHome) {
  Duo duo(options());
  makeAndRead(duo, 0, kPanels);
  const FetchCounts counts(duo);
  EXPECT_EQ(counts.fetched, 5 * 16u);
  EXPECT_EQ(counts.gets, 3 * 2u);
  EXPECT_EQ(counts.asks, 2u) << "the first one proves it";
  EXPECT_EQ(duo.cluster.statistics(0).blocksSupplied, (kPanels - 5) * 16);
  EXPECT_EQ(duo.cluster.statistics(0).twins, 0u) << "none is sent before it is done";
  // Nothing is behind the last one.
  EXPECT_EQ(duo.cluster.sent(1, MessageKind::Order), kPanels - 5);
}

TEST(Orders, WithoutPushesItIsAskedFor) {
  ClusterOptions without = options();
  without.pushUpdates = false;
  Duo duo(without);
  makeAndRead(duo, 0, kPanels);
  EXPECT_EQ(duo.cluster.sent(1, MessageKind::Order), 0u);
  EXPECT_EQ(FetchCounts(duo).asks, kPanels - 3);
}

TEST(Orders, WhatTheHomeCannotSendIsAskedForBehindTheBarrier) {
  // A block of 64 KiB fits into no Update.
  ClusterOptions large = options(2, 16);
  large.areas = {{0, 24 * 2 * 65536, 0, 16}};
  Duo duo(large);
  for (unsigned k = 0; k < 24; ++k) {
    const Address begin = duo.at(k * 2 * 65536);
    duo.home.write<int>(begin, int(k));
    duo.home.write<int>(begin + 65536, int(k));
    duo.barrier(kSite);
    EXPECT_EQ(duo.one.read<int>(begin), int(k));
    EXPECT_EQ(duo.one.read<int>(begin + 65536), int(k));
  }
  EXPECT_EQ(duo.cluster.statistics(0).blocksSupplied, 0u);
  EXPECT_EQ(duo.cluster.sent(1, MessageKind::Order), 0u);
  EXPECT_EQ(FetchCounts(duo).fetched, 2 * 24u);
  EXPECT_EQ(FetchCounts(duo).asks, 24u - 3);
}

TEST(Orders, WhatIsReadBeforeItComesIsFetched) {
  Duo duo(options());
  makeAndRead(duo, 0, 10);
  // Panel 10 is ordered. The home makes it, node 1 looks at what is there now, and the rest comes.
  const FetchCounts before(duo);
  EXPECT_EQ(duo.one.read<int>(duo.at(10 * kPanel)), 0);
  EXPECT_EQ(FetchCounts(duo).fetched - before.fetched, 1u);
  makeAndRead(duo, 10, 14);
  EXPECT_EQ(FetchCounts(duo).gets - before.gets, 1u);
}

TEST(Orders, WhoStopsReadingIsSentNoMore) {
  Duo duo(options());
  makeAndRead(duo, 0, 8);
  const std::uint64_t before = duo.cluster.statistics(0).blocksSupplied;
  for (unsigned k = 8; k < kPanels; ++k) {
    makePanel(duo, k);
    duo.barrier(kSite);
  }
  EXPECT_LE(duo.cluster.statistics(0).blocksSupplied - before, 4 * 16u);
  EXPECT_GE(FetchCounts(duo).unread, 1u);
}

TEST(Orders, ACopyThatEndsWhereItsBlockIsSentEndsBefore) {
  ClusterOptions invalidating = options();
  invalidating.pushFirst = false;
  Duo duo(invalidating);
  makeAndRead(duo, 0, 10);
  // Node 1 fetches a block that it has ordered, and the home changes it: it says so as it arrives.
  EXPECT_EQ(duo.one.read<int>(duo.at(10 * kPanel + 5 * kBlock)), 0);
  const FetchCounts before(duo);
  makeAndRead(duo, 10, 11);
  EXPECT_EQ(duo.cluster.statistics(0).invalidations, 1u);
  EXPECT_EQ(FetchCounts(duo).fetched, before.fetched);
}

/// All three nodes come to the site.
void barrier(Trio &trio) {
  std::thread a([&] { trio.one.engineBarrier(kSite); }), b([&] { trio.two.engineBarrier(kSite); });
  trio.home.engineBarrier(kSite);
  a.join();
  b.join();
}

TEST(Orders, SeveralReadersGetTheSame) {
  Trio trio(options(3));
  for (unsigned k = 0; k < kPanels; ++k) {
    makePanel(trio, k);
    barrier(trio);
    readPanel(trio, trio.one, k);
    readPanel(trio, trio.two, k);
  }
  EXPECT_EQ(trio.cluster.statistics(0).blocksSupplied, 2 * 16 * (kPanels - 5));
  EXPECT_EQ(trio.cluster.statistics(1).blocksFetched, 5 * 16u);
  EXPECT_EQ(trio.cluster.statistics(2).blocksFetched, 5 * 16u);
}

/// Whether the pages of all panels have appeared as they are at home.
template <class Nodes> void expectPages(Nodes &nodes, const Appearances &pages) {
  for (Address page = nodes.at(0); page < nodes.at(kPanels * kPanel); page += kPageBytes) {
    ASSERT_TRUE(pages.pages.contains(page));
    EXPECT_EQ(std::memcmp(pages.pages.at(page).data(), nodes.cluster.memory(0, page), kPageBytes),
              0);
  }
}

TEST(Orders, AbsentPagesAppearWithAllThatHasCome) {
  Duo duo(options());
  Appearances pages;
  duo.cluster.engine(1).setPageSupplier(&pages);
  makeAndRead(duo, 0, kPanels);
  EXPECT_EQ(duo.cluster.statistics(0).blocksSupplied, 16 * (kPanels - 5));
  EXPECT_EQ(FetchCounts(duo).fetched, 5 * 16u);
  expectPages(duo, pages);
}

TEST(Orders, AbsentPagesOfWhichAPartIsMissingAreFetched) {
  Trio trio(options(3));
  Appearances pages;
  trio.cluster.engine(1).setPageSupplier(&pages);
  // Block 5 of each panel is pushed to node 2, and is not sent to who has no copy.
  const auto sharedBlock = [&](unsigned k) { return trio.at(k * kPanel + 5 * kBlock); };
  for (unsigned k = 0; k < kPanels; ++k)
    EXPECT_EQ(trio.two.read<int>(sharedBlock(k)), 0);
  for (unsigned k = 0; k < kPanels; ++k) {
    makePanel(trio, k);
    barrier(trio);
    readPanel(trio, trio.one, k);
    EXPECT_EQ(trio.two.read<int>(sharedBlock(k)), int(k + 5 * kBlock));
  }
  EXPECT_EQ(trio.cluster.statistics(0).blocksSupplied, 15 * (kPanels - 5));
  EXPECT_EQ(trio.cluster.statistics(1).blocksFetched, 5 * 16u + 2 * (kPanels - 5))
      << "two blocks have a page";
  expectPages(trio, pages);
}

} // namespace
} // namespace ompdsm::test
