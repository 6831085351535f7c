// ServedTest.cpp: a home keeps no twin, but a digest, of what it sends while its threads may store
// to it.
#include "protocol/engine/ServedDigest.h"
#include "test/unit/Duo.h"
#include <cpuid.h>
#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace ompdsm::test {
namespace {

BlockState atHome(Duo &duo) { return duo.cluster.stateAt(0, duo.at(0)); }
std::uint64_t twinsOfHome(Duo &duo) { return duo.cluster.statistics(0).twins; }

TEST(Served, WhatTheHomeDoesNotStoreToHasNoTwin) {
  Duo duo;
  duo.home.write<int>(duo.at(0), 41);
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 41);
  EXPECT_EQ(atHome(duo), BlockState::HomeServed);
  duo.home.release();
  EXPECT_EQ(atHome(duo), BlockState::Shared);
  EXPECT_EQ(twinsOfHome(duo), 0u);
  EXPECT_EQ(duo.cluster.statistics(0).invalidations, 0u);
}

TEST(Served, AStoreUnderAnEarlierPermissionIsTold) {
  Duo duo;
  duo.home.write<int>(duo.at(0), 41);
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 41);
  duo.home.poke<int>(duo.at(8), 42);
  duo.home.release();
  EXPECT_EQ(atHome(duo), BlockState::Exclusive);
  duo.one.syncPoint();
  EXPECT_EQ(duo.one.read<int>(duo.at(8)), 42);
}

TEST(Served, AStoreBeforeATwinWasMadeIsTold) {
  Duo duo;
  NodeThread late(duo.cluster, 0);
  late.check(duo.at(0), sizeof(int), Access::Write);
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 0);
  late.poke<int>(duo.at(0), 1);
  duo.home.write<int>(duo.at(8), 2); // a twin of memory that has the late store
  EXPECT_EQ(atHome(duo), BlockState::HomeDirty);
  late.release();
  duo.home.release();
  duo.one.syncPoint();
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 1);
  EXPECT_EQ(duo.one.read<int>(duo.at(8)), 2);
}

TEST(Served, AHomeWhoseThreadsAreOfflineTracksNothing) {
  Duo duo;
  duo.home.write<int>(duo.at(0), 41);
  duo.home.release();
  duo.home.goOffline();
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 41);
  EXPECT_EQ(atHome(duo), BlockState::Shared);
  duo.home.goOnline();
  duo.home.write<int>(duo.at(0), 42); // which is a miss
  duo.home.release();
  duo.one.syncPoint();
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 42);
}

/// Node 1 reads the block while the home may store to it; returns what the home keeps of that.
BlockState serve(Duo &duo) {
  duo.one.syncPoint();
  duo.home.check(duo.at(0), sizeof(int), Access::Write);
  EXPECT_EQ(atHome(duo), BlockState::Exclusive);
  duo.one.read<int>(duo.at(0));
  return atHome(duo);
}

TEST(Served, AHomeThatStoresToWhatItHasSentMakesATwinUntilThatIsInVain) {
  ClusterOptions options;
  options.pushUpdates = false; // each change ends sharing
  Duo duo(options);
  EXPECT_EQ(serve(duo), BlockState::HomeServed);
  duo.home.poke<int>(duo.at(0), 1);
  duo.home.release();
  EXPECT_EQ(serve(duo), BlockState::HomeDirty);
  duo.home.poke<int>(duo.at(0), 2);
  duo.home.release();
  EXPECT_EQ(serve(duo), BlockState::HomeDirty) << "it has stored again";
  duo.home.release();
  EXPECT_EQ(atHome(duo), BlockState::Shared);
  duo.home.write<int>(duo.at(0), 3);
  duo.home.release();
  EXPECT_EQ(serve(duo), BlockState::HomeServed) << "it has not";
}

TEST(Served, TwinsAreMadeIfDigestsAreSwitchedOff) {
  ClusterOptions options;
  options.keepDigests = false;
  Duo duo(options);
  EXPECT_EQ(serve(duo), BlockState::HomeDirty);
}

TEST(Served, WhatCodeWithoutChecksWritesHasATwin) {
  ClusterOptions options;
  options.areas = {{0, 4096, 0, 8, false, true}};
  Duo duo(options);
  EXPECT_EQ(serve(duo), BlockState::HomeDirty);
}

/// Components of the processor's state that are in use: 2 the upper halves of vector registers.
std::optional<unsigned> stateInUse() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kExtendedStates = 0xd, kTellsInUse = 4;
  if (!__builtin_cpu_supports("avx") || !__get_cpuid_count(kExtendedStates, 1, &a, &b, &c, &d) ||
      !(a & kTellsInUse))
    return std::nullopt;
  asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(1));
  return a;
}

/// Else what the program calls of libm takes many times as long.
TEST(Served, ADigestLeavesNoUpperHalvesOfRegistersInUse) {
  constexpr unsigned kUpperHalves = 1 << 2;
  const std::vector<std::byte> contents(4096, std::byte{7});
  for (const std::size_t bytes : {64, 256, 1024, 4096}) {
    const ServedDigest digest = servedDigestOf(contents.data(), bytes);
    const std::optional<unsigned> inUse = stateInUse();
    EXPECT_NE(digest, ServedDigest());
    if (!inUse)
      GTEST_SKIP() << "this processor does not tell";
    EXPECT_EQ(*inUse & kUpperHalves, 0u) << bytes;
  }
}

} // namespace
} // namespace ompdsm::test
