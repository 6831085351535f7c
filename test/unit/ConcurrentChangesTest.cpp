// ConcurrentChangesTest.cpp: which blocks are taken for falsely shared.
#include "protocol/engine/ConcurrentChanges.h"
#include "test/unit/Duo.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

TEST(ConcurrentChanges, AreThoseOfSeveralNodesInOneInterval) {
  ConcurrentChanges changes;
  changes.onChange(0x1000, 0, 0);
  changes.onChange(0x1000, 0, 0);
  changes.onChange(0x1000, 1, 1);
  EXPECT_EQ(changes.total(), 0u);
  changes.onChange(0x1000, 0, 1);
  changes.onChange(0x1000, 2, 1);
  changes.onChange(0x2000, 1, 1);
  EXPECT_EQ(changes.total(), 1u) << "once in each interval";
  for (std::uint32_t epoch = 2; epoch < 5; ++epoch)
    for (NodeId node : {1, 2})
      changes.onChange(0x3000, node, epoch);
  EXPECT_EQ(changes.total(), 4u);
  const std::vector<ChangedTogether> worst = changes.worst(7);
  ASSERT_EQ(worst.size(), 2u);
  EXPECT_EQ(worst[0].block, 0x3000u);
  EXPECT_EQ(worst[0].intervals, 3u);
  EXPECT_EQ(worst[1].block, 0x1000u);
  EXPECT_EQ(changes.worst(1).size(), 1u);
}

TEST(ConcurrentChanges, AreBounded) {
  ConcurrentChanges changes;
  for (Address block = 0; block < ConcurrentChanges::kMostBlocks + 10; ++block)
    for (NodeId node : {0, 1})
      changes.onChange(block << 8, node, 0);
  EXPECT_EQ(changes.total(), ConcurrentChanges::kMostBlocks);
}

TEST(ConcurrentChanges, AreCountedAtTheHome) {
  for (const bool counted : {true, false}) {
    ClusterOptions options;
    options.countSites = counted;
    Duo duo(options);
    for (int round = 1; round <= 5; ++round) {
      duo.home.write<int>(duo.at(0), round);
      duo.one.write<int>(duo.at(4), round);
      duo.one.write<int>(duo.at(4096), round); // in another block
      duo.barrier();
      duo.home.write<int>(duo.at(0), -round); // alone in this interval
      duo.barrier();
    }
    // Not in the first round: the home wrote when nobody shared the block.
    EXPECT_EQ(duo.cluster.engine(0).falselyShared(), counted ? 4u : 0u);
    EXPECT_EQ(duo.cluster.engine(1).falselyShared(), 0u);
    const auto worst = duo.cluster.engine(0).falselySharedBlocks(9);
    ASSERT_EQ(worst.size(), counted ? 1u : 0u);
    if (counted) {
      EXPECT_EQ(worst[0].block, duo.at(0));
    }
  }
}

} // namespace
} // namespace ompdsm::test
