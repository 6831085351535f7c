// ReplayedUpdatesTest.cpp: what a home tells of several Puts at once is replayed as one step.
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

} // namespace
} // namespace ompdsm::test
