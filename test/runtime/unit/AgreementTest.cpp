// AgreementTest.cpp: what nodes that are not alike are told.
#include "libompdsm/src/Agreement.h"
#include <gtest/gtest.h>

using namespace ompdsm;

namespace {

LoadedImage image(std::string name, Address begin, std::string build) {
  return {std::move(name), {begin, begin + 0x1000}, std::move(build), std::nullopt};
}

std::string node(Address programAt, std::string programBuild, Options options = {}) {
  return describeNode(options,
                      {image("/opt/a/program", programAt, std::move(programBuild)),
                       image("/lib/libm.so.6", 0x7000, "12")},
                      "segment at 0x1\n");
}

TEST(Agreement, equalNodesAgree) {
  EXPECT_TRUE(
      compareDescriptions({node(0x5000, "ab"), node(0x5000, "ab"), node(0x5000, "ab")}).isOk());
}

TEST(Agreement, theDirectoryOfAFileDoesNotMatter) {
  const std::string other = describeNode(
      {}, {image("/tmp/program", 0x5000, "ab"), image("/usr/lib/libm.so.6", 0x7000, "12")},
      "segment at 0x1\n");
  EXPECT_TRUE(compareDescriptions({node(0x5000, "ab"), other}).isOk());
}

TEST(Agreement, anotherBuildIsNamedWithItsNode) {
  const Status status =
      compareDescriptions({node(0x5000, "ab"), node(0x5000, "ab"), node(0x5000, "cd")});
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("node 2 has 'image program build cd"), std::string::npos)
      << status.message();
  EXPECT_NE(status.message().find("install the same files"), std::string::npos);
}

TEST(Agreement, anotherLoadAddressPointsToRandomisation) {
  const Status status = compareDescriptions({node(0x5000, "ab"), node(0x6000, "ab")});
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("setarch -R"), std::string::npos) << status.message();
}

TEST(Agreement, anotherOptionIsNamed) {
  Options options;
  options.sliceGib = 8;
  const Status status = compareDescriptions({node(0x5000, "ab"), node(0x5000, "ab", options)});
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("'OMPDSM_SLICE_GIB 64'"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("'OMPDSM_SLICE_GIB 8'"), std::string::npos);
}

TEST(Agreement, aLibraryThatOneNodeLacksIsADifference) {
  const std::string fewer =
      describeNode({}, {image("/opt/a/program", 0x5000, "ab")}, "segment at 0x1\n");
  EXPECT_FALSE(compareDescriptions({node(0x5000, "ab"), fewer}).isOk());
  EXPECT_FALSE(compareDescriptions({fewer, node(0x5000, "ab")}).isOk());
}

} // namespace
