// SharerSetTest.cpp: sets of nodes, small and large.
#include "protocol/core/SharerSet.h"
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace ompdsm::test {
namespace {

std::vector<NodeId> membersOf(const SharerSet &set) {
  std::vector<NodeId> members;
  set.forEach([&](NodeId node) { members.push_back(node); });
  return members;
}

TEST(SharerSet, HoldsTheNodesAtTheBordersOfItsWords) {
  SharerSet set;
  const std::vector<NodeId> nodes = {0, 1, 63, 64, 65, 127, 128, 1023, 65534};
  for (NodeId node : nodes) {
    EXPECT_FALSE(set.contains(node));
    set.insert(node);
    set.insert(node);
    EXPECT_TRUE(set.contains(node));
  }
  EXPECT_EQ(membersOf(set), nodes) << "ascending, each once";
  EXPECT_EQ(set.size(), nodes.size());
  EXPECT_FALSE(set.contains(62));
  EXPECT_FALSE(set.contains(66));
  for (NodeId node : nodes) {
    EXPECT_FALSE(set.empty());
    set.erase(node);
    EXPECT_FALSE(set.contains(node));
  }
  EXPECT_TRUE(set.empty());
}

TEST(SharerSet, EqualsAReferenceSetAfterRandomOperations) {
  SharerSet set;
  std::set<NodeId> reference;
  std::uint64_t random = 1;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    NodeId node = NodeId(random >> 33) % 300;
    switch (random >> 60) {
    case 0:
      if (random >> 50 & 1) {
        set.clear();
        reference.clear();
      }
      break;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      set.erase(node);
      reference.erase(node);
      break;
    default:
      set.insert(node);
      reference.insert(node);
    }
    ASSERT_EQ(set.contains(node), reference.contains(node));
    ASSERT_EQ(set.size(), reference.size());
    ASSERT_EQ(set.empty(), reference.empty());
  }
  EXPECT_EQ(membersOf(set), std::vector<NodeId>(reference.begin(), reference.end()));
}

TEST(SharerSet, SetsOfEqualMembersAreEqualHoweverTheyCameAbout) {
  SharerSet set, other;
  for (NodeId node : {3, 200, 1000})
    set.insert(node);
  set.erase(1000);
  EXPECT_FALSE(set.isOnly(3));
  set.erase(200);
  other.insert(3);
  EXPECT_EQ(set, other);
  EXPECT_EQ(set.hash(), other.hash());
  EXPECT_TRUE(set.isOnly(3));
  EXPECT_FALSE(set.isOnly(4));
}

TEST(SharerSet, EraseOfARangeNeverInsertedDoesNothing) {
  SharerSet set;
  set.erase(5000);
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.contains(5000));
}

} // namespace
} // namespace ompdsm::test
