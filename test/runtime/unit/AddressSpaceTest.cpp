// AddressSpaceTest.cpp: the reserved ranges of node 1 of 3, as the program would find them.
//
// One process can reserve the state table once, so the space is made once for all tests.
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/ObjectAnswers.h"
#include "libompdsm/src/ObjectExtents.h"
#include "protocol/engine/StateTable.h"
#include <gtest/gtest.h>
#include <random>

using namespace ompdsm;

namespace {

constexpr NodeId kSelf = 1;
constexpr unsigned kNodes = 3;

class AddressSpaceTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    options_.sliceGib = 4;
    const Status status = AddressSpace::create(options_, kSelf, kNodes, space_);
    ASSERT_TRUE(status.isOk()) << status.message();
  }
  static void TearDownTestSuite() { space_.reset(); }

  static std::uint8_t stateOf(Address address) {
    return static_cast<std::uint8_t>(AddressSpace::stateTable()[address >> OMPDSM_LINE_SHIFT]);
  }
  static unsigned groupOf(Address address) {
    return std::to_integer<unsigned>(AddressSpace::groupTable()[address >> OMPDSM_GROUP_SHIFT]) &
           (kReadMisses | kWriteMisses);
  }
  static inline Options options_;
  static inline std::unique_ptr<AddressSpace> space_;
};

TEST_F(AddressSpaceTest, ownLinesAreOpenAndTheOthersUntouched) {
  for (unsigned node = 0; node < kNodes; ++node) {
    const AddressRange slice = space_->slice(NodeId(node));
    const std::uint8_t expected = node == kSelf ? 0 : kUntouchedRemoteState;
    for (Address address : {slice.begin, slice.begin + slice.bytes() / 2 + 640, slice.end - 64})
      EXPECT_EQ(stateOf(address), expected) << "node " << node << " " << std::hex << address;
  }
}

TEST_F(AddressSpaceTest, aWrittenStateByteChangesNoOther) {
  const Address line = space_->slice(0).begin + 64;
  AddressSpace::stateTable()[line >> OMPDSM_LINE_SHIFT] = std::byte(0);
  EXPECT_EQ(stateOf(line), 0);
  EXPECT_EQ(stateOf(line - 64), kUntouchedRemoteState);
  EXPECT_EQ(stateOf(line + (Address(4 << 20) << OMPDSM_LINE_SHIFT)), kUntouchedRemoteState)
      << "the same place of the next mapping of the file";
}

TEST_F(AddressSpaceTest, privateMemoryNeverMisses) {
  int local = 0;
  for (const void *p :
       {static_cast<const void *>(&local), static_cast<const void *>(space_.get())}) {
    EXPECT_EQ(stateOf(reinterpret_cast<Address>(p)), 0);
    EXPECT_EQ(groupOf(reinterpret_cast<Address>(p)), 0U);
  }
  EXPECT_EQ(groupOf(0), 0U) << "which stands for lanes that are not active";
}

TEST_F(AddressSpaceTest, groupsMissWhereLinesDo) {
  for (unsigned node = 0; node < kNodes; ++node) {
    const AddressRange slice = space_->slice(NodeId(node));
    for (Address address : {slice.begin, slice.begin + slice.bytes() / 2, slice.end - 1})
      EXPECT_EQ(groupOf(address), node == kSelf ? 0U : kReadMisses | kWriteMisses) << node;
  }
  const Address begin = (Address(1) << 44) + (1 << 30) + 0x1000, end = begin + 0x3000;
  AddressSpace::fillState({begin, end}, kUntouchedRemoteState);
  for (Address address : {begin, end - 1})
    EXPECT_EQ(groupOf(address), unsigned(kReadMisses | kWriteMisses));
  for (Address address : {begin - 1, end})
    EXPECT_EQ(groupOf(address), 0U);
  StateTable states(AddressSpace::stateTable(), AddressSpace::missCounts(),
                    AddressSpace::groupTable());
  states.set(begin, begin + 0x1000, BlockState::Clean);
  EXPECT_EQ(groupOf(begin), unsigned(kWriteMisses));
  states.set(begin, begin + 0x1000, BlockState::Dirty);
  EXPECT_EQ(groupOf(begin), 0U);
  EXPECT_EQ(groupOf(begin + 0x1000), unsigned(kReadMisses | kWriteMisses));
}

