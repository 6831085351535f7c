// OptionsTest.cpp: what the environment may say, and what a user is told about the rest.
#include "libompdsm/src/Options.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

class OptionsTest : public testing::Test {
protected:
  void TearDown() override {
    for (const std::string &name : set_)
      unsetenv(name.c_str());
  }
  Status readWith(const char *variable, const char *value) {
    setenv(variable, value, 1);
    set_.push_back(variable);
    return readOptions(options_);
  }
  Options options_;

private:
  std::vector<std::string> set_;
};

TEST_F(OptionsTest, anEmptyEnvironmentKeepsTheDefaults) {
  ASSERT_TRUE(readOptions(options_).isOk());
  EXPECT_EQ(options_.segmentBase, 0x200000000000u);
  EXPECT_EQ(options_.sliceBytes(), std::uint64_t(64) << 30);
  EXPECT_EQ(options_.blockSmallBytes, 256u);
  EXPECT_EQ(options_.blockLargeBytes, 2048u);
  EXPECT_EQ(options_.provider, "auto");
}

TEST_F(OptionsTest, numbersAreDecimalOrHexadecimal) {
  EXPECT_TRUE(readWith("OMPDSM_SEGMENT_BASE", "0x300000000000").isOk());
  EXPECT_EQ(options_.segmentBase, 0x300000000000u);
  EXPECT_TRUE(readWith("OMPDSM_SLICE_GIB", "8").isOk());
  EXPECT_EQ(options_.sliceGib, 8u);
}

TEST_F(OptionsTest, anEmptyVariableCountsAsUnset) {
  EXPECT_TRUE(readWith("OMPDSM_SLICE_GIB", "").isOk());
  EXPECT_EQ(options_.sliceGib, 64u);
}

TEST_F(OptionsTest, aBadNumberIsNamedWithItsVariableAndRange) {
  for (const char *bad : {"x", "12x", "-1", "0", "999999"}) {
    const Status status = readWith("OMPDSM_SLICE_GIB", bad);
    ASSERT_FALSE(status.isOk()) << bad;
    EXPECT_EQ(status.message(), std::string("OMPDSM_SLICE_GIB is '") + bad +
                                    "', but must be a number from 1 to 16384");
  }
  EXPECT_EQ(options_.sliceGib, 64u) << "an error leaves the options alone";
}

TEST_F(OptionsTest, aNumberMayHaveAUnit) {
  for (auto [text, value] : {std::pair{"4096", 4096ull},
                             {"4k", 4096ull},
                             {"0x10M", 16ull << 20},
                             {"3G", 3ull << 30},
                             {"65536G", 1ull << 46}}) {
    ASSERT_TRUE(readWith("OMPDSM_CACHE_LIMIT", text).isOk()) << text;
    EXPECT_EQ(options_.cacheLimitBytes, value);
  }
  for (const char *bad : {"K", "4T", "4KK", "4 K", "65537G", "17179869184G", "-1K"})
    EXPECT_FALSE(readWith("OMPDSM_CACHE_LIMIT", bad).isOk()) << bad;
}

TEST_F(OptionsTest, whoWaitsPollsAsLibompDoes) {
  const auto pollsWith = [this](const char *policy, const char *blockTime) {
    EXPECT_TRUE(readWith("OMP_WAIT_POLICY", policy).isOk());
    if (blockTime)
      EXPECT_TRUE(readWith("KMP_BLOCKTIME", blockTime).isOk());
    return options_.spinMicroseconds;
  };
  constexpr unsigned infinite = 0xffffffff;
  ASSERT_TRUE(readOptions(options_).isOk());
  EXPECT_EQ(options_.spinMicroseconds, 200000u);
  EXPECT_EQ(pollsWith("passive", nullptr), 1000u);
  EXPECT_EQ(pollsWith("ACTIVE", nullptr), infinite);
  for (auto [text, microseconds] : {std::pair{"0", 1000u},
                                    {"5", 5000u},
                                    {"50ms", 50000u},
                                    {"2500us", 2500u},
                                    {"infinite", infinite},
                                    {"4294967295", infinite}})
    EXPECT_EQ(pollsWith("passive", text), microseconds) << text;
  for (const char *bad : {"5s", "-1", "x", "99999999999"})
    EXPECT_EQ(pollsWith("active", bad), infinite) << bad;
  ASSERT_TRUE(readWith("OMPDSM_SPIN", "7").isOk());
  EXPECT_EQ(options_.spinMicroseconds, 7u);
}

TEST_F(OptionsTest, aBlockIsAPowerOfTwo) {
  const Status status = readWith("OMPDSM_BLOCK_SMALL", "100");
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("a power of two"), std::string::npos);
}

TEST_F(OptionsTest, theSegmentBeginsAtAGibibyte) {
  EXPECT_FALSE(readWith("OMPDSM_SEGMENT_BASE", "0x200000001000").isOk());
}

TEST_F(OptionsTest, onlyWhatDecidesWhereThingsLieMustAgree) {
  const std::string before = describeForAgreement(options_);
  ASSERT_TRUE(readWith("OMPDSM_PREFETCH", "7").isOk());
  EXPECT_EQ(describeForAgreement(options_), before);
  ASSERT_TRUE(readWith("OMPDSM_BLOCK_LARGE", "4096").isOk());
  EXPECT_NE(describeForAgreement(options_), before);
}

} // namespace
