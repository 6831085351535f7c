// PushTest.cpp: changes are sent unasked to who reads all of them, and not for long to who does not.
#include "test/unit/Duo.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

/// The home writes in `phases` phases with a barrier behind each; node 1 reads after the last one.
void run(Duo &duo, int phases, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int value = 0;
    for (int phase = 0; phase < phases; ++phase) {
      value = duo.home.read<int>(duo.at(0)) + 1;
      duo.home.write<int>(duo.at(0), value);
      duo.barrier();
    }
    EXPECT_EQ(duo.one.read<int>(duo.at(0)), value);
    duo.barrier();
  }
}

struct Traffic {
  explicit Traffic(Duo &duo)
      : fetched(duo.cluster.statistics(1).blocksFetched),
        pushed(duo.cluster.statistics(0).blocksPushed),
        unread(duo.cluster.statistics(1).pushesUnread) {}
  std::uint64_t fetched, pushed, unread;
};

TEST(Push, WhatIsReadAfterOneOrTwoPhasesIsFetchedTwice) {
  for (const int phases : {1, 2}) {
    Duo duo;
    run(duo, phases, 100);
    const Traffic traffic(duo);
    EXPECT_EQ(traffic.fetched, 2u);
    EXPECT_GT(traffic.pushed, 97u);
    EXPECT_EQ(traffic.unread, 0u);
  }
}

TEST(Push, WhatIsReadAfterManyPhasesIsFetched) {
  constexpr std::uint64_t kRounds = 400;
  Duo duo;
  run(duo, /*phases=*/4, kRounds);
  const Traffic traffic(duo);
  EXPECT_GT(traffic.fetched, kRounds * 3 / 4);
  EXPECT_LT(traffic.pushed, kRounds / 2) << "of four in a round";
}

TEST(Push, WhoReadsEverythingAgainIsSentItAgain) {
  Duo duo;
  run(duo, /*phases=*/4, 100);
  const Traffic before(duo);
  run(duo, /*phases=*/1, 400);
  const Traffic after(duo);
  EXPECT_GT(after.pushed - before.pushed, 200u);
  EXPECT_LE(after.unread - before.unread, 1u);
}

} // namespace
} // namespace ompdsm::test