TEST_F(AddressSpaceTest, lowMemoryHasStatesOfItsOwnIfItIsSmall) {
  // An executable that is not position-independent begins at 4 MiB, or at 2.
  EXPECT_TRUE(AddressSpace::hasStatesOfItsOwn({4 << 20, 64 << 20}));
  EXPECT_TRUE(AddressSpace::hasStatesOfItsOwn({2 << 20, 48 << 20}));
  EXPECT_FALSE(AddressSpace::hasStatesOfItsOwn({4 << 20, 256 << 20}));
  EXPECT_FALSE(AddressSpace::hasStatesOfItsOwn({2 << 20, 64 << 20}));
  EXPECT_TRUE(AddressSpace::hasStatesOfItsOwn({0x555555554000, 0x5555d5554000}));
  for (unsigned node = 0; node < kNodes; ++node)
    EXPECT_TRUE(AddressSpace::hasStatesOfItsOwn(space_->slice(NodeId(node))));
}

TEST_F(AddressSpaceTest, allSlicesCanBeWritten) {
  for (unsigned node = 0; node < kNodes; ++node) {
    auto *byte = reinterpret_cast<volatile char *>(space_->slice(NodeId(node)).end - 1);
    *byte = 7;
    EXPECT_EQ(*byte, 7);
  }
}

TEST_F(AddressSpaceTest, theAreasOfASliceAreAllOfIt) {
  for (unsigned node = 0; node < kNodes; ++node) {
    Address at = space_->slice(NodeId(node)).begin;
    for (unsigned use = 0; use < kAreaUses; ++use) {
      const AddressRange area = space_->area(NodeId(node), AreaUse(use));
      EXPECT_EQ(area.begin, at);
      for (Address address : {area.begin, area.end - 1}) {
        const auto *p = reinterpret_cast<const void *>(address);
        EXPECT_TRUE(space_->contains(p));
        EXPECT_EQ(space_->ownerOf(p), node);
        EXPECT_EQ(unsigned(space_->useOf(p)), use);
      }
      at = area.end;
    }
    EXPECT_EQ(at, space_->slice(NodeId(node)).end);
  }
  EXPECT_FALSE(space_->contains(reinterpret_cast<const void *>(space_->slice(0).begin - 1)));
  EXPECT_FALSE(space_->contains(reinterpret_cast<const void *>(space_->slice(kNodes - 1).end)));
}

TEST_F(AddressSpaceTest, onlyTheApplicationHeapsMayChangeHome) {
  AddressMap map;
  space_->addAreas(map, options_);
  map.seal();
  ASSERT_EQ(map.areas().size(), kNodes * kAreaUses);
  for (const Area &area : map.areas()) {
    const AreaUse use = space_->useOf(reinterpret_cast<const void *>(area.begin));
    EXPECT_EQ(area.migratable,
              use == AreaUse::LargeApplication || use == AreaUse::SmallApplication);
    const bool isLarge = use == AreaUse::LargeApplication || use == AreaUse::LargePinned;
    EXPECT_EQ(area.blockBytes(), isLarge ? 2048u : 256u);
  }
}

