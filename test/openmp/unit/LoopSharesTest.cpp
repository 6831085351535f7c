// LoopSharesTest.cpp: dynamic loops lose and repeat no iteration, whoever takes and steals what.
#include "libompdsm/src/LoopShares.h"
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ompdsm;

namespace {

/// Counts executions and checks that chunks have the size that was asked for.
class Ledger {
public:
  explicit Ledger(const DynamicLoopShape &shape) : shape_(shape), times_(shape.trips) {}
  void execute(IterationRange range) {
    EXPECT_LT(range.begin, range.end);
    EXPECT_EQ(range.begin % shape_.chunk, 0u);
    EXPECT_TRUE(range.size() % shape_.chunk == 0 || range.end == shape_.trips);
    if (!shape_.guided) {
      EXPECT_LE(range.size(), shape_.chunk);
    }
    for (IterationCount i = range.begin; i < range.end; ++i)
      ++times_.at(i);
  }
  bool exact() const {
    return std::all_of(times_.begin(), times_.end(), [](unsigned t) { return t == 1; });
  }

private:
  const DynamicLoopShape shape_;
  std::vector<unsigned> times_;
};

std::vector<IterationRange> sharesOf(const DynamicLoopShape &shape, const TeamLayout &layout) {
  std::vector<IterationRange> shares;
  for (unsigned node = 0; node < layout.nodes; ++node)
    shares.push_back(initialShare(shape, layout, node));
  return shares;
}

/// Nodes take chunks and steal in an order that `seed` decides, until all are dry, and the last node
/// executes the final chunk.
bool runsExactly(const DynamicLoopShape &shape, const TeamLayout &layout, unsigned seed) {
  Ledger ledger(shape);
  std::vector<IterationRange> shares = sharesOf(shape, layout);
  std::vector<IterationCount> positions(layout.nodes);
  std::mt19937 random(seed);
  for (;;) {
    bool anyLeft = false;
    for (const IterationRange &share : shares)
      anyLeft |= !share.empty();
    if (!anyLeft)
      break;
    unsigned node = random() % layout.nodesInTeam();
    if (shares[node].empty()) {
      IterationRange &victim = shares[random() % layout.nodesInTeam()];
      if (!victim.empty())
        shares[node] = giveHalf(victim, shape, positions[node]);
    } else {
      IterationRange chunk = takeChunk(shares[node], shape, layout.threadsOn(node));
      ledger.execute(chunk);
      EXPECT_TRUE(!shape.monotonic || chunk.begin >= positions[node]);
      positions[node] = chunk.end;
    }
  }
  if (shape.trips != 0)
    ledger.execute(finalChunk(shape));
  return ledger.exact();
}

} // namespace

TEST(LoopShares, EveryIterationRunsOnceInAnyOrderOfStealing) {
  for (unsigned kind : {0u, 1u, 2u, 3u})
    for (unsigned nodes : {1u, 2u, 3u, 8u})
      for (unsigned threads : {1u, 2u, 5u, 16u})
        for (IterationCount chunk : {1, 3, 7, 64})
          for (IterationCount trips : {0, 1, 2, 63, 64, 65, 500}) {
            DynamicLoopShape shape{trips, chunk, threads, kind & 1, kind >> 1};
            TeamLayout layout{threads, nodes};
            EXPECT_TRUE(runsExactly(shape, layout, unsigned(trips * 31 + chunk)))
                << trips << " iterations, chunk " << chunk << ", " << threads << " threads on "
                << nodes << " nodes, kind " << kind;
          }
}

TEST(LoopShares, SharesAreContiguousAndInProportionToThreads) {
  TeamLayout layout{.threads = 4, .nodes = 3}; // 2, 1, 1
  auto shares = sharesOf({.trips = 401, .chunk = 1, .teamThreads = 4}, layout);
  EXPECT_EQ(shares[0].begin, 0u);
  EXPECT_EQ(shares[0].size(), 200u);
  EXPECT_EQ(shares[1].size(), 100u);
  EXPECT_EQ(shares[1].end, shares[2].begin);
  EXPECT_EQ(shares[2].end, 400u);
}

