// DoorbellTest.cpp: for whom a sender rings.
#include "fabric/ofi/Doorbell.h"
#include <gtest/gtest.h>
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
    peers.ringAfterSend(urgency);
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

} // namespace
} // namespace ompdsm::test