TEST_F(AddressSpaceTest, aTakenRangeIsNamedWithWhatIsThereAndTheOption) {
  std::unique_ptr<AddressSpace> second;
  const Status status = AddressSpace::create(options_, kSelf, kNodes, second);
  ASSERT_FALSE(status.isOk());
  EXPECT_EQ(second, nullptr);
  EXPECT_NE(status.message().find("the state table"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("this mapping is in the way: "), std::string::npos);
}

/// Whether a line of the range misses, line by line.
bool anyMissesSlowly(Address begin, std::size_t bytes, unsigned missBit) {
  for (Address line = begin >> OMPDSM_LINE_SHIFT; line <= (begin + bytes - 1) >> OMPDSM_LINE_SHIFT;
       ++line)
    if (static_cast<unsigned>(AddressSpace::stateTable()[line]) & missBit)
      return true;
  return false;
}

std::optional<Address> firstMissSlowly(AddressRange range, unsigned missBit) {
  for (Address at = range.begin; at < range.end; at = (at | (OMPDSM_LINE_BYTES - 1)) + 1)
    if (anyMissesSlowly(at, 1, missBit))
      return at;
  return std::nullopt;
}

/// The first of the longest parts of the range in which no line misses, line by line.
AddressRange longestRunSlowly(AddressRange range, unsigned missBit) {
  AddressRange longest{range.begin, range.begin}, run = longest;
  for (Address at = range.begin; at < range.end; at = run.end) {
    run.end = std::min(range.end, (at | (OMPDSM_LINE_BYTES - 1)) + 1);
    if (anyMissesSlowly(at, 1, missBit))
      run.begin = run.end;
    else if (run.bytes() > longest.bytes())
      longest = run;
  }
  return longest;
}

TEST_F(AddressSpaceTest, longRangesAreAnsweredFromCountsAsLineByLine) {
  StateTable states(AddressSpace::stateTable(), AddressSpace::missCounts(),
                    AddressSpace::groupTable());
  std::mt19937 random(7);
  constexpr BlockState kStates[] = {BlockState::Invalid, BlockState::Clean, BlockState::Dirty};
  constexpr BlockState kHomeStates[] = {BlockState::Exclusive, BlockState::Shared};
  constexpr std::size_t kBlock = 1024, kBlocks = 512, kBytes = kBlock * kBlocks;
  for (NodeId owner : {NodeId(0), kSelf}) {
    const Address base = space_->area(owner, AreaUse::LargeApplication).begin + (5 << 20);
    unsigned yes = 0, no = 0;
    for (int round = 0; round < 400; ++round) {
      // Mostly one state, so that ranges without a miss occur.
      const std::size_t first = random() % kBlocks, last = first + random() % (kBlocks - first) + 1;
      const BlockState state = owner == kSelf ? kHomeStates[random() % 2] : kStates[random() % 3];
      for (std::size_t block = first; block < last; ++block)
        states.set(base + block * kBlock, base + (block + 1) * kBlock, state);
      for (int question = 0; question < 20; ++question) {
        const Address begin = base + random() % kBytes;
        const std::size_t bytes = random() % (base + kBytes - begin) + 1;
        for (unsigned missBit : {OMPDSM_READ_MISSES, OMPDSM_WRITE_MISSES}) {
          const bool expected = anyMissesSlowly(begin, bytes, missBit);
          ++(expected ? yes : no);
          ASSERT_EQ(space_->anyMisses(reinterpret_cast<void *>(begin), bytes, missBit), expected)
              << "round " << round << ": " << bytes << " bytes at " << begin - base;
          const AddressRange range{begin, begin + bytes};
          const AddressRange run = space_->longestRun(range, missBit),
                             wanted = longestRunSlowly(range, missBit);
          ASSERT_EQ(run.begin - base, wanted.begin - base) << "round " << round;
          ASSERT_EQ(run.end - base, wanted.end - base) << "round " << round;
          ASSERT_EQ(space_->firstMiss(range, missBit), firstMissSlowly(range, missBit))
              << "round " << round;
          const Address chunk = begin & ~Address(MissCounts::kChunkBytes - 1);
          ASSERT_EQ((space_->missBitsAround(begin) & missBit) != 0,
                    anyMissesSlowly(chunk, MissCounts::kChunkBytes, missBit))
              << "round " << round;
        }
      }
    }
    EXPECT_GT(yes, 1000U);
    EXPECT_GT(no, 1000U);
  }
}

TEST_F(AddressSpaceTest, longRangesOutsideOfTheSegmentAreAnsweredFromCounts) {
  // As the globals of another node are: at no chunk's border.
  constexpr std::size_t kBytes = 1 << 20;
  const Address begin = (Address(1) << 44) + 0x3000, end = begin + kBytes - 0x5000;
  const auto misses = [&](Address from, Address to) {
    return space_->anyMisses(reinterpret_cast<void *>(from), to - from, OMPDSM_READ_MISSES);
  };
  EXPECT_FALSE(misses(begin - kBytes, end + kBytes));
  AddressSpace::fillState({begin, end}, kUntouchedRemoteState);
  EXPECT_TRUE(misses(begin - kBytes, end + kBytes));
  EXPECT_FALSE(misses(begin - kBytes, begin)) << "in front of it";
  EXPECT_FALSE(misses(end, end + kBytes)) << "behind it";
  StateTable states(AddressSpace::stateTable(), AddressSpace::missCounts(),
                    AddressSpace::groupTable());
  for (Address block = begin; block < end; block += 4096)
    states.set(block, block + 4096, BlockState::Clean);
  EXPECT_FALSE(misses(begin - kBytes, end + kBytes));
}

TEST_F(AddressSpaceTest, revocationsAreCounted) {
  StateTable states(AddressSpace::stateTable(), AddressSpace::missCounts(),
                    AddressSpace::groupTable());
  const Address block = space_->area(kSelf, AreaUse::LargeApplication).begin + (9 << 20);
  for (unsigned from = 0; from < kBlockStateCount; ++from)
    for (unsigned to = 0; to < kBlockStateCount; ++to) {
      states.set(block, block + 2048, BlockState(from));
      const std::uint64_t count = AddressSpace::revocations();
      states.set(block, block + 2048, BlockState(to));
      const bool isRevoked = missBits(BlockState(to)) & ~missBits(BlockState(from));
      EXPECT_EQ(AddressSpace::revocations(), count + isRevoked) << from << " to " << to;
    }
  states.set(block, block + 2048, BlockState::Exclusive);
  const std::uint64_t count = AddressSpace::revocations();
  AddressSpace::fillState({block, block + 2048}, 0);
  EXPECT_EQ(AddressSpace::revocations(), count);
  AddressSpace::fillState({block, block + 2048}, kUntouchedRemoteState);
  EXPECT_GT(AddressSpace::revocations(), count);
  states.set(block, block + 2048, BlockState::Exclusive);
}

TEST_F(AddressSpaceTest, answersOfManyObjectsAreThoseOfEach) {
  StateTable states(AddressSpace::stateTable(), AddressSpace::missCounts(),
                    AddressSpace::groupTable());
  constexpr std::size_t kBytes = 1 << 18;
  constexpr unsigned kObjects = 9; // more than are remembered
  const Address begin = space_->area(kSelf, AreaUse::LargeApplication).begin + (16 << 20);
  ObjectAnswers answers;
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const Address object = begin + random() % kObjects * kBytes;
    const Address block = object + random() % (kBytes / 2048) * 2048;
    states.set(block, block + 2048, random() % 2 ? BlockState::Shared : BlockState::Exclusive);
    const AddressRange asked{object, object + kBytes};
    for (unsigned missBit : {OMPDSM_READ_MISSES, OMPDSM_WRITE_MISSES})
      ASSERT_EQ(answers.mayAccess(*space_, asked, missBit),
                !anyMissesSlowly(object, kBytes, missBit))
          << "round " << round;
  }
  states.set(begin, begin + kObjects * kBytes, BlockState::Exclusive);
}

