// OpenAheadTest.cpp: blocks that a node changes whenever they are open are opened with the one in
// front of them.
#include "test/unit/Duo.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kBlock = 256;

/// Node 1 changes the first `blocks` blocks, between two barriers.
void change(Duo &duo, std::size_t blocks, int value) {
  for (std::size_t block = 0; block < blocks; ++block)
    duo.one.write<int>(duo.at(block * kBlock), value);
  duo.barrier();
}

/// How many blocks are open for writing at node 1, from the first on.
std::size_t openBlocks(Duo &duo) {
  std::size_t open = 0;
  while (duo.cluster.stateAt(1, duo.at(open * kBlock)) == BlockState::Dirty)
    ++open;
  return open;
}

TEST(OpenAhead, ARunThatIsChangedEachTimeIsOpenedAtOnce) {
  Duo duo;
  change(duo, 5, 1);
  duo.one.write<int>(duo.at(0), 2);
  EXPECT_EQ(openBlocks(duo), 1u) << "changed once";
  change(duo, 5, 2);
  duo.one.write<int>(duo.at(0), 3);
  EXPECT_EQ(openBlocks(duo), 5u);
  const auto misses = duo.cluster.statistics(1).writeMisses.load();
  change(duo, 5, 3);
  EXPECT_EQ(duo.cluster.statistics(1).writeMisses, misses);
  EXPECT_EQ(duo.home.read<int>(duo.at(4 * kBlock)), 3);
}

TEST(OpenAhead, WhatWasOpenedInVainIsNotOpenedAgain) {
  Duo duo;
  change(duo, 5, 1);
  change(duo, 5, 2);
  change(duo, 2, 3); // five are open
  duo.one.write<int>(duo.at(0), 4);
  EXPECT_EQ(openBlocks(duo), 2u);
  duo.barrier();
  EXPECT_EQ(duo.home.read<int>(duo.at(0)), 4);
  EXPECT_EQ(duo.home.read<int>(duo.at(kBlock)), 3);
  EXPECT_EQ(duo.home.read<int>(duo.at(2 * kBlock)), 2);
}

TEST(OpenAhead, TheHomeOpensWhatOthersShare) {
  constexpr int kRounds = 8, kLearned = 6; // from then on blocks are closed as they are pushed
  Duo duo;
  for (int round = 1; round <= kRounds; ++round) {
    for (std::size_t block = 0; block < 4; ++block)
      EXPECT_EQ(duo.one.read<int>(duo.at(block * kBlock)), round - 1);
    duo.barrier();
    if (round > kLearned)
      EXPECT_EQ(duo.cluster.stateAt(0, duo.at(3 * kBlock)), BlockState::Shared);
    duo.home.write<int>(duo.at(0), round);
    if (round > kLearned)
      EXPECT_EQ(duo.cluster.stateAt(0, duo.at(3 * kBlock)), BlockState::HomeDirty);
    for (std::size_t block = 1; block < 4; ++block)
      duo.home.write<int>(duo.at(block * kBlock), round);
    duo.barrier();
  }
}

TEST(OpenAhead, NothingIsWithoutPrefetching) {
  ClusterOptions options;
  options.prefetchBlocks = 0;
  Duo duo(options);
  change(duo, 5, 1);
  change(duo, 5, 2);
  duo.one.write<int>(duo.at(0), 3);
  EXPECT_EQ(openBlocks(duo), 1u);
}

} // namespace
} // namespace ompdsm::test
