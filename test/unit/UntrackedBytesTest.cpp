// UntrackedBytesTest.cpp: memory that code without checks writes at its home, and memory that its
// home can not tell readers about.
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

ClusterOptions untracked() {
  ClusterOptions options = Trio::threeNodes();
  options.areas[0].untracked = true;
  return options;
}

TEST(UntrackedBytes, AHomeWithUntrackedBytesTellsItsReadersOfEveryInterval) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.home.release(); // the block is Shared now
  ASSERT_EQ(trio.cluster.stateAt(0, trio.at(0)), BlockState::Shared);
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented
  trio.home.write<int>(trio.at(0), 9);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9);
}

/// Each block is fetched before it is written, though there is a copy: but not one by one.
TEST(UntrackedBytes, WhoWritesOneBlockAfterTheOtherAsksForManyTogether) {
  ClusterOptions options = untracked();
  options.areas[0].bytes = 64 * 256;
  Trio trio(options);
  for (int pass = 0; pass < 2; ++pass) {
    const std::uint64_t before = trio.cluster.sent(1, MessageKind::Get);
    for (std::size_t block = 0; block < 64; ++block)
      trio.one.write<int>(trio.at(block * 256), int(block) + pass);
    EXPECT_LE(trio.cluster.sent(1, MessageKind::Get), before + 10);
    trio.barrier();
    for (std::size_t block = 0; block < 64; ++block)
      ASSERT_EQ(trio.two.read<int>(trio.at(block * 256)), int(block) + pass);
    trio.barrier();
  }
}

TEST(UntrackedBytes, CopiesOfForeignBytesEndWithTheInterval) {
  ClusterOptions options = untracked();
  options.areas[0].foreign = true;
  for (int way = 0; way < 4; ++way) {
    Trio trio(options);
    EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
    trio.one.write<int>(trio.at(64), 1); // And a block that is open for writing.
    trio.home.poke<int>(trio.at(0), 9);  // by a library, for the program to read
    trio.home.poke<int>(trio.at(256), 8);
    trio.home.release();
    switch (way) {
    case 0:
      trio.one.syncPoint();
      break;
    case 1:
      trio.one.release();
      trio.one.syncPoint();
      break;
    case 2:
      trio.barrier();
      break;
    case 3:
      trio.one.goOffline();
      trio.one.goOnline();
      break;
    }
    EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9) << way;
    EXPECT_EQ(trio.one.read<int>(trio.at(256)), 8) << way;
    EXPECT_EQ(trio.one.read<int>(trio.at(64)), 1) << way;
  }
}

TEST(UntrackedBytes, CopiesOfForeignBytesThatAnotherThreadTookDuringABarrierEndWithIt) {
  ClusterOptions options = untracked();
  options.areas[0].foreign = true;
  options.nodes = 2;
  Duo duo(options);
  NodeThread stray(duo.cluster, 1);
  duo.oneArrives();
  stray.write<int>(duo.at(64), 1);
  duo.home.release();               // the block is Shared now
  duo.home.poke<int>(duo.at(0), 9); // by a library, before its node arrives
  duo.homeFollows();
  EXPECT_EQ(duo.one.read<int>(duo.at(0)), 9);
  EXPECT_EQ(duo.one.read<int>(duo.at(64)), 1);
}

TEST(UntrackedBytes, AnAtomicOfAHomeWithUntrackedBytesTellsItsReadersToo) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  trio.home.release();
  trio.home.poke<int>(trio.at(0), 9); // by code that is not instrumented
  trio.home.atomicStore(trio.at(64), 0);
  trio.home.write<int>(trio.at(0), 9);
  trio.home.release();
  trio.one.syncPoint();
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 9);
}

// A spill slot of code without checks, at 0, that becomes a variable. Its first value comes from
// node 1, with a check.

void spillAtHome(Trio &trio, int value) {
  trio.home.poke<int>(trio.at(0), value);
  trio.home.release();
}
void storeFromOne(Trio &trio, int value) {
  trio.one.syncPoint();
  trio.one.write<int>(trio.at(0), value);
  trio.one.release();
}
int readAfter(Trio &trio, NodeThread &thread) {
  thread.syncPoint();
  return thread.read<int>(trio.at(0));
}

TEST(UntrackedBytes, AStoreOfTheValueInAnOldCopyOverUntrackedBytesReachesTheHome) {
  Trio trio(untracked());
  EXPECT_EQ(trio.one.read<int>(trio.at(0)), 0);
  spillAtHome(trio, 9);
  storeFromOne(trio, 0);
  EXPECT_EQ(readAfter(trio, trio.home), 0);
}

TEST(UntrackedBytes, AStoreOfWhatUntrackedBytesHoldAtTheHomeReachesOtherCopies) {
  Trio trio(untracked());
  EXPECT_EQ(trio.two.read<int>(trio.at(0)), 0);
  trio.home.release(); // the block is Shared now
  spillAtHome(trio, 9);
  storeFromOne(trio, 9);
  EXPECT_EQ(readAfter(trio, trio.two), 9);
}

TEST(UntrackedBytes, AStoreOverUntrackedBytesReachesTheHomeFromABlockWrittenBefore) {
  Trio trio(untracked());
  trio.one.write<int>(trio.at(64), 1); // opens the block
  trio.home.release();                 // the home's block is Shared
  spillAtHome(trio, 9);
  storeFromOne(trio, 0);
  EXPECT_EQ(readAfter(trio, trio.home), 0);
}

} // namespace
} // namespace ompdsm::test
