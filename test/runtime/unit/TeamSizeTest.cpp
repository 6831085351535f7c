// TeamSizeTest.cpp: what OMP_NUM_THREADS may say on several nodes.
#include "libompdsm/src/TeamSize.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

class TeamSizeTest : public testing::Test {
protected:
  void TearDown() override { unsetenv("OMP_NUM_THREADS"); }
  Status readWith(const char *value, unsigned perNode = 0, unsigned nodes = 2) {
    setenv("OMP_NUM_THREADS", value, 1);
    Options options;
    options.threads = perNode;
    return readTeamSize(options, nodes, threads_);
  }
  unsigned threads_ = 77;
};

TEST_F(TeamSizeTest, nothingIsSaid) {
  EXPECT_TRUE(readTeamSize(Options(), 2, threads_).isOk());
  EXPECT_EQ(threads_, 0u);
  EXPECT_TRUE(readWith("").isOk());
  EXPECT_EQ(threads_, 0u);
}

TEST_F(TeamSizeTest, theFirstNumberOfAListCounts) {
  for (const char *value : {"6", " 6 ", "6,2", " 6 , 2 ,1"}) {
    EXPECT_TRUE(readWith(value).isOk()) << value;
    EXPECT_EQ(threads_, 6u);
  }
}

TEST_F(TeamSizeTest, theLaunchersThreadsComeFirst) {
  EXPECT_TRUE(readWith("6", 4).isOk());
  EXPECT_EQ(threads_, 8u);
}

TEST_F(TeamSizeTest, malformedValuesAreNamed) {
  for (const char *value : {"abc", "0", "-1", "4,", ",4", "4,x", "4;2", "4.5", "0x4"}) {
    const Status status = readWith(value);
    ASSERT_FALSE(status.isOk()) << value;
    EXPECT_NE(status.message().find(std::string("OMP_NUM_THREADS is '") + value + "'"),
              std::string::npos);
  }
}

TEST_F(TeamSizeTest, asManyAsTheNodesCanHave) {
  EXPECT_TRUE(readWith("2048").isOk());
  EXPECT_EQ(threads_, 2048u);
  for (const char *value : {"2049", "100000000", "99999999999999999999999"}) {
    const Status status = readWith(value);
    ASSERT_FALSE(status.isOk()) << value;
    EXPECT_NE(status.message().find("at most 2048"), std::string::npos) << status.message();
  }
}

TEST_F(TeamSizeTest, oneNodeHasWhatTheSystemHas) {
  for (const char *value : {"4", "2000,2", "abc", ""}) {
    setenv("OMP_NUM_THREADS", value, 1);
    EXPECT_TRUE(checkTeamOfOneNode().isOk()) << value;
  }
  setenv("OMP_NUM_THREADS", "100000000", 1);
  EXPECT_FALSE(checkTeamOfOneNode().isOk());
}

} // namespace