TEST_F(AddressSpaceTest, extentsOfAnObjectAreFoundFromEachOfItsBytes) {
  const ObjectExtents extents(*space_);
  const Address heap = space_->area(kSelf, AreaUse::LargeApplication).begin;
  const auto noted = [&](Address begin, std::size_t bytes) {
    extents.note(reinterpret_cast<void *>(begin), bytes);
    const AddressRange lines{begin & ~Address(63), (begin + bytes + 63) & ~Address(63)};
    for (std::size_t at : {std::size_t(0), bytes / 2, bytes - 1}) {
      const AddressRange found = extents.find(reinterpret_cast<void *>(begin + at));
      EXPECT_EQ(found.begin, lines.begin) << bytes << " bytes, byte " << at;
      EXPECT_EQ(found.end, lines.end) << bytes << " bytes, byte " << at;
    }
  };
  const auto isUnknown = [&](Address address) {
    return extents.find(reinterpret_cast<void *>(address)).bytes() == 0;
  };
  EXPECT_TRUE(isUnknown(heap));
  noted(heap + 320, 20000);
  EXPECT_TRUE(isUnknown(heap + 64)) << "on its first page, in front of it";
  EXPECT_TRUE(isUnknown(heap + 320 + 20000 + 128)) << "on its last page, behind it";
  noted(heap + (1 << 20) + 64, (3 << 20) + 1);
  noted(heap + (2 << 20), 16385); // Of the last one, which was freed.
}

} // namespace
