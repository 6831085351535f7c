// PrefetchTest.cpp: what is fetched ahead of a thread that misses in one block after the other.
#include "protocol/engine/Prefetch.h"
#include "test/unit/Duo.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

/// Nothing is there.
unsigned miss(PrefetchStreams &streams, Address at, unsigned limit) {
  return streams.onMiss(at, at, limit, [](Address, Address) { return false; }).blocks;
}

TEST(PrefetchStreams, ASequenceDoublesItsWindowUpToTheLimit) {
  PrefetchStreams streams;
  Address at = 0x10000;
  unsigned window = miss(streams, at, 8);
  EXPECT_EQ(window, 0u) << "one miss is no sequence";
  for (unsigned expected : {1, 2, 4, 8, 8}) {
    at += 256 * (window + 1);
    streams.onFetched(at);
    window = miss(streams, at, 8);
    EXPECT_EQ(window, expected);
  }
}

TEST(PrefetchStreams, AJumpBeginsAnew) {
  PrefetchStreams streams;
  miss(streams, 0x10000, 8);
  streams.onFetched(0x10100);
  EXPECT_EQ(miss(streams, 0x20000, 8), 0u);
  streams.onFetched(0x20100);
  EXPECT_EQ(miss(streams, 0x10100, 8), 1u) << "streams beside each other do not disturb";
}

TEST(PrefetchStreams, WhatIsHereIsPassedOver) {
  PrefetchStreams streams;
  bool isHere = true, passes = false;
  const auto missAt = [&](Address at) {
    const auto ahead = streams.onMiss(at - 256, at, 8, [&](Address from, Address to) {
      EXPECT_LT(from, to);
      return isHere;
    });
    streams.onFetched(at + 512);
    passes = ahead.passes;
    return ahead.blocks;
  };
  EXPECT_EQ(missAt(0x10000), 0u);
  EXPECT_EQ(missAt(0x10800), 1u);
  EXPECT_TRUE(passes);
  EXPECT_EQ(missAt(0x10b00), 2u);
  EXPECT_FALSE(passes) << "what is asked for begins where the last fetch ended";
  isHere = false;
  EXPECT_EQ(missAt(0x11800), 0u) << "others are missing between";
  isHere = true;
  EXPECT_EQ(missAt(0x11a00 + PrefetchStreams::kMostPassed + 1), 0u) << "far away";
  EXPECT_EQ(missAt(0x51000), 0u);
  EXPECT_EQ(missAt(0x51800), 1u);
  streams.endInterval();
  EXPECT_EQ(missAt(0x52000), 0u) << "in another interval";
  streams.endInterval();
  EXPECT_EQ(missAt(0x52300), 1u) << "where the last one ended";
}

TEST(PrefetchStreams, WithLimitZeroNothingIsFetchedAhead) {
  PrefetchStreams streams;
  Address at = 0x10000;
  for (int i = 0; i < 5; ++i, at += 256) {
    EXPECT_EQ(miss(streams, at, 0), 0u);
    streams.onFetched(at + 256);
  }
}

TEST(PrefetchStreams, MoreStreamsThanPlacesForgetTheOldest) {
  PrefetchStreams streams;
  for (Address stream = 1; stream <= 17; ++stream) {
    miss(streams, stream << 20, 8);
    streams.onFetched((stream << 20) + 256);
  }
  EXPECT_EQ(miss(streams, (Address(17) << 20) + 256, 8), 1u);
  streams.onFetched((Address(17) << 20) + 768);
  EXPECT_EQ(miss(streams, (Address(1) << 20) + 256, 8), 0u);
}

/// Node 1 reads every `stride`th of 64 blocks, from `first` on.
void readBlocks(Duo &duo, std::size_t first, std::size_t stride) {
  constexpr std::size_t kBlock = 256, kBlocks = 64;
  for (std::size_t block = first; block < kBlocks; block += stride)
    EXPECT_EQ(duo.one.read<int>(duo.at(block * kBlock)), 0);
}

TEST(Prefetch, WhatIsMissingInEachRowIsFetchedAheadOverWhatIsHere) {
  ClusterOptions options;
  options.areas = {{0, 64 * 256, 0, 8}};
  options.prefetchBlocks = 16;
  Duo duo(options);
  readBlocks(duo, 0, 4); // others are missing between
  const auto gets = duo.cluster.sent(1, MessageKind::Get);
  EXPECT_EQ(gets, 16u);
  readBlocks(duo, 1, 4);
  EXPECT_EQ(duo.cluster.sent(1, MessageKind::Get) - gets, 16u) << "so they are still";
  readBlocks(duo, 2, 4);
  duo.barrier();
  const auto before = duo.cluster.sent(1, MessageKind::Get);
  readBlocks(duo, 3, 4);
  EXPECT_LT(duo.cluster.sent(1, MessageKind::Get) - before, 8u);
  EXPECT_EQ(duo.cluster.statistics(1).blocksFetched, 64u);
}

} // namespace
} // namespace ompdsm::test
