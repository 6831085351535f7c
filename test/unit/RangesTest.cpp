// RangesTest.cpp: what a thread asks for together travels together.
#include "test/unit/Trio.h"
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

namespace ompdsm::test {
namespace {

constexpr std::size_t kAreaBytes = 64 * 1024, kBlock = 256;

/// An area of each node.
ClusterOptions threeHomes() {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {
      {0, kAreaBytes, 0}, {kAreaBytes, kAreaBytes, 1}, {2 * kAreaBytes, kAreaBytes, 2}};
  options.prefetchBlocks = 0;
  return options;
}
/// One area of node 0.
ClusterOptions oneHome(std::size_t bytes, std::uint8_t blockShift) {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, bytes, 0, blockShift}};
  options.prefetchBlocks = 0;
  return options;
}
std::uint64_t gets(Trio &trio, NodeId node) { return trio.cluster.sent(node, MessageKind::Get); }

TEST(Ranges, TogetherTakeOneRequestToEachHome) {
  Trio trio(threeHomes());
  std::vector<WantedRange> ranges;
  for (std::size_t row = 0; row < 50; ++row)
    for (std::size_t area : {0, 2})
      ranges.push_back({trio.cluster.at(area, row * 4 * kBlock), 2 * kBlock,
                        row % 2 ? Access::Read : Access::Write});
  for (std::size_t row = 0; row < 50; ++row) {
    trio.home.write<int>(trio.cluster.at(0, row * 4 * kBlock), int(row) + 1);
    trio.two.write<int>(trio.cluster.at(2, row * 4 * kBlock), int(row) + 2);
  }
  trio.cluster.engine(1).ensure(ranges);
  EXPECT_EQ(gets(trio, 1), 2u);
  for (std::size_t row = 0; row < 50; ++row) {
    const BlockState wanted = row % 2 ? BlockState::Clean : BlockState::Dirty;
    EXPECT_EQ(trio.cluster.stateAt(1, trio.cluster.at(0, row * 4 * kBlock)), wanted);
    EXPECT_EQ(trio.cluster.stateAt(1, trio.cluster.at(2, row * 4 * kBlock + kBlock)), wanted);
    EXPECT_EQ(trio.cluster.stateAt(1, trio.cluster.at(0, row * 4 * kBlock + 2 * kBlock)),
              BlockState::Invalid)
        << "between the ranges";
    EXPECT_EQ(trio.one.peek<int>(trio.cluster.at(0, row * 4 * kBlock)), int(row) + 1);
    EXPECT_EQ(trio.one.peek<int>(trio.cluster.at(2, row * 4 * kBlock)), int(row) + 2);
  }
}

TEST(Ranges, OfOneBlockMayOverlap) {
  Trio trio(threeHomes());
  trio.home.write<int>(trio.cluster.at(0, 8), 7);
  const WantedRange ranges[] = {{trio.cluster.at(0, 0), 64, Access::Read},
                                {trio.cluster.at(0, 8), 4, Access::Write},
                                {trio.cluster.at(0, 0), 64, Access::Read},
                                {trio.cluster.at(0, 16), 0, Access::Write}};
  trio.cluster.engine(1).ensure(ranges);
  EXPECT_EQ(gets(trio, 1), 1u);
  EXPECT_EQ(trio.cluster.stateAt(1, trio.cluster.at(0, 0)), BlockState::Dirty);
  EXPECT_EQ(trio.one.peek<int>(trio.cluster.at(0, 8)), 7);
}

TEST(Ranges, WhatIsOverwrittenAndThenWrittenIsNotFetched) {
  Trio trio(threeHomes());
  trio.home.write<int>(trio.cluster.at(0, 2 * kBlock), 5);
  const WantedRange ranges[] = {{trio.cluster.at(0, kBlock / 2), 4 * kBlock, Access::Overwrite},
                                {trio.cluster.at(0, kBlock / 2), 4 * kBlock, Access::Write}};
  trio.cluster.engine(1).ensure(ranges);
  EXPECT_EQ(trio.cluster.statistics(1).blocksFetched.load(), 2u) << "those at the ends";
  EXPECT_EQ(trio.cluster.stateAt(1, trio.cluster.at(0, 2 * kBlock)), BlockState::Whole);
}

/// So a home need not wait for the next question while the last answer is on its way.
TEST(Ranges, ALongOneIsAskedForBeforeItsBeginningHasCome) {
  constexpr std::size_t kBytes = 4 * 1024 * 1024;
  Trio trio(oneHome(kBytes, 12));
  trio.home.write<int>(trio.at(kBytes - 4096), 7);
  trio.cluster.messenger(0).holdRequests(true);
  std::thread reader([&] {
    const WantedRange all{trio.at(0), kBytes, Access::Read};
    trio.cluster.engine(1).ensure({&all, 1});
  });
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (gets(trio, 1) < 3 && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  EXPECT_EQ(gets(trio, 1), 3u);
  EXPECT_EQ(trio.cluster.statistics(1).blocksFetched.load(), 0u);
  trio.cluster.messenger(0).holdRequests(false);
  reader.join();
  EXPECT_EQ(trio.one.peek<int>(trio.at(kBytes - 4096)), 7);
  EXPECT_EQ(gets(trio, 1), kBytes / (256 * 1024));
}

TEST(Ranges, MoreThanMayBeInFlightAreAskedForInTurns) {
  constexpr std::size_t kBytes = 8 * 1024 * 1024;
  Trio trio(oneHome(kBytes, 12));
  std::vector<WantedRange> ranges;
  for (std::size_t at = 0; at < kBytes; at += 64 * 1024)
    ranges.push_back({trio.at(at), 64 * 1024, Access::Read});
  trio.cluster.engine(1).ensure(ranges);
  EXPECT_EQ(gets(trio, 1), 32u) << "256 KiB each";
  for (std::size_t at = 0; at < kBytes; at += 4096)
    ASSERT_EQ(trio.cluster.stateAt(1, trio.at(at)), BlockState::Clean);
}

TEST(Ranges, ManySmallBlocksFitIntoOneMessage) {
  constexpr std::size_t kBytes = 1024 * 1024;
  Trio trio(oneHome(kBytes, 6));
  std::vector<WantedRange> ranges; // Every second line, in ranges of all sizes.
  for (std::size_t at = 0; at < kBytes; at += 128)
    ranges.push_back({trio.at(at), 4, Access::Read});
  for (std::size_t at = 64; at < kBytes; at += 256 * 1024)
    ranges.push_back({trio.at(at), 256 * 1024 - 64, Access::Read});
  trio.cluster.engine(1).ensure(ranges);
  for (std::size_t at = 0; at < kBytes; at += 64)
    ASSERT_EQ(trio.cluster.stateAt(1, trio.at(at)), BlockState::Clean) << at;
}

} // namespace
} // namespace ompdsm::test
