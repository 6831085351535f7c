// ReductionObjectsTest.cpp: a reduction's objects survive the journey.
#include "libompdsm/src/ReductionObjects.h"
#include <gtest/gtest.h>

using namespace ompdsm;

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
