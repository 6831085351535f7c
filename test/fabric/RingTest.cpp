// RingTest.cpp: rings of large messages: nothing is laid over what is not delivered; and the files
// in which they are.
#include "fabric/ofi/MessageRing.h"
#include "fabric/ofi/SharedFile.h"
#include <cstring>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

namespace ompdsm::test {
namespace {

using namespace fabric;

/// One channel of a pair of nodes: the window, and which bytes of the ring are not delivered yet.
class Channel {
public:
  /// Sends a message, after as many others were delivered as the window wants. False if it lies
  /// over one that is not delivered, or outside of the ring.
  bool send(std::size_t bytes, bool believesAllDelivered = false) {
    const std::uint32_t cost = messageCost(bytes);
    while (undelivered_ + cost > kLocalWindowBytes)
      deliver();
    const LaidMessage laid = writer_.place(bytes, believesAllDelivered || sent_.empty());
    bool isRight = laid.offset + laid.bytes <= kRingBytes && laid.bytes == bytes;
    for (const LaidMessage &other : sent_)
      isRight &=
          laid.offset >= other.offset + other.bytes || other.offset >= laid.offset + laid.bytes;
    writer_.advance(laid);
    sent_.push_back(laid);
    undelivered_ += cost;
    return isRight;
  }
  void deliver() {
    undelivered_ -= messageCost(sent_.front().bytes);
    sent_.pop_front();
  }
  bool isEmpty() const { return sent_.empty(); }

private:
  RingWriter writer_;
  std::deque<LaidMessage> sent_;
  std::uint32_t undelivered_ = 0;
};

TEST(MessageRing, NothingIsLaidOverWhatIsNotDelivered) {
  std::mt19937 random(1);
  for (const std::size_t least : {kMostInLetter + 1, kMaxMessageBytes / 2, kMaxMessageBytes}) {
    Channel channel;
    std::uniform_int_distribution<std::size_t> size(least, kMaxMessageBytes);
    for (int i = 0; i < 20000; i++) {
      ASSERT_TRUE(channel.send(size(random))) << i << " from " << least << " bytes on";
      for (auto ready = random() % 3; ready != 0 && !channel.isEmpty(); ready--)
        channel.deliver();
    }
  }
}

TEST(MessageRing, WhoTakesSentForDeliveredIsFoundOut) {
  Channel channel;
  EXPECT_TRUE(channel.send(kMaxMessageBytes));
  EXPECT_FALSE(channel.send(kMaxMessageBytes, true));
}

TEST(MessageRing, AMessageOutsideOfTheRingIsNotRead) {
  alignas(64) static std::byte ring[kRingBytes];
  EXPECT_EQ(laidAt(ring, {64, 5000}).data(), ring + 64);
  EXPECT_EQ(laidAt(ring, {kRingBytes - 5000, 5000}).size(), 5000u);
  EXPECT_DEATH(laidAt(ring, {kRingBytes - 4999, 5000}), "");
  EXPECT_DEATH(laidAt(ring, {0, kMaxMessageBytes + 1}), "");
}

TEST(SharedFile, OthersSeeWhatIsWrittenAndMayNotWrite) {
  using Access = SharedFile::Access;
  SharedFile file;
  Mapping own;
  ASSERT_TRUE(SharedFile::create("ompdsm-test", 3 * 4096, file).isOk());
  ASSERT_TRUE(file.map(4096, 4096, Access::ReadAndWrite, own).isOk());
  std::memcpy(own.data(), "seen", 5);
  const pid_t child = fork();
  if (child == 0) {
    SharedFile opened;
    Mapping theirs;
    const bool isRight = SharedFile::open(getppid(), file.descriptor(), opened).isOk() &&
                         opened.map(4096, 4096, Access::Read, theirs).isOk() &&
                         std::memcmp(theirs.data(), "seen", 5) == 0;
    _exit(isRight ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  SharedFile opened;
  Mapping theirs;
  ASSERT_TRUE(SharedFile::open(getpid(), file.descriptor(), opened).isOk());
  ASSERT_TRUE(opened.map(4096, 4096, Access::Read, theirs).isOk());
  EXPECT_DEATH(theirs.data()[0] = std::byte(1), "");
}

TEST(SharedFile, OneThatIsNotThereIsNamed) {
  SharedFile file;
  const Status status = SharedFile::open(getpid(), 100000, file);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("/fd/100000"), std::string::npos) << status.message();
}

} // namespace
} // namespace ompdsm::test
