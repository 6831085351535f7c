// BlockSizingTest.cpp: pages whose blocks get another size, as several nodes change them.
#include "protocol/engine/BlockSizing.h"
#include "protocol/engine/BlockSizes.h"
#include "test/unit/Duo.h"
#include "test/unit/Trio.h"
#include <gtest/gtest.h>

namespace ompdsm::test {
namespace {

constexpr std::size_t kPage = 4096, kLine = 64;

AddressMap twoAreas() {
  AddressMap map;
  Area small;
  small.begin = 16 * kPage;
  small.end = 20 * kPage;
  small.blockShift = 8;
  Area large = small;
  large.begin = 20 * kPage;
  large.end = 24 * kPage + 3 * kLine;
  large.blockShift = 11;
  map.add(small);
  map.add(large);
  map.seal();
  return map;
}

constexpr Address kEverything = ~Address(0);

TEST(BlockSizes, APageHasItsOwn) {
  const AddressMap map = twoAreas();
  BlockSizes sizes(map);
  EXPECT_EQ(sizes.find(20 * kPage), &map.areas()[1]);
  EXPECT_EQ(sizes.endOfSize(map.areas()[1], 20 * kPage, kEverything), map.areas()[1].end);
  sizes.set(22 * kPage, 7);
  for (std::size_t page = 20; page < 24; ++page)
    EXPECT_EQ(sizes.find(page * kPage + 5 * kLine)->blockShift, page == 22 ? 7 : 11);
  EXPECT_EQ(sizes.find(24 * kPage + kLine)->blockEnd(24 * kPage), map.areas()[1].end);
  EXPECT_EQ(sizes.find(16 * kPage)->blockShift, 8);
  EXPECT_EQ(sizes.find(15 * kPage), nullptr);
  const Area *area = sizes.find(20 * kPage);
  EXPECT_EQ(sizes.endOfSize(*area, 20 * kPage + 1, kEverything), 22 * kPage);
  area = sizes.find(22 * kPage);
  EXPECT_EQ(area->begin, 20 * kPage);
  EXPECT_EQ(area->blockEnd(22 * kPage), 22 * kPage + 128);
  EXPECT_EQ(sizes.endOfSize(*area, 22 * kPage, kEverything), 23 * kPage);
  EXPECT_EQ(sizes.endOfSize(*area, 22 * kPage, 22 * kPage + 5), 22 * kPage + 5);
  EXPECT_TRUE(sizes.goesOn(*area, 22 * kPage + 128));
  EXPECT_FALSE(sizes.goesOn(*area, 23 * kPage));
  area = sizes.find(23 * kPage);
  EXPECT_EQ(sizes.endOfSize(*area, 23 * kPage, kEverything), map.areas()[1].end);
  EXPECT_TRUE(sizes.goesOn(*area, 24 * kPage));
  EXPECT_FALSE(sizes.goesOn(*area, map.areas()[1].end));
  sizes.set(22 * kPage, 11);
  EXPECT_EQ(sizes.endOfSize(*sizes.find(20 * kPage), 20 * kPage, kEverything), map.areas()[1].end);
}

// What a miss asks is as near as the miss: with a walk to the area's end this takes minutes.
TEST(BlockSizes, ALargeAreaIsNotWalked) {
  AddressMap map;
  Area heap;
  heap.begin = std::size_t(1) << 40;
  heap.end = std::size_t(2) << 40;
  heap.blockShift = 11;
  map.add(heap);
  map.seal();
  BlockSizes sizes(map);
  sizes.set(heap.begin, 7);
  for (Address page = 1; page <= 100'000; ++page) {
    const Address at = heap.begin + page * kPage;
    ASSERT_EQ(sizes.endOfSize(*sizes.find(at), at, at + 4 * kPage), at + 4 * kPage);
    ASSERT_TRUE(sizes.goesOn(*sizes.find(at), at + kPage));
  }
}

/// Node 1 changes the first lines of the area's page, node 2 the next, in turns.
struct Changes {
  explicit Changes(unsigned patience = 2, unsigned nodes = 3) : sizing(patience, nodes, false) {
    sizing.endEpoch(true);
  }
  void epoch(std::size_t linesOfEach, std::size_t sentBytes) {
    for (std::size_t line = 0; line < kPage / kLine; ++line)
      sizing.onChanged(area, area.begin + line * kLine, NodeId(1 + line / linesOfEach % 2));
    sizing.onSent(area.begin, sentBytes);
    sizing.endEpoch(true);
  }
  unsigned wanted() const { return sizing.wantsAny() ? sizing.wanted().front().blockShift : 0; }
  void resize() { sizing.onResized(BlockSizing::Wanted(sizing.wanted().front())); }

