// BarrierTreeTest.cpp: the tree along which arrivals and reductions travel has one root that hears
// from everybody.
#include "protocol/core/BarrierTree.h"
#include <gtest/gtest.h>
#include <set>

using namespace ompdsm;

TEST(BarrierTree, EveryNodeReportsOnceAndTheRootHearsFromAll) {
  for (unsigned nodes = 1; nodes <= 70; ++nodes) {
    std::multiset<NodeId> children;
    for (unsigned node = 0; node < nodes; ++node)
      forEachChild(NodeId(node), nodes, [&](NodeId child) {
        EXPECT_EQ(parentOf(child), node);
        EXPECT_GT(child, node);
        EXPECT_LT(child, nodes);
        EXPECT_TRUE(isBelow(child, NodeId(node)));
        EXPECT_FALSE(isBelow(NodeId(node), child));
        children.insert(child);
      });
    EXPECT_EQ(children.size(), nodes - 1) << nodes << " nodes";
    EXPECT_EQ(std::set<NodeId>(children.begin(), children.end()).size(), nodes - 1);
  }
}

TEST(BarrierTree, ItsDepthIsLogarithmic) {
  unsigned depth = 0;
  for (NodeId node = 63; node != 0; node = parentOf(node))
    ++depth;
  EXPECT_EQ(depth, 6u);
}
