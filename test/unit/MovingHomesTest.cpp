// MovingHomesTest.cpp: pages whose home moves at a barrier, on three nodes.
#include "test/unit/Trio.h"
#include <gtest/gtest.h>
#include <thread>

namespace ompdsm::test {
namespace {

ClusterOptions migratable() {
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, 4 * 4096, 0, 8, true}};
  return options;
}

TEST(Engine, APageThatOneOtherNodeWroteMovesThere) {
  Trio trio(migratable());
  for (std::size_t at = 4096; at < 2 * 4096; ++at)
    trio.one.write<std::uint8_t>(trio.at(at), std::uint8_t(at * 7));
  trio.barrier();
  trio.barrier(); // the home may learn of the fetches after its own release
  for (NodeId node = 0; node < 3; ++node) {
    EXPECT_EQ(trio.cluster.engine(node).homeOf(trio.at(4096)), 1);
    EXPECT_EQ(trio.cluster.engine(node).homeOf(trio.at(0)), 0);
  }
  for (NodeThread *thread : {&trio.two, &trio.home, &trio.one})
    for (std::size_t at = 4096; at < 2 * 4096; ++at)
      ASSERT_EQ(thread->read<std::uint8_t>(trio.at(at)), std::uint8_t(at * 7));
}

TEST(Engine, APageMovesAtTheFirstBarrierWhoeverArrivesFirst) {
  Trio trio(migratable());
  std::thread early([&] { trio.home.engineBarrier(); });
  while (!trio.cluster.engine(0).isInBarrier())
    std::this_thread::yield();
  for (std::size_t at = 4096; at < 2 * 4096; ++at)
    trio.one.write<std::uint8_t>(trio.at(at), 1);
  std::thread two([&] { trio.two.engineBarrier(); });
  trio.one.engineBarrier();
  early.join();
  two.join();
  for (NodeId node = 0; node < 3; ++node)
    EXPECT_EQ(trio.cluster.engine(node).homeOf(trio.at(4096)), 1);
}

TEST(Engine, APageThatTwoNodesWroteStays) {
  Trio trio(migratable());
  for (std::size_t at = 0; at < 4096; ++at)
    (at % 2 ? trio.one : trio.two).write<std::uint8_t>(trio.at(at), 1);
  trio.barrier();
  trio.barrier();
  EXPECT_EQ(trio.cluster.engine(0).homeOf(trio.at(0)), 0);
}

TEST(Engine, AReaderOfAMovedPageGetsItFromTheNewHome) {
  Trio trio(migratable());
  for (int round = 1; round < 6; ++round) {
    NodeThread &writer = round % 2 ? trio.one : trio.two;
    for (std::size_t at = 0; at < 4096; at += 4)
      writer.write<int>(trio.at(at), round + int(at));
    trio.barrier();
    for (NodeThread *thread : {&trio.two, &trio.home, &trio.one})
      for (std::size_t at = 0; at < 4096; at += 4)
        ASSERT_EQ(thread->read<int>(trio.at(at)), round + int(at));
    trio.barrier();
  }
}

/// The word of the second half has more to say of them than one message holds.
TEST(Engine, PagesOfTwoHomesThatMoveOneByOneAllMove) {
  constexpr std::size_t kPages = 3000, kPage = 4096;
  ClusterOptions options = Trio::threeNodes();
  options.areas = {{0, kPages * kPage, 0, 12, true}, {kPages * kPage, kPages * kPage, 1, 12, true}};
  Trio trio(options);
  NodeThread *const threads[] = {&trio.home, &trio.one, &trio.two};
  const auto heirOf = [](std::size_t area, std::size_t page) {
    return area == 0 ? NodeId(1 + page % 2) : NodeId(2 * (page % 2));
  };
  const auto forEachPage = [&](auto visit) {
    for (std::size_t area = 0; area < 2; ++area)
      for (std::size_t page = 0; page < kPages; ++page)
        visit(heirOf(area, page), trio.cluster.at(area, page * kPage), int(10 * page + area + 1));
  };
  forEachPage(
      [&](NodeId heir, Address page, int value) { threads[heir]->write<int>(page, value); });
  trio.barrier();
  trio.barrier(); // the home may learn of the fetches after its own release
  std::uint64_t moved = 0;
  forEachPage([&](NodeId heir, Address page, int value) {
    for (NodeId node = 0; node < 3; ++node) {
      moved += trio.cluster.engine(node).homeOf(page) == heir;
      EXPECT_EQ(threads[node]->read<int>(page), value);
    }
  });
  EXPECT_EQ(moved, 3 * 2 * kPages);
}

} // namespace
} // namespace ompdsm::test
