// RaceTest.cpp: races between threads of one node that random programs hit too seldom; each is
// provoked many times. A correct engine passes whatever the timing.
#include "test/unit/Cluster.h"
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace ompdsm::test {
namespace {

/// Node 1 writes blocks of 64 KiB of node 0, so that looking at a block takes long.
ClusterOptions largeBlocks() {
  ClusterOptions options;
  options.areas = {{0, 65536, 0, 16, false}};
  return options;
}

/// Two threads that do something at the same time, again and again.
class Rendezvous {
public:
  void meet() { barrier_.arrive_and_wait(); }

private:
  std::barrier<> barrier_{2};
};

TEST(Race, ALateStoreIsNotLostWhenItsThreadSynchronisesDuringAnothersFlush) {
  Cluster cluster(largeBlocks());
  NodeThread home(cluster, 0), writer(cluster, 1), other(cluster, 1);
  constexpr unsigned kRounds = 3000;
  unsigned lost = 0;
  Rendezvous rendezvous;
  std::thread flusher([&] {
    for (unsigned round = 1; round <= kRounds; ++round) {
      rendezvous.meet();
      other.release();
      rendezvous.meet();
    }
  });
  for (unsigned round = 1; round <= kRounds; ++round) {
    Address mine = cluster.at(0, (round * 64) % 65536);
    writer.check(mine, 4, Access::Write);
    other.release(); // W is revoked now; the writer holds it
    rendezvous.meet();
    for (unsigned delay = 0; delay < round % 200; ++delay)
      __builtin_ia32_pause();
    writer.poke<unsigned>(mine, round);
    writer.release();
    rendezvous.meet();
    home.syncPoint();
    lost += home.read<unsigned>(mine) != round;
  }
  flusher.join();
  EXPECT_EQ(lost, 0u);
}

/// A thread that takes no part in the program's barriers: one that the program made by itself.
TEST(Race, AThreadOutsideOfTheTeamMayMissReleaseAndAddDuringBarriersThatMoveHomes) {
  ClusterOptions options;
  options.nodes = 3;
  options.areas = {{0, 4 * 4096, 0, 8, true}};
  Cluster cluster(options);
  constexpr unsigned kRounds = 300;
  constexpr std::size_t kOwnByte = 3 * 4096 + 100, kWord = 3 * 4096 + 512;
  std::atomic<bool> ended{false};
  std::atomic<std::uint64_t> added{0};
  std::atomic<unsigned> wrong{0};
  std::vector<std::thread> strays;
  for (NodeId node = 0; node < 3; ++node)
    strays.emplace_back([&, node] {
      NodeThread stray(cluster, node);
      for (unsigned i = 0; !ended; ++i) {
        // Between the words that the team writes.
        wrong += stray.read<std::uint8_t>(cluster.at(0, i * 256u % (3 * 4096) + 32)) != 0;
        stray.write<std::uint8_t>(cluster.at(0, kOwnByte + node), std::uint8_t(i));
        stray.atomicAdd(cluster.at(0, kWord), 1);
        added.fetch_add(1);
        stray.release();
        EXPECT_EQ(stray.read<std::uint8_t>(cluster.at(0, kOwnByte + node)), std::uint8_t(i));
        std::this_thread::yield();
      }
    });
  runThreads(cluster, "barriers beside threads outside of the team",
             [&](NodeThread &thread, unsigned index) {
               for (unsigned round = 0; round < kRounds; ++round) {
                 // Each page has one writer for three rounds, then another.
                 Address page = cluster.at(0, (index + round / 3) % 3 * 4096);
                 for (std::size_t at = 0; at < 4096; at += 64)
                   thread.write<unsigned>(page + at, round);
                 thread.engineBarrier();
                 for (std::size_t at = 0; at < 3 * 4096; at += 64)
                   wrong += thread.read<unsigned>(cluster.at(0, at)) != round;
                 thread.engineBarrier();
               }
               if (index == 0)
                 ended = true;
             });
  for (std::thread &stray : strays)
    stray.join();
  EXPECT_EQ(wrong.load(), 0u);
  NodeThread reader(cluster, 1);
  EXPECT_EQ(reader.atomicLoad(cluster.at(0, kWord)), added.load());
}

/// A fetch that such a thread began before a library wrote at the home may end after the barrier.
TEST(Race, AFetchOfForeignBytesThatIsUnderWayInABarrierBringsNothingOldBehindIt) {
  ClusterOptions options;
  options.nodes = 2;
  options.areas = {{0, 4096, 0, 8, false, true, true}};
  Cluster cluster(options);
  constexpr unsigned kRounds = 2000;
  std::atomic<bool> ended{false};
  unsigned old = 0;
  std::thread stray([&] {
    NodeThread thread(cluster, 1);
    for (unsigned i = 0; !ended; ++i) {
      thread.syncPoint();
      if (i % 2)
        thread.write<unsigned>(cluster.at(0, 64), i);
      else
        thread.read<unsigned>(cluster.at(0, 64));
      std::this_thread::yield();
    }
  });
  runThreads(cluster, "barriers beside fetches of foreign bytes",
             [&](NodeThread &thread, unsigned index) {
               for (unsigned round = 1; round <= kRounds; ++round) {
                 if (index == 0)
                   thread.poke<unsigned>(cluster.at(0, 0), round);
                 thread.engineBarrier();
                 if (index == 1)
                   old += thread.read<unsigned>(cluster.at(0, 0)) != round;
                 thread.engineBarrier();
               }
               if (index == 0)
                 ended = true;
             });
  stray.join();
  EXPECT_EQ(old, 0u);
}

} // namespace
} // namespace ompdsm::test
