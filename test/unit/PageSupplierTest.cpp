// PageSupplierTest.cpp: a page of another node appears with all that was fetched of it.
#include "test/unit/Appearances.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

struct Supplied {
  static ClusterOptions options() {
    ClusterOptions options;
    options.areas = {{0, 16 * kPageBytes, 0, 8}};
    options.prefetchBlocks = 0;
    return options;
  }
  Supplied() : cluster(options()), home(cluster, 0), one(cluster, 1) {
    cluster.engine(1).setPageSupplier(&supplier);
  }
  Address at(std::size_t page, std::size_t offset) const {
    return cluster.at(0, page * kPageBytes + offset);
  }
  bool appearedAsAtHome(std::size_t page) {
    const auto found = supplier.pages.find(at(page, 0));
    return found != supplier.pages.end() &&
           std::memcmp(found->second.data(), cluster.memory(0, at(page, 0)), kPageBytes) == 0;
  }
  Appearances supplier;
  Cluster cluster;
  NodeThread home, one;
};

TEST(PageSupplier, AMissInAnAbsentPageFetchesAllOfIt) {
  Supplied test;
  for (std::size_t at = 0; at < kPageBytes; at += 64)
    test.home.write<int>(test.at(3, at), int(at) + 1);
  EXPECT_EQ(test.one.read<int>(test.at(3, 512)), 513);
  EXPECT_TRUE(test.appearedAsAtHome(3));
  EXPECT_EQ(test.supplier.pages.size(), 1u);
}

TEST(PageSupplier, APageOfZerosAndOthersAppearsWithBoth) {
  Supplied test;
  const unsigned patterns[] = {0x0001, 0x8000, 0x7ffe, 0x5555, 0xaaaa, 0x00f0, 0xff00, 0x0000};
  for (std::size_t page = 0; page < std::size(patterns); ++page)
    for (unsigned block = 0; block < 16; ++block)
      if (patterns[page] >> block & 1)
        test.home.write<int>(test.at(page, block * 256 + 8), int(block) + 1);
  for (std::size_t page = 0; page < std::size(patterns); page += 2) { // two pages by one miss
    test.one.check(test.at(page, 100), kPageBytes, Access::Read);
    EXPECT_TRUE(test.appearedAsAtHome(page)) << page;
    EXPECT_TRUE(test.appearedAsAtHome(page + 1)) << page;
  }
}

TEST(PageSupplier, WhatIsOverwrittenAppearsBefore) {
  Supplied test;
  test.one.check(test.at(2, 256), 3 * kPageBytes, Access::Overwrite);
  EXPECT_EQ(test.supplier.pages.size(), 4u);
  EXPECT_EQ(test.cluster.stateAt(1, test.at(2, 0)), BlockState::Clean) << "its page was absent";
  EXPECT_EQ(test.cluster.stateAt(1, test.at(2, 256)), BlockState::Whole);
}

} // namespace
} // namespace ompdsm::test
