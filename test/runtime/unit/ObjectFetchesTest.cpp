// ObjectFetchesTest.cpp: when an object is fetched whole in front of a loop.
#include "libompdsm/src/ObjectFetches.h"
#include <gtest/gtest.h>

namespace ompdsm {
namespace {

constexpr std::size_t kKiB = 1024, kObjectBytes = 64 * kKiB;
constexpr AddressRange kObject{0x1000000, 0x1000000 + kObjectBytes},
    kOther{0x2000000, 0x2000000 + kObjectBytes};

struct ObjectFetchesTest : testing::Test {
  bool ask(AddressRange object = kObject, std::size_t missing = kObjectBytes) {
    return fetches.isWorthFetching(&place, object, missing);
  }
  void miss(unsigned times, AddressRange object = kObject) {
    for (unsigned i = 0; i < times; ++i)
      fetches.noteMiss(object.begin + i * kKiB);
  }
  ObjectFetches fetches{16 * kObjectBytes, kKiB};
  int place = 0;
};

TEST_F(ObjectFetchesTest, NothingIsFetchedBeforeALoopHasMissed) {
  EXPECT_FALSE(ask());
  EXPECT_FALSE(ask());
}

TEST_F(ObjectFetchesTest, WhatALoopMissedOnOftenIsFetched) {
  EXPECT_FALSE(ask());
  miss(40);
  EXPECT_TRUE(ask());
  EXPECT_TRUE(ask()) << "it had no chance to miss";
}

TEST_F(ObjectFetchesTest, WhatChangesIsFetchedOnlyIfMostOfItIsRead) {
  EXPECT_FALSE(ask());
  miss(20);
  EXPECT_TRUE(ask()) << "it may be that nobody writes it";
  EXPECT_FALSE(ask()) << "but it was missing again";
  for (int round = 0; round < 5; ++round) {
    miss(20);
    EXPECT_FALSE(ask());
  }
  miss(40);
  EXPECT_TRUE(ask());
}

TEST_F(ObjectFetchesTest, FewMissesOfMuchAreNotWorthIt) {
  EXPECT_FALSE(ask());
  miss(2);
  EXPECT_FALSE(ask());
  miss(20);
  EXPECT_TRUE(ask()) << "the last run decides";
}

TEST_F(ObjectFetchesTest, OnceInAWhileTheLoopShowsWhatItNeeds) {
  EXPECT_FALSE(ask());
  miss(40);
  unsigned inTurn = 0;
  while (inTurn < 1000 && ask())
    ++inTurn;
  EXPECT_GE(inTurn, 8u);
  EXPECT_LT(inTurn, 100u);
  EXPECT_FALSE(ask()) << "it missed nowhere";
}

TEST_F(ObjectFetchesTest, WhatARunHardlyComesToIsLookedAtSomeTimes) {
  const auto look = [&] { return fetches.lookAtMissing(&place, kObject); };
  constexpr std::size_t kRest = 16 * kKiB;
  EXPECT_FALSE(ask());
  miss(2);
  EXPECT_FALSE(ask(kObject, kRest));
  EXPECT_EQ(look(), 0u) << "a run has just read all but that";
  miss(1);
  EXPECT_FALSE(ask(kObject, 2 * kRest)) << "something was closed, and looked at";
  EXPECT_EQ(look(), 0u);
  EXPECT_FALSE(ask(kObject, kRest));
  EXPECT_EQ(look(), 1u);
  EXPECT_EQ(look(), 0u) << "not twice for one run";
  unsigned last = 1;
  for (int round = 0; round < 100; ++round) {
    EXPECT_FALSE(ask(kObject, kRest));
    if (const unsigned number = look())
      EXPECT_EQ(number, ++last);
  }
  EXPECT_GT(last, 1u) << "what was in use is no more";
  EXPECT_LT(last, 10u);
}

TEST_F(ObjectFetchesTest, WhatRunsComeToIsReached) {
  for (std::size_t rest = kObjectBytes / 2; rest > kKiB; rest = rest * 2 / 3) {
    EXPECT_FALSE(ask(kObject, rest));
    EXPECT_EQ(fetches.lookAtMissing(&place, kObject), 0u) << "each run comes to much of it";
  }
}

TEST_F(ObjectFetchesTest, MissesOnOtherObjectsDoNotCount) {
  EXPECT_FALSE(ask());
  EXPECT_FALSE(ask(kOther));
  miss(20, kOther);
  EXPECT_FALSE(ask());
  EXPECT_TRUE(ask(kOther));
}

TEST_F(ObjectFetchesTest, NoMoreThanTheLimitIsFetched) {
  constexpr AddressRange large{0x10000000, 0x10000000 + 32 * kObjectBytes};
  EXPECT_FALSE(ask(large, large.bytes()));
  miss(1000, large);
  EXPECT_FALSE(ask(large, large.bytes()));
  EXPECT_FALSE(ask(large, kObjectBytes));
  miss(1000, large);
  EXPECT_TRUE(ask(large, kObjectBytes)) << "what is missing counts, not the object's size";
}

} // namespace
} // namespace ompdsm
