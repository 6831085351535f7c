// ReductionObjectsTest.cpp: a reduction's objects survive the journey, and the tree has one root that
// hears from everybody.
#include "libompdsm/src/ReductionObjects.h"
#include <gtest/gtest.h>
#include <set>

using namespace ompdsm;

TEST(ReductionTree, EveryNodeSendsOnceAndTheRootReceivesAll) {
  for (unsigned nodes = 1; nodes <= 70; ++nodes) {
    std::multiset<unsigned> children;
    for (unsigned node = 0; node < nodes; ++node) {
      TreeStep step = treeStep(node, nodes);
      for (unsigned child : step.children) {
        EXPECT_EQ(treeStep(child, nodes).parent, node);
        EXPECT_GT(child, node);
        EXPECT_LT(child, nodes);
        children.insert(child);
      }
      if (node != 0) {
        EXPECT_LT(step.parent, node);
      }
    }
    EXPECT_EQ(children.size(), nodes - 1) << nodes << " nodes";
    EXPECT_EQ(std::set<unsigned>(children.begin(), children.end()).size(), nodes - 1);
  }
}

TEST(ReductionTree, DepthIsLogarithmic) {
  unsigned depth = 0;
  for (unsigned node = 63; node != 0; node = treeStep(node, 64).parent)
    ++depth;
  EXPECT_EQ(depth, 6u);
}

TEST(ReductionObjects, UnpackedObjectsHaveThePackedValues) {
  double d = 2.5;
  char c = 'x';
  long double array[3] = {1, 2, 3};
  void *data[] = {&d, &c, reinterpret_cast<void *>(std::size_t(3)), array};
  std::size_t sizes[] = {sizeof(d), sizeof(c), 0, sizeof(array)};
  ReductionCall call{.count = 4, .data = data, .sizes = sizes};
  std::vector<std::byte> bytes = packObjects(call);
  EXPECT_EQ(bytes.size(), sizeof(d) + sizeof(c) + sizeof(array));
  d = 0, c = 0, array[2] = 0;
  UnpackedObjects objects(call, bytes);
  EXPECT_EQ(*static_cast<double *>(objects.data()[0]), 2.5);
  EXPECT_EQ(*static_cast<char *>(objects.data()[1]), 'x');
  EXPECT_EQ(objects.data()[2], data[2]); // A size, not an object: taken as it is.
  EXPECT_EQ(static_cast<long double *>(objects.data()[3])[2], 3);
}

TEST(ReductionObjects, ObjectsAreAlignedForAnyType) {
  char c = 1;
  double d = 1;
  void *data[] = {&c, &d};
  std::size_t sizes[] = {1, 8};
  ReductionCall call{.count = 2, .data = data, .sizes = sizes};
  std::vector<std::byte> bytes = packObjects(call);
  UnpackedObjects objects(call, bytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(objects.data()[1]) % 64, 0u);
}

TEST(ReductionObjectsDeathTest, CanaryBytesOfAnotherReductionAreRefused) {
  double d = 1;
  void *data[] = {&d};
  std::size_t sizes[] = {8};
  ReductionCall call{.count = 1, .data = data, .sizes = sizes};
  std::vector<std::byte> bytes(9);
  EXPECT_DEATH(UnpackedObjects(call, bytes), "check");
}
