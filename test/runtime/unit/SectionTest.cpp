// SectionTest.cpp: where a section lies, and what a thread knows of the memory around one.
#include "libompdsm/src/Section.h"
#include "libompdsm/src/OpenWindows.h"
#include <gtest/gtest.h>
#include <random>

namespace ompdsm {
namespace {

constexpr Address kWindow = Address(1) << OpenWindows::kWindowShift, kBase = 64 * kWindow;
constexpr unsigned kNothing = 0, kWrites = kWriteMisses, kBoth = kReadMisses | kWriteMisses;

TEST(Section, endsAreThoseOfTheOutermostRows) {
  std::mt19937 random(3);
  const auto dimension = [&] {
    return Dimension{std::ptrdiff_t(random() % 4000) - 2000, random() % 5 + 1};
  };
  for (int round = 0; round < 1000; ++round) {
    const Section section{reinterpret_cast<const std::byte *>(kBase), random() % 300 + 1,
                          Access::Read, dimension(), dimension()};
    Address first = ~Address(0), last = 0;
    for (std::size_t outer = 0; outer < section.outer.rows; ++outer)
      for (std::size_t inner = 0; inner < section.inner.rows; ++inner) {
        const Address row =
            kBase + outer * Address(section.outer.stride) + inner * Address(section.inner.stride);
        first = std::min(first, row);
        last = std::max(last, row + section.bytes - 1);
      }
    ASSERT_EQ(section.ends(), std::pair(first, last)) << "round " << round;
  }
}

struct OpenWindowsTest : testing::Test {
  /// Notes the windows of [first, last], which all have these miss bits.
  void note(Address first, Address last, unsigned missBits) {
    windows.note(revocations, first, last, [&](Address) { return missBits; });
  }
  bool areOpen(Address first, Address last, unsigned missBit = kWriteMisses) const {
    return windows.areOpen(revocations, first, last, missBit);
  }
  std::uint64_t revocations = 0;
  OpenWindows windows;
};

TEST_F(OpenWindowsTest, AllOfAWindowIsOpen) {
  EXPECT_FALSE(areOpen(kBase, kBase));
  note(kBase + 100, kBase + 200, kNothing);
  EXPECT_TRUE(areOpen(kBase, kBase + kWindow - 1));
  EXPECT_FALSE(areOpen(kBase, kBase + kWindow)) << "a byte of the next";
  EXPECT_FALSE(areOpen(kBase - 1, kBase)) << "a byte of the one before";
}

TEST_F(OpenWindowsTest, WhatMayBeReadMayNotBeWritten) {
  note(kBase, kBase, kWrites);
  EXPECT_TRUE(areOpen(kBase, kBase, kReadMisses));
  EXPECT_FALSE(areOpen(kBase, kBase, kWriteMisses));
  note(kBase, kBase, kBoth);
  EXPECT_FALSE(areOpen(kBase, kBase, kReadMisses));
}

TEST_F(OpenWindowsTest, SeveralWindowsAreOpenIfEachIs) {
  note(kBase, kBase + 4 * kWindow - 1, kNothing);
  EXPECT_TRUE(areOpen(kBase + 10, kBase + 3 * kWindow + 10));
  note(kBase + 2 * kWindow, kBase + 2 * kWindow, kWrites);
  EXPECT_FALSE(areOpen(kBase + 10, kBase + 3 * kWindow + 10));
  EXPECT_TRUE(areOpen(kBase + 10, kBase + 3 * kWindow + 10, kReadMisses));
}

TEST_F(OpenWindowsTest, ARevocationEndsAll) {
  note(kBase, kBase, kNothing);
  EXPECT_TRUE(areOpen(kBase, kBase));
  ++revocations;
  EXPECT_FALSE(areOpen(kBase, kBase));
  note(kBase + kWindow, kBase + kWindow, kNothing);
  EXPECT_FALSE(areOpen(kBase, kBase)) << "also when something else is noted";
}

TEST_F(OpenWindowsTest, WhatIsLongOrNowhereIsNotRemembered) {
  note(kBase, kBase + 100 * kWindow, kNothing);
  EXPECT_FALSE(areOpen(kBase, kBase + 100 * kWindow));
  EXPECT_FALSE(areOpen(kBase, kBase));
  const Address beyond = Address(1) << 47;
  windows.note(revocations, beyond, beyond, [&](Address) -> unsigned {
    ADD_FAILURE() << "nothing is known of such addresses";
    return 0;
  });
  EXPECT_FALSE(areOpen(beyond, beyond));
}

TEST_F(OpenWindowsTest, ManyWindowsAreNotMixedUp) {
  std::mt19937 random(5);
  std::array<unsigned, 256> missBits;
  missBits.fill(kBoth);
  unsigned open = 0;
  for (int round = 0; round < 20000; ++round) {
    const unsigned window = random() % missBits.size();
    const Address address = kBase + window * kWindow;
    if (random() % 2)
      note(address, address, missBits[window] = random() % 2 ? kNothing : kWrites);
    const bool isOpen = areOpen(address, address);
    open += isOpen;
    ASSERT_FALSE(isOpen && missBits[window] & kWriteMisses) << "round " << round;
  }
  EXPECT_GT(open, 1000U);
}

} // namespace
} // namespace ompdsm
