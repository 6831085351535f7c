// SoleSharerTest.cpp: barriers end with the arrivals where all that was put was to blocks of which
// there is no other sharer (core/BarrierRules.h).
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

/// The home and node 1 write a block in each interval, each its own part, and read the other's
/// after the next barrier.
template <class Nodes> struct Border {
  explicit Border(const ClusterOptions &options) : nodes(options) {}
  void interval() {
    ++value;
    nodes.home.template write<int>(nodes.at(0), value);
    nodes.one.template write<int>(nodes.at(8), -value);
    nodes.barrier();
    EXPECT_EQ(nodes.one.template read<int>(nodes.at(0)), value);
    EXPECT_EQ(nodes.home.template read<int>(nodes.at(8)), -value);
    nodes.barrier();
  }
  /// Until node 1 is sent what the home writes.
  void begin() {
    for (int count = 0; count < 6; ++count)
      interval();
  }
  /// How many second halves some intervals have.
  std::uint64_t secondHalves(int intervals) {
    const std::uint64_t before = nodes.cluster.sent(1, MessageKind::BarrierDone);
    for (; intervals != 0; --intervals)
      interval();
    return nodes.cluster.sent(1, MessageKind::BarrierDone) - before;
  }
  Nodes nodes;
  int value = 0;
};

TEST(SoleSharer, ABarrierBetweenTwoWritersOfABlockHasNoSecondHalf) {
  Border<Duo> border({});
  border.begin();
  EXPECT_EQ(border.secondHalves(5), 0U);
}

TEST(SoleSharer, ABarrierOfThreeNodesOfWhichTwoWriteABlockHasNoSecondHalf) {
  Border<Trio> border(Trio::threeNodes());
  border.begin();
  EXPECT_EQ(border.secondHalves(5), 0U);
}

TEST(SoleSharer, WhoWritesABlockAloneHearsThatNoOtherSharesIt) {
  Trio trio;
  const auto interval = [&](int value) {
    trio.one.write<int>(trio.at(0), value);
    trio.barrier();
    EXPECT_EQ(trio.home.read<int>(trio.at(0)), value);
    trio.barrier();
  };
  const auto dones = [&] { return trio.cluster.sent(1, MessageKind::BarrierDone); };
  int value = 0;
  while (value < 4)
    interval(++value);
  const std::uint64_t before = dones();
  while (value < 10)
    interval(++value);
  EXPECT_EQ(dones(), before);
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), value);
  trio.barrier();
  interval(++value);
  EXPECT_GT(dones(), before) << "node 2 shares it now";
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), value);
}

TEST(SoleSharer, ABlockThatTwoNodesWriteMovesToOneOfThem) {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, 4096, 0, 12, /*migratable=*/true}};
  Trio trio(options);
  const auto interval = [&](int value) {
    trio.one.write<int>(trio.at(0), value);
    trio.two.write<int>(trio.at(2048), -value);
    trio.barrier();
    EXPECT_EQ(trio.one.read<int>(trio.at(2048)), -value);
    EXPECT_EQ(trio.two.read<int>(trio.at(0)), value);
    trio.barrier();
  };
  int value = 0;
  while (value < 8)
    interval(++value);
  EXPECT_FALSE(isHomeState(trio.cluster.stateAt(0, trio.at(0))));
  const std::uint64_t before = trio.cluster.sent(1, MessageKind::BarrierDone);
  while (value < 16)
    interval(++value);
  EXPECT_EQ(trio.cluster.sent(1, MessageKind::BarrierDone), before);
}

TEST(SoleSharer, ThereIsASecondHalfWhereThatIsChosen) {
  ClusterOptions options;
  options.soleSharers = false;
  Border<Duo> border(options);
  border.begin();
  EXPECT_EQ(border.secondHalves(5), 5U);
}

TEST(SoleSharer, AThirdNodeThatFetchesHearsOfWhatIsPutThen) {
  Border<Trio> border(Trio::threeNodes());
  border.begin();
  Trio &trio = border.nodes;
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(trio.two.read<int>(trio.at(8)), -border.value);
    EXPECT_GT(border.secondHalves(1), 0U) << "node 2 may have what the home had before the Put";
    EXPECT_EQ(trio.two.read<int>(trio.at(8)), -border.value);
    EXPECT_GT(border.secondHalves(1), 0U) << "node 2 shares the block now";
    EXPECT_EQ(trio.two.read<int>(trio.at(8)), -border.value);
    border.begin();
  }
}

/// Whatever the delays: all of the home's senders in their order, so that a request of node 2 does
/// not come before the Put (the explorer's requests-wait-by-sender).
TEST(SoleSharer, AThirdNodeFetchesFromAHomeThatMayStillBeInTheBarrier) {
  constexpr int kIntervals = 60;
  constexpr std::size_t kBlock = 256;
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, 4096, 0, 8}, {4096, kIntervals * kBlock, 0, 8}};
  options.faults = fabric::FaultOptions{.delayMax = std::chrono::microseconds(400)};
  Cluster cluster(options);
  runThreads(cluster, "a border, and a third node", [&](NodeThread &thread, unsigned n) {
    for (int i = 1; i <= kIntervals; ++i) {
      const Address fresh = cluster.at(1, std::size_t(i - 1) * kBlock);
      if (n == 0) {
        thread.write<int>(cluster.at(0, 0), i);
        thread.write<int>(fresh, i);
      } else if (n == 1) {
        thread.write<int>(cluster.at(0, 8), -i);
      }
      thread.barrier();
      if (n == 0)
        EXPECT_EQ(thread.read<int>(cluster.at(0, 8)), -i);
      else if (n == 1)
        EXPECT_EQ(thread.read<int>(cluster.at(0, 0)), i);
      else
        EXPECT_EQ(thread.read<int>(fresh), i);
      thread.barrier();
    }
  });
}

} // namespace
} // namespace ompdsm::test