TEST(LoopShares, NodesWithoutThreadsHaveNoShare) {
  TeamLayout layout{.threads = 2, .nodes = 4};
  auto shares = sharesOf({.trips = 100, .chunk = 1, .teamThreads = 2}, layout);
  EXPECT_TRUE(shares[2].empty());
  EXPECT_TRUE(shares[3].empty());
}

TEST(LoopShares, AThiefGetsHalfOfTheRestAndASingleChunkWhole) {
  DynamicLoopShape shape{.trips = 200, .chunk = 10, .teamThreads = 2};
  IterationRange share{20, 100};
  IterationRange given = giveHalf(share, shape, 150);
  EXPECT_EQ(given.begin, 60u);
  EXPECT_EQ(given.end, 100u);
  EXPECT_EQ(share.end, 60u);
  IterationRange one{90, 100};
  EXPECT_EQ(giveHalf(one, shape, 0).size(), 10u);
  EXPECT_TRUE(one.empty());
  EXPECT_TRUE(giveHalf(one, shape, 0).empty());
}

TEST(LoopShares, InAMonotonicLoopAThiefGetsOnlyWhatLiesBeforeIt) {
  DynamicLoopShape shape{.trips = 200, .chunk = 10, .teamThreads = 2, .guided = 0, .monotonic = 1};
  IterationRange share{20, 100};
  EXPECT_TRUE(giveHalf(share, shape, 61).empty());
  EXPECT_EQ(share.end, 100u);
  EXPECT_EQ(giveHalf(share, shape, 60).begin, 60u);
}

TEST(LoopShares, TheFinalChunkIsInNoShare) {
  DynamicLoopShape shape{.trips = 25, .chunk = 10, .teamThreads = 2};
  EXPECT_EQ(finalChunk(shape).begin, 20u);
  EXPECT_EQ(finalChunk(shape).end, 25u);
  EXPECT_EQ(sharesOf(shape, {.threads = 2, .nodes = 2}).back().end, 20u);
  EXPECT_TRUE(finalChunk({.trips = 0}).empty());
}

TEST(LoopShares, GuidedChunksShrinkAndNeverGoBelowTheChunk) {
  DynamicLoopShape shape{.trips = 1000, .chunk = 4, .teamThreads = 2, .guided = 1};
  IterationRange share{0, 1000};
  IterationCount before = 1000;
  while (!share.empty()) {
    IterationRange taken = takeChunk(share, shape, 2);
    EXPECT_LE(taken.size(), before);
    EXPECT_TRUE(taken.size() >= 4 || share.empty());
    before = taken.size();
  }
}

TEST(LoopShares, HugeLoopsDoNotOverflow) {
  TeamLayout layout{.threads = 1000, .nodes = 10};
  DynamicLoopShape shape{.trips = UINT64_MAX, .chunk = 3, .teamThreads = 1000};
  auto shares = sharesOf(shape, layout);
  EXPECT_EQ(shares.front().begin, 0u);
  EXPECT_EQ(shares.back().end, finalChunk(shape).begin);
  for (unsigned node = 1; node < 10; ++node)
    EXPECT_EQ(shares[node - 1].end, shares[node].begin);
}

TEST(TeamLayout, ThreadsAreDealtInContiguousRuns) {
  for (unsigned nodes : {1u, 2u, 3u, 7u})
    for (unsigned threads : {1u, 2u, 6u, 7u, 8u, 50u}) {
      TeamLayout layout{threads, nodes};
      unsigned next = 0;
      for (unsigned node = 0; node < nodes; ++node) {
        EXPECT_EQ(layout.firstOn(node), next);
        EXPECT_EQ(layout.threadsOn(node) > 0, node < layout.nodesInTeam());
        next += layout.threadsOn(node);
      }
      EXPECT_EQ(next, threads);
    }
}

TEST(LoopShares, CanaryTheLedgerSeesALostIteration) {
  DynamicLoopShape shape{.trips = 4, .chunk = 1, .teamThreads = 1};
  Ledger ledger(shape);
  ledger.execute({0, 1});
  ledger.execute({2, 3});
  EXPECT_FALSE(ledger.exact());
}
