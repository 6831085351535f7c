// MovingPanelsTest.cpp: random programs in which one node after the other makes the panel that all
// read behind the next barrier, on a slow network: what is ordered, asked for, pushed and fetched
// meets, and each read must see what the model says.
#include "test/Sanitized.h"
#include "test/unit/Appearances.h"
#include "test/unit/Cluster.h"
#include <array>
#include <gtest/gtest.h>
#include <random>

namespace ompdsm::test {
namespace {

constexpr std::size_t kPanelBytes = 3 * 4096, kLines = kPanelBytes / kLineBytes;
constexpr unsigned kPanels = 40;
constexpr SiteId kSite = 1, kOther = 2;

/// What happens between two barriers; the same for all nodes.
struct Step {
  unsigned made = 0;           ///< The panel that its owner makes.
  unsigned touchedBy = 0;      ///< Another node stores to a line of the panel behind it; or none.
  unsigned line = 0;           ///< That line.
  std::uint32_t reading = ~0u; ///< The nodes that read what was made before.
  std::uint32_t early = 0;     ///< Those that look at what will be made two steps later.
  bool isElsewhere = false;    ///< The barrier in front is at the other site.
};

std::vector<Step> makeProgram(std::uint64_t seed, unsigned nodes) {
  std::mt19937_64 random(seed);
  const auto oneIn = [&](unsigned count) { return random() % count == 0; };
  std::vector<Step> steps(kSanitized ? 60 : 160);
  unsigned panel = 0;
  for (Step &step : steps) {
    step.made = panel;
    step.touchedBy = oneIn(6) ? unsigned(random() % nodes) : nodes;
    step.line = unsigned(random() % kLines);
    step.reading = oneIn(10) ? std::uint32_t(random()) : ~0u;
    step.early = oneIn(10) ? std::uint32_t(random()) : 0;
    step.isElsewhere = oneIn(12);
    // Another matrix begins elsewhere, never at what is in use.
    panel = (panel + (oneIn(14) ? 5 + unsigned(random() % 20) : 1)) % kPanels;
  }
  return steps;
}

struct Program {
  Cluster &cluster;
  const std::vector<Step> &steps;
  bool checksAll = true; ///< Else what is read of a panel behind its first number has no check.
  std::atomic<unsigned> wrong{0};

  Address at(unsigned panel, unsigned line) const {
    return cluster.at(0, panel % kPanels * kPanelBytes + line * kLineBytes);
  }
  void expect(NodeThread &thread, const std::vector<int> &model, unsigned panel, unsigned line) {
    if (thread.peek<int>(at(panel, line)) != model[panel % kPanels * kLines + line])
      wrong.fetch_add(1);
  }
  void expectRead(NodeThread &thread, const std::vector<int> &model, unsigned panel,
                  unsigned line) {
    thread.check(at(panel, line), sizeof(int), Access::Read);
    expect(thread, model, panel, line);
  }
  /// Of one node.
  void run(NodeThread &thread, unsigned node) {
    const unsigned nodes = cluster.options().nodes;
    std::vector<int> model(kPanels * kLines);
    const Step *before = nullptr;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step &step = steps[i];
      if (step.made % nodes == node) {
        thread.check(at(step.made, 0), kPanelBytes, Access::Write);
        for (unsigned line = 0; line < kLines; ++line)
          thread.poke<int>(at(step.made, line), int(i * kLines + line));
      }
      if (step.touchedBy == node)
        thread.write<int>(at(step.made + 1, step.line), -int(i));
      if (before && (before->reading >> node & 1)) {
        expectRead(thread, model, before->made, 0);
        if (checksAll)
          thread.check(at(before->made, 0), kPanelBytes, Access::Read);
        for (unsigned line = 0; line < kLines; ++line)
          expect(thread, model, before->made, line);
      }
      if (step.early >> node & 1)
        expectRead(thread, model, step.made + 2, kLines / 2);
      for (unsigned line = 0; line < kLines; ++line)
        model[step.made * kLines + line] = int(i * kLines + line);
      if (step.touchedBy < nodes)
        model[(step.made + 1) % kPanels * kLines + step.line] = -int(i);
      thread.engineBarrier(step.isElsewhere ? kOther : kSite);
      before = &step;
    }
  }
};

ClusterOptions slowCluster(std::uint64_t seed) {
  ClusterOptions options;
  options.nodes = 2 + unsigned(seed % 3);
  options.areas = {{0, kPanels * kPanelBytes, 0, std::uint8_t(8 + seed % 5), seed % 2 == 0}};
  options.homePatience = seed % 2 == 0;
  options.prefetchBlocks = unsigned(seed % 3) * 8;
  options.pushFirst = seed % 4 != 3;
  options.sizePatience = unsigned(seed % 5 == 0);
  options.faults.emplace();
  options.faults->delayMax = std::chrono::microseconds(100);
  options.faults->seed = seed;
  return options;
}

TEST(MovingPanels, EachReadSeesWhatWasMadeLast) {
  std::uint64_t supplied = 0, expected = 0;
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 6 : 24); ++seed) {
    Cluster cluster(slowCluster(seed));
    std::array<Appearances, 4> pages;
    for (unsigned node = 1; node < cluster.options().nodes && seed % 3 == 0; ++node)
      cluster.engine(NodeId(node)).setPageSupplier(&pages[node]);
    const std::vector<Step> steps = makeProgram(seed, cluster.options().nodes);
    Program program{cluster, steps};
    runThreads(cluster, "moving panels, seed " + std::to_string(seed),
               [&](NodeThread &thread, unsigned node) { program.run(thread, node); });
    ASSERT_EQ(program.wrong.load(), 0u) << "seed " << seed;
    for (unsigned node = 0; node < cluster.options().nodes; ++node) {
      supplied += cluster.statistics(NodeId(node)).blocksSupplied;
      expected += cluster.statistics(NodeId(node)).blocksExpected;
    }
  }
  EXPECT_GT(supplied, 200u);
  EXPECT_GT(expected, 200u);
}

TEST(MovingPanelsCanary, ReadsWithoutChecksAreNoticed) {
  Cluster cluster(slowCluster(1));
  const std::vector<Step> steps = makeProgram(1, cluster.options().nodes);
  Program program{cluster, steps, /*checksAll=*/false};
  runThreads(cluster, "moving panels, without checks",
             [&](NodeThread &thread, unsigned node) { program.run(thread, node); });
  EXPECT_GT(program.wrong.load(), 0u);
}

} // namespace
} // namespace ompdsm::test
