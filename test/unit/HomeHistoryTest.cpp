// HomeHistoryTest.cpp: when a home gives a unit away.
#include "protocol/engine/HomeHistory.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr NodeId kSelf = 0, kOne = 1, kTwo = 2;
constexpr Address kUnit = 0x1000;
constexpr unsigned kNodes = 3;

/// One epoch in which `writers` change the unit; whether it moves at its end.
bool movesAfter(HomeHistory &history, std::initializer_list<NodeId> writers) {
  for (NodeId writer : writers)
    history.noteWriter(kUnit, writer);
  const bool moves = history.hasCandidates();
  const auto candidates = history.candidates();
  EXPECT_EQ(candidates.size(), moves ? 1u : 0u);
  if (moves)
    history.noteMoved(candidates.front().unit);
  history.endEpoch();
  return moves;
}

TEST(HomeHistory, TheOnlyWriterOfTwoEpochsGetsIt) {
  HomeHistory history(kSelf, kNodes, 2);
  EXPECT_FALSE(movesAfter(history, {kOne}));
  EXPECT_FALSE(movesAfter(history, {})) << "an epoch without writers does not count";
  EXPECT_TRUE(movesAfter(history, {kOne}));
}

TEST(HomeHistory, WhoTakesTurnsGetsNothing) {
  HomeHistory history(kSelf, kNodes, 2);
  for (int round = 0; round < 5; ++round) {
    EXPECT_FALSE(movesAfter(history, {kOne}));
    EXPECT_FALSE(movesAfter(history, {kSelf}));
    EXPECT_FALSE(movesAfter(history, {kOne}));
    EXPECT_FALSE(movesAfter(history, {kTwo}));
    EXPECT_FALSE(movesAfter(history, {kOne}));
    EXPECT_FALSE(movesAfter(history, {kOne, kSelf}));
  }
}

TEST(HomeHistory, OneOfItsWritersGetsIt) {
  HomeHistory history(kSelf, kNodes, 2);
  history.noteWriter(kUnit, kTwo);
  history.noteWriter(kUnit, kOne);
  EXPECT_FALSE(history.hasCandidates());
  history.endEpoch();
  history.noteWriter(kUnit, kTwo);
  EXPECT_FALSE(history.hasCandidates()) << "not as in the epoch before";
  history.noteWriter(kUnit, kOne);
  ASSERT_TRUE(history.hasCandidates());
  const Writers writers = history.candidates().front().writers;
  EXPECT_EQ(writers.heir([](NodeId) { return true; }), kOne);
  EXPECT_EQ(writers.heir([](NodeId node) { return node != kOne; }), kTwo) << "who holds all of it";
  EXPECT_EQ(writers.heir([](NodeId) { return false; }), kUnitStays);
  history.noteWriter(kUnit, kSelf);
  EXPECT_FALSE(history.hasCandidates()) << "the home has written, too";
}

TEST(HomeHistory, ManyUnitsThatPairsOfNodesWriteStay) {
  const auto hasCandidates = [](Address units) {
    HomeHistory history(kSelf, kNodes, 1);
    for (Address unit = 0; unit < units; ++unit)
      for (const NodeId writer : {kOne, kTwo})
        history.noteWriter(unit * kUnit, writer);
    return history.hasCandidates();
  };
  EXPECT_TRUE(hasCandidates(8));
  EXPECT_FALSE(hasCandidates(1000));
}

TEST(HomeHistory, WhatHasMissedItsBarrierMovesInALaterOne) {
  HomeHistory history(kSelf, kNodes, 1);
  EXPECT_FALSE(history.wantsMoves());
  history.noteWriter(kUnit, kOne); // after this node has arrived
  history.endEpoch();
  EXPECT_FALSE(history.hasCandidates());
  EXPECT_TRUE(history.wantsMoves());
  EXPECT_TRUE(movesAfter(history, {kOne}));
  EXPECT_FALSE(history.wantsMoves());
}

TEST(HomeHistory, WhatCannotMoveIsTriedAfterTwiceAsLong) {
  HomeHistory history(kSelf, kNodes, 2);
  for (const int needed : {2, 5, 11, 23, 47, 63, 63}) {
    for (int epoch = 1; epoch < needed; ++epoch)
      EXPECT_FALSE(movesAfter(history, {kOne})) << needed << ", " << epoch;
    history.noteWriter(kUnit, kOne);
    EXPECT_TRUE(history.hasCandidates());
    history.noteStayed(kUnit);
    EXPECT_FALSE(history.hasCandidates());
    history.endEpoch();
  }
}

TEST(HomeHistory, AfterEachMoveItTakesTwiceAsLong) {
  HomeHistory history(kSelf, kNodes, 2);
  for (int needed : {2, 4, 8}) {
    for (int epoch = 1; epoch < needed; ++epoch)
      EXPECT_FALSE(movesAfter(history, {kOne})) << needed << ", " << epoch;
    EXPECT_TRUE(movesAfter(history, {kOne}));
    EXPECT_FALSE(movesAfter(history, {kSelf, kOne})) << "it has come back, and is remembered";
  }
}

TEST(HomeHistory, WhatWasNeverUsedMovesAtOnce) {
  HomeHistory history(kSelf, kNodes, 2);
  history.noteUnused(kUnit);
  EXPECT_FALSE(movesAfter(history, {})) << "it was only read";
  EXPECT_TRUE(movesAfter(history, {kOne}));
  EXPECT_FALSE(movesAfter(history, {kOne})) << "it has come back, and was used";

  HomeHistory other(kSelf, kNodes, 2);
  other.noteUnused(kUnit);
  EXPECT_FALSE(movesAfter(other, {kOne, kSelf}));
  EXPECT_FALSE(movesAfter(other, {kOne})) << "it has been used by now";
}

TEST(HomeHistory, WhatIsProposedMovesUnlessItsHomeWritesIt) {
  HomeHistory history(kSelf, kNodes, 2);
  history.propose(kUnit, kTwo);
  EXPECT_TRUE(movesAfter(history, {}));
  history.propose(kUnit, kTwo);
  EXPECT_FALSE(movesAfter(history, {kSelf}));
}

TEST(HomeHistory, WithoutPatienceTheOnlyWriterGetsItEachTime) {
  HomeHistory history(kSelf, kNodes, 1);
  EXPECT_TRUE(movesAfter(history, {kOne}));
  EXPECT_FALSE(movesAfter(history, {kSelf}));
}

} // namespace
} // namespace ompdsm::test
