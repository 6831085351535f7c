// DoorbellTest.cpp: for whom a sender rings.
#include "fabric/ofi/Doorbell.h"
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ompdsm::test {
namespace {

using namespace fabric;

/// One node's doorbell, as it has it and as its peer does.
struct Pair {
  Doorbell own, peers;
  Pair() {
    EXPECT_TRUE(Doorbell::create(own).isOk());
    EXPECT_TRUE(Doorbell::open(getpid(), own.fileDescriptor(), peers).isOk());
  }
  /// Whether a message that comes now ends the owner's sleep.
  bool rings(Urgency urgency) {
    const std::uint32_t before = own.rings();
    (void)peers.ringAfterSend(urgency);
    return own.rings() != before;
  }
};

TEST(Doorbell, NobodyRingsForWhoIsAwake) {
  Pair doorbell;
  EXPECT_FALSE(doorbell.rings(Urgency::Now));
  doorbell.own.announceSleep();
  EXPECT_TRUE(doorbell.rings(Urgency::Now));
  EXPECT_FALSE(doorbell.rings(Urgency::Now)) << "one ring is enough";
}

TEST(Doorbell, NobodyRingsForWhoPolls) {
  Pair doorbell;
  doorbell.own.announceSleep();
  doorbell.own.addPoller();
  EXPECT_FALSE(doorbell.rings(Urgency::Now));
  EXPECT_TRUE(doorbell.own.removePoller());
  EXPECT_TRUE(doorbell.rings(Urgency::Now));
}

TEST(Doorbell, WhatIsUrgentPressesThoseWhoPollUntilTheyLook) {
  Pair doorbell;
  doorbell.own.addPoller();
  EXPECT_FALSE(doorbell.peers.ringAfterSend(Urgency::WhenWaiting));
  EXPECT_TRUE(doorbell.peers.ringAfterSend(Urgency::WhenSeen)) << "they may end without a look";
  EXPECT_FALSE(doorbell.own.isPressing());
  doorbell.peers.ringIfUnseen();
  EXPECT_TRUE(doorbell.own.isPressing());
  doorbell.own.takeAttention();
  EXPECT_FALSE(doorbell.own.isPressing());
  EXPECT_FALSE(doorbell.peers.ringAfterSend(Urgency::Now));
  EXPECT_TRUE(doorbell.own.isPressing()) << "also of one who is awake: he leaves it to them";
  doorbell.own.takeAttention();
  doorbell.own.keepAttention();
  EXPECT_TRUE(doorbell.own.isPressing()) << "the look was not the last one";
}

TEST(Doorbell, WhatIsForThoseWhoWaitRingsIfSomebodyWaits) {
  Pair doorbell;
  doorbell.own.announceSleep();
  EXPECT_FALSE(doorbell.rings(Urgency::WhenWaiting));
  doorbell.own.addWaiter();
  doorbell.own.addWaiter();
  doorbell.own.removeWaiter();
  EXPECT_TRUE(doorbell.rings(Urgency::WhenWaiting));
  doorbell.own.announceSleep();
  doorbell.own.removeWaiter();
  EXPECT_FALSE(doorbell.rings(Urgency::WhenWaiting));
}

TEST(Doorbell, WhatIsToBeSeenSetsTheFlagAndRingsWhenItIsInsistedOn) {
  Pair doorbell;
  EXPECT_FALSE(doorbell.peers.ringAfterSend(Urgency::WhenSeen)) << "its owner is awake";
  doorbell.own.announceSleep();
  const std::uint32_t before = doorbell.own.rings();
  EXPECT_TRUE(doorbell.peers.ringAfterSend(Urgency::WhenSeen));
  EXPECT_EQ(doorbell.own.rings(), before);
  doorbell.own.takeAttention();
  doorbell.peers.ringIfUnseen();
  EXPECT_EQ(doorbell.own.rings(), before) << "it has been seen";
  EXPECT_TRUE(doorbell.peers.ringAfterSend(Urgency::WhenSeen));
  doorbell.peers.ringIfUnseen();
  EXPECT_NE(doorbell.own.rings(), before);
}

TEST(Doorbell, WhatIsToBeSeenRingsForWhoWaits) {
  Pair doorbell;
  doorbell.own.announceSleep();
  doorbell.own.addWaiter();
  EXPECT_TRUE(doorbell.rings(Urgency::WhenSeen));
}

TEST(Doorbell, TheFlagIsAPageOfTheFile) {
  Pair doorbell;
  const auto bytes = std::size_t(getpagesize());
  void *page = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, doorbell.own.fileDescriptor(),
                    off_t(Doorbell::kAttentionPage));
  ASSERT_NE(page, MAP_FAILED);
  const auto *flag = static_cast<const volatile char *>(page) + kAttentionOffset;
  EXPECT_EQ(*flag, 0);
  doorbell.own.announceSleep();
  (void)doorbell.peers.ringAfterSend(Urgency::WhenSeen);
  EXPECT_NE(*flag, 0);
  doorbell.own.takeAttention();
  EXPECT_EQ(*flag, 0);
  munmap(page, bytes);
}

} // namespace
} // namespace ompdsm::test
