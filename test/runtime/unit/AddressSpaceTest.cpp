// AddressSpaceTest.cpp: the reserved ranges of node 1 of 3, as the program would find them.
//
// One process can reserve the state table once, so the space is made once for all tests.
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "protocol/core/BlockState.h"
#include <gtest/gtest.h>

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
  EXPECT_EQ(stateOf(reinterpret_cast<Address>(&local)), 0);
  EXPECT_EQ(stateOf(reinterpret_cast<Address>(space_.get())), 0);
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

TEST_F(AddressSpaceTest, onlyTheLargeApplicationHeapMayChangeHome) {
  AddressMap map;
  space_->addAreas(map, options_);
  map.seal();
  ASSERT_EQ(map.areas().size(), kNodes * kAreaUses);
  for (const Area &area : map.areas()) {
    const AreaUse use = space_->useOf(reinterpret_cast<const void *>(area.begin));
    EXPECT_EQ(area.migratable, use == AreaUse::LargeApplication);
    const bool isLarge = use == AreaUse::LargeApplication || use == AreaUse::LargePinned;
    EXPECT_EQ(area.blockBytes(), isLarge ? 1024u : 256u);
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

} // namespace
