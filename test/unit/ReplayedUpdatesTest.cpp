// ReplayedUpdatesTest.cpp: what a home tells of several Puts at once is replayed as one step.
#include "protocol/engine/SumHistory.h"
#include "test/unit/Cluster.h"
#include "test/unit/TraceFiles.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

/// Two nodes write lines of one block, a third has it for its home, and a fourth reads: the home
/// tells it of both at once.
TEST(ReplayedUpdates, ThoseThatAreKeptForTheRestOfTheirsArriveAsOne) {
  TraceFiles files(4);
  ClusterOptions options;
  options.nodes = 4;
  options.events = files.options();
  Cluster cluster(options);
  runThreads(cluster, "two writers, a home and a reader", [&](NodeThread &thread, unsigned n) {
    for (int round = 1; round <= 40; ++round) {
      if (n == 1 || n == 2)
        thread.write<int>(cluster.at(0, 64 * (n - 1)), round);
      thread.barrier();
      if (n == 3) {
        EXPECT_EQ(thread.read<int>(cluster.at(0, 0)), round);
        EXPECT_EQ(thread.read<int>(cluster.at(0, 64)), round);
      }
      thread.barrier();
    }
  });
  EXPECT_GT(cluster.sent(0, MessageKind::Update), 20u);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

/// A home changes all of a block in two phases, and a reader reads behind the second one: so it is
/// sent there, unasked, after its copy has ended in the first.
TEST(ReplayedUpdates, WhatIsWithheldAndSuppliedIsReplayed) {
  constexpr unsigned kPhases = 2;
  TraceFiles files(3);
  ClusterOptions options;
  options.nodes = 3;
  options.sites = kPhases;
  options.events = files.options();
  Cluster cluster(options);
  runThreads(cluster, "a home that writes in phases", [&](NodeThread &thread, unsigned n) {
    for (unsigned phase = 1; phase <= 40 * kPhases; ++phase) {
      if (n == 0) {
        thread.check(cluster.at(0, 0), 256, Access::Write);
        for (std::size_t at = 0; at < 256; at += sizeof(unsigned))
          thread.poke<unsigned>(cluster.at(0, at), phase * 0x01010101);
      }
      thread.barrier();
      if (n != 0 && phase % kPhases == 0)
        EXPECT_EQ(thread.read<unsigned>(cluster.at(0, 64 * n)), phase * 0x01010101);
      if (phase % kPhases == 0)
        thread.engineBarrier();
    }
  });
  EXPECT_GT(cluster.statistics(0).blocksSupplied, 20u);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

ClusterOptions adaptingPage(const TraceFiles &files, std::uint8_t blockShift) {
  ClusterOptions options;
  options.nodes = 3;
  options.sizePatience = 1;
  options.areas = {{0, 4096, 0, blockShift, /*migratable=*/true}};
  options.events = files.options();
  return options;
}

/// Blocks of a page get another size, and the old one again, as all nodes read all of it.
TEST(ReplayedUpdates, BlocksOfAnotherSizeAreReplayed) {
  TraceFiles files(3);
  Cluster cluster(adaptingPage(files, 10));
  runThreads(cluster, "three writers that read it all", [&](NodeThread &thread, unsigned n) {
    for (int round = 1; round <= 60; ++round) {
      for (std::size_t line = n; line < 64; line += 3)
        thread.write<int>(cluster.at(0, 64 * line), round);
      thread.engineBarrier();
      for (std::size_t line = 0; line < 64; ++line)
        ASSERT_EQ(thread.read<int>(cluster.at(0, 64 * line)), round);
      thread.engineBarrier();
    }
  });
  std::uint64_t resized = 0; // The home may move, and the new one tries again.
  for (NodeId node = 0; node < 3; ++node)
    resized += cluster.statistics(node).pagesResized;
  EXPECT_GE(resized, 2u);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

/// Blocks of a page move to who changes them alone, each for itself.
TEST(ReplayedUpdates, BlocksThatMoveAreReplayed) {
  TraceFiles files(3);
  Cluster cluster(adaptingPage(files, 11));
  runThreads(cluster, "three writers that read their own", [&](NodeThread &thread, unsigned n) {
    for (int round = 1; round <= 60; ++round) {
      for (std::size_t line = n; line < 64; line += 3) {
        ASSERT_EQ(thread.read<int>(cluster.at(0, 64 * line)), round - 1);
        thread.write<int>(cluster.at(0, 64 * line), round);
      }
      if (round % 20 == 0) { // and those of all once in a while
        thread.engineBarrier();
        for (std::size_t line = 0; line < 64; ++line)
          ASSERT_EQ(thread.read<int>(cluster.at(0, 64 * line)), round);
      }
      thread.engineBarrier();
    }
  });
  std::uint64_t migrated = 0; // The page may move before.
  for (NodeId node = 0; node < 3; ++node)
    migrated += cluster.statistics(node).blocksMigrated;
  EXPECT_GT(migrated, 40u);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

/// Numbers of two sizes, in blocks that fill a message and in such that do not.
TEST(ReplayedUpdates, SumsAreReplayed) {
  TraceFiles files(3);
  ClusterOptions options;
  options.nodes = 3;
  options.areas = {{0, 64 * 1024, 0, 11, true}, {64 * 1024, 64 * 1024, 0, 16}};
  options.events = files.options();
  Cluster cluster(options);
  runThreads(cluster, "additions of all nodes", [&](NodeThread &thread, unsigned n) {
    for (unsigned round = 0; round < 8; ++round) {
      for (std::size_t at = 0; at < 128 * 1024; at += 512)
        for (unsigned i = 0; i < SumHistory::kLeast; ++i) {
          thread.add<std::uint64_t>(cluster.at(0, at + 8 * n), 1);
          thread.add<std::uint32_t>(cluster.at(0, at + 64 + 4 * i), 1);
        }
      if (round % 3 == n)
        EXPECT_EQ(thread.read<std::uint64_t>(cluster.at(0, 8 * n)),
                  (round + 1) * SumHistory::kLeast);
      thread.barrier();
      EXPECT_EQ(thread.read<std::uint32_t>(cluster.at(0, 64)), (round + 1) * 3);
      thread.barrier();
    }
  });
  EXPECT_GT(cluster.sent(1, MessageKind::Sums), 20u);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

} // namespace
} // namespace ompdsm::test