  const AddressMap map = twoAreas();
  Area area = map.areas()[1];
  BlockSizing sizing;
};

TEST(BlockSizing, ThePageGetsTheLargestBlocksThatPartItsWriters) {
  for (const auto [nodes, lines, shift] :
       {std::tuple(3, 4, 8), {3, 8, 9}, {3, 16, 10}, {2, 8, 9}, {2, 16, 10}}) {
    Changes changes(2, unsigned(nodes));
    changes.epoch(std::size_t(lines), 3000);
    EXPECT_EQ(changes.wanted(), 0U) << "once is not enough";
    changes.epoch(std::size_t(lines), 3000);
    EXPECT_EQ(changes.wanted(), unsigned(shift));
  }
}

TEST(BlockSizing, BlocksAreNotSoSmallThatTheyCostMoreThanTheySave) {
  for (const auto [nodes, lines] : {std::pair(3, 2), {3, 1}, {2, 4}, {2, 1}}) {
    Changes changes(2, unsigned(nodes));
    for (int epoch = 0; epoch < 10; ++epoch)
      changes.epoch(std::size_t(lines), 3000);
    EXPECT_EQ(changes.wanted(), 0U);
  }
}

TEST(BlockSizing, NothingIsTriedWhereBlocksPartThemOrLittleIsSentOrNobodyWantsIt) {
  Changes parted, silent, quiet, off(0);
  for (int epoch = 0; epoch < 10; ++epoch) {
    parted.epoch(32, 3000);
    silent.epoch(8, 0);
    quiet.epoch(8, 2000);
    off.epoch(8, 3000);
  }
  EXPECT_EQ(parted.wanted(), 0U);
  EXPECT_EQ(silent.wanted(), 0U);
  EXPECT_EQ(quiet.wanted(), 0U);
  EXPECT_EQ(off.wanted(), 0U);
}

TEST(BlockSizing, ManyPagesOfWhichLittleIsSentAreTried) {
  for (const std::size_t pages : {1, 3, 4}) {
    Changes changes;
    for (int epoch = 0; epoch < 4; ++epoch) {
      for (std::size_t page = 0; page < pages; ++page) {
        const Address begin = changes.area.begin + page * kPage;
        for (std::size_t line = 0; line < kPage / kLine; ++line)
          changes.sizing.onChanged(changes.area, begin + line * kLine, NodeId(1 + line / 8 % 2));
        changes.sizing.onSent(begin, 600);
      }
      changes.sizing.endEpoch(true);
    }
    EXPECT_EQ(changes.sizing.wanted().size(), pages == 4 ? pages : 0);
  }
}

TEST(BlockSizing, WhatTwoNodesChangeInOneLineIsNotParted) {
  Changes changes;
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (std::size_t line = 0; line < kPage / kLine; ++line)
      for (NodeId writer : {1, 2})
        changes.sizing.onChanged(changes.area, changes.area.begin + line * kLine, writer);
    changes.sizing.onSent(changes.area.begin, 3000);
    changes.sizing.endEpoch(true);
  }
  EXPECT_EQ(changes.wanted(), 0U);
}

TEST(BlockSizing, WhatWasInVainIsTakenBackForGood) {
  Changes changes;
  changes.epoch(8, 3000);
  changes.epoch(8, 3000);
  changes.resize();
  changes.area.blockShift = 9;
  unsigned wanted = 0;
  for (int epoch = 0; epoch < 30 && wanted == 0; ++epoch) {
    changes.epoch(8, 2700);
    wanted = changes.wanted();
  }
  EXPECT_EQ(wanted, 11U);
  changes.resize();
  changes.area.blockShift = 11;
  for (int epoch = 0; epoch < 200; ++epoch) {
    changes.epoch(8, 3000);
    EXPECT_EQ(changes.wanted(), 0U);
  }
}

TEST(BlockSizing, WhatWasWorthItStays) {
  Changes changes;
  changes.epoch(8, 3000);
  changes.epoch(8, 3000);
  changes.resize();
  changes.area.blockShift = 9;
  for (int epoch = 0; epoch < 200; ++epoch) {
    changes.epoch(8, 600);
    EXPECT_EQ(changes.wanted(), 0U);
  }
}

/// As many pages as are remembered have got their sizes meanwhile: no other is tried any more.
TEST(BlockSizing, ATrialEndsWhenNoneBeginsAnyMore) {
  Changes changes;
  changes.epoch(8, 3000);
  changes.epoch(8, 3000);
  changes.resize();
  const Address tried = changes.area.begin;
  changes.area.blockShift = 9;
  for (Address page = 1; page <= (1 << 16) + 1; ++page)
    changes.sizing.keep(tried + page * kPage);
  EXPECT_TRUE(changes.sizing.isTried(tried));
  EXPECT_TRUE(changes.sizing.isWatching());
  for (int epoch = 0; epoch < 40; ++epoch)
    changes.epoch(8, 600);
  EXPECT_FALSE(changes.sizing.isTried(tried));
  EXPECT_FALSE(changes.sizing.isWatching());
  changes.area.begin += kPage;
  changes.area.blockShift = 11;
  for (int epoch = 0; epoch < 10; ++epoch)
    changes.epoch(8, 3000);
  EXPECT_EQ(changes.wanted(), 0U);
}

ClusterOptions adapting(ClusterOptions options, std::uint8_t blockShift) {
  options.areas = {{0, 2 * kPage, 0, blockShift}};
  options.sizePatience = 1;
  return options;
}

/// Lines that are dealt to three nodes, each of which reads and changes its own.
struct DealtLines {
  DealtLines(ClusterOptions options, int lines) : trio(std::move(options)), lines(lines) {}
  Address at(int line) { return trio.at(std::size_t(line) * kLine); }
  void run(int epochs) {
    while (epochs-- > 0) {
      ++value;
      for (int line = 0; line < lines; ++line) {
        ASSERT_EQ(threads[line % 3]->read<int>(at(line)), value == 1 ? 0 : value - 1 + line);
        threads[line % 3]->write<int>(at(line), value + line);
      }
      trio.barrier();
    }
  }
  void readAll() {
    for (NodeThread *thread : threads)
      for (int line = 0; line < lines; ++line)
        EXPECT_EQ(thread->read<int>(at(line)), value + line);
  }

