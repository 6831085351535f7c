// StressTest.cpp: random programs with fixed seeds, and canaries that must fail.
//
// OMPDSM_STRESS_SEED adds to every seed, to search further than the fixed list.
#include "test/unit/Stress.h"
#include "test/Sanitized.h"
#include <cstdlib>
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

std::uint64_t seedOffset() {
  const char *text = std::getenv("OMPDSM_STRESS_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 0;
}

/// Three areas of different block sizes and homes; cut off by their ends, some with moving homes.
ClusterOptions cluster(unsigned nodes, unsigned threadsPerNode, std::uint64_t seed) {
  ClusterOptions options;
  options.nodes = nodes;
  options.threadsPerNode = threadsPerNode;
  auto shift = [&](unsigned index) { return std::uint8_t(6 + (seed * 3 + index * 4) % 8); };
  options.areas = {{4096, 8192 + 192, 0, shift(0), false, seed % 2 == 0, seed % 4 == 0},
                   {4 * 4096, 3 * 4096, NodeId(nodes - 1), shift(1), true, false},
                   {8 * 4096, 4096 + 64, NodeId(nodes / 2), shift(2), true, false}};
  options.prefetchBlocks = unsigned(seed % 3) * 8;
  options.spinMicroseconds = seed % 2 ? 20 : 0;
  options.sites = seed % 4;
  options.sizePatience = unsigned(seed % 4 != 0);
  return options;
}

struct Variant {
  const char *name;
  double locks, atomics, releases, offline, holds;
  bool faults;
  std::size_t cacheLimitBytes = 0;
  double overwrites = 0;
};
constexpr Variant kVariants[] = {
    {"Barriers", 0, 0, 0, 0, 0, false},
    {"BarriersWithHeldPermissions", 0, 0, 0.1, 0, 0.7, false},
    {"Locks", 0.5, 0, 0, 0, 0, false},
    {"LocksWithHeldPermissions", 0.3, 0, 0.05, 0.02, 0.7, false},
    {"Atomics", 0, 0.3, 0.05, 0, 0.5, false},
    {"Everything", 0.1, 0.1, 0.05, 0.05, 0.6, false},
    {"EverythingOnASlowNetwork", 0.1, 0.1, 0.05, 0.05, 0.6, true},
    {"EverythingInTwoPages", 0.1, 0.1, 0.05, 0.05, 0.6, false, 8192},
    {"LocksInOnePage", 0.3, 0, 0.05, 0.02, 0.7, true, 4096},
    {"Overwrites", 0, 0, 0.1, 0.02, 0.4, false, 0, 0.1},
    {"EverythingAndOverwrites", 0.1, 0.1, 0.05, 0.05, 0.6, true, 8192, 0.1},
};
struct Shape {
  unsigned nodes, threadsPerNode;
};
constexpr Shape kShapes[] = {{2, 1}, {2, 2}, {3, 2}, {4, 1}, {2, 3}, {4, 3}};

StressOptions stress(const Variant &variant, const Shape &shape, std::uint64_t seed) {
  StressOptions options;
  options.seed = seed + seedOffset();
  options.cluster = cluster(shape.nodes, shape.threadsPerNode, options.seed);
  options.locks = variant.locks;
  options.atomics = variant.atomics;
  options.releases = variant.releases;
  options.offline = variant.offline;
  options.holds = variant.holds;
  options.overwrites = variant.overwrites;
  options.cluster.cacheLimitBytes = variant.cacheLimitBytes;
  if (variant.faults) {
    options.phases = 6;
    options.operationsPerPhase = 60;
    options.cluster.limits = {2, fabric::kMaxMessageBytes};
    options.cluster.faults.emplace();
    options.cluster.faults->delayMax = std::chrono::microseconds(300);
    options.cluster.faults->blockProbability = 0.1;
    options.cluster.faults->seed = options.seed;
  }
  return options;
}

class Stress : public testing::TestWithParam<std::tuple<Variant, Shape>> {};

TEST_P(Stress, EveryReadSeesWhatItsOrderSays) {
  const auto &[variant, shape] = GetParam();
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 1 : 4); ++seed) {
    StressOptions options = stress(variant, shape, seed);
    ASSERT_EQ(runStress(options), "");
  }
}

std::string nameOfProgram(const testing::TestParamInfo<Stress::ParamType> &info) {
  const auto &[variant, shape] = info.param;
  return std::string(variant.name) + "On" + std::to_string(shape.nodes) + "NodesOf" +
         std::to_string(shape.threadsPerNode);
}
INSTANTIATE_TEST_SUITE_P(Program, Stress,
                         testing::Combine(testing::ValuesIn(kVariants), testing::ValuesIn(kShapes)),
                         nameOfProgram);

TEST(StressCanary, LocksThatPassOnWithoutAReleaseAreNoticed) {
  StressOptions options = stress(kVariants[2], {3, 2}, 1);
  options.forgetsReleases = true;
  EXPECT_NE(runStress(options), "");
}

TEST(StressCanary, PermissionsUsedAfterASynchronisationPointAreNoticed) {
  StressOptions options = stress(kVariants[3], {3, 2}, 1);
  options.forgetsSyncPoints = true;
  EXPECT_NE(runStress(options), "");
}

} // namespace
} // namespace ompdsm::test