  Trio trio;
  NodeThread *const threads[3] = {&trio.home, &trio.one, &trio.two};
  const int lines;
  int value = 0;
};

TEST(Engine, NodesThatChangeTheirOwnLinesOfABlockSendEachOtherNothingInTheEnd) {
  DealtLines dealt(adapting(Trio::threeNodes(), 11), 32);
  const auto statistics = [&](NodeId node) -> const EngineStatistics & {
    return dealt.trio.cluster.statistics(node);
  };
  const auto sent = [&] {
    return statistics(0).blocksPushed + statistics(1).blocksFetched + statistics(2).blocksFetched;
  };
  dealt.run(60);
  EXPECT_EQ(statistics(0).pagesResized, 1U);
  const std::uint64_t before = sent();
  dealt.run(20);
  EXPECT_EQ(sent(), before);
  dealt.readAll();
}

/// Where homes move none puts anything in the end, either.
TEST(Engine, SmallBlocksMoveToThoseThatChangeThem) {
  ClusterOptions options = adapting(Trio::threeNodes(), 11);
  options.areas[0].migratable = true;
  constexpr int kLinesOfAll = int(kPage / kLine);
  DealtLines dealt(options, kLinesOfAll);
  Cluster &cluster = dealt.trio.cluster;
  const auto sent = [&] {
    std::uint64_t all = 0;
    for (NodeId node = 0; node < 3; ++node)
      for (const MessageKind kind : {MessageKind::Put, MessageKind::Update, MessageKind::Data})
        all += cluster.sent(node, kind);
    return all;
  };
  dealt.run(40);
  EXPECT_EQ(cluster.statistics(0).blocksMigrated, unsigned(kLinesOfAll * 2 / 3));
  for (int line = 0; line < kLinesOfAll; ++line)
    for (NodeId node = 0; node < 3; ++node)
      EXPECT_EQ(cluster.engine(node).homeOf(dealt.at(line)), line % 3);
  const std::uint64_t before = sent();
  dealt.run(20);
  EXPECT_EQ(sent(), before);
  dealt.readAll();
}

/// Each node reads the lines of both, so smaller blocks are of no use.
TEST(Engine, ABlockThatAllReadHasItsSizeAgain) {
  Duo duo(adapting({}, 11));
  for (int value = 1; value <= 80; ++value) {
    for (std::size_t line = 0; line < 32; ++line)
      (line % 2 ? duo.one : duo.home).write<int>(duo.at(line * kLine), value);
    duo.barrier();
    for (NodeThread *thread : {&duo.home, &duo.one})
      for (std::size_t line = 0; line < 32; ++line)
        ASSERT_EQ(thread->read<int>(duo.at(line * kLine)), value);
    duo.barrier();
  }
  EXPECT_EQ(duo.cluster.statistics(0).pagesResized, 2U);
}

} // namespace
} // namespace ompdsm::test
