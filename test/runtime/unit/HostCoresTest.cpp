// HostCoresTest.cpp: what the nodes of a job find out of each other's processors.
#include "libompdsm/src/HostCores.h"
#include <gtest/gtest.h>
#include <initializer_list>

namespace ompdsm {
namespace {

NodeCores on(const char *host, std::initializer_list<unsigned> cores) {
  NodeCores node{.host = host, .cores = {}};
  for (unsigned core : cores)
    node.cores[core] = true;
  return node;
}

TEST(HostCoresTest, nodesThatShareAHostShareItsCores) {
  const HostCores seen({on("a", {0, 1, 2, 3}), on("a", {0, 1, 2, 3})}, 1);
  EXPECT_EQ(seen.ofJob, 4u);
  EXPECT_EQ(seen.ofEachNode, 2u);
  EXPECT_FALSE(seen.areTooFewFor(2));
  EXPECT_TRUE(seen.areTooFewFor(3));
}

TEST(HostCoresTest, nodesThatAreBoundHaveTheirCoresAlone) {
  const HostCores seen({on("a", {0, 1, 2}), on("a", {3, 4, 5})}, 0);
  EXPECT_EQ(seen.ofJob, 6u);
  EXPECT_EQ(seen.ofEachNode, 3u);
  EXPECT_FALSE(seen.areTooFewFor(3));
  EXPECT_TRUE(seen.areTooFewFor(4));
}

TEST(HostCoresTest, nodesThatAreBoundToTheSameCoresShareThem) {
  const HostCores seen({on("a", {7}), on("a", {7}), on("a", {7})}, 2);
  EXPECT_EQ(seen.ofJob, 1u);
  EXPECT_EQ(seen.ofEachNode, 1u);
  EXPECT_TRUE(seen.areTooFewFor(1));
}

TEST(HostCoresTest, onSeveralHostsTheLeastShareCounts) {
  const std::vector<NodeCores> nodes = {on("a", {0, 1, 2, 3}), on("a", {0, 1, 2, 3}),
                                        on("b", {0, 1, 2, 3, 4, 5})};
  const HostCores first(nodes, 0), last(nodes, 2);
  EXPECT_EQ(first.ofJob, 10u);
  EXPECT_EQ(last.ofJob, 10u);
  EXPECT_EQ(first.ofEachNode, 2u);
  EXPECT_EQ(last.ofEachNode, 2u);
  EXPECT_TRUE(first.areTooFewFor(3));
  EXPECT_FALSE(last.areTooFewFor(3));
}

TEST(HostCoresTest, thirdsOfCoresAddUp) {
  const HostCores seen({on("a", {0, 1, 2}), on("a", {0, 1, 2}), on("a", {0, 1, 2})}, 0);
  EXPECT_EQ(seen.ofEachNode, 1u);
  EXPECT_FALSE(seen.areTooFewFor(1));
}

TEST(HostCoresTest, whatANodeSaysIsReadBack) {
  const NodeCores said = on("some host", {0, 9, 10, 8191});
  const std::string text = said.encode();
  const NodeCores read = NodeCores::decode(std::as_bytes(std::span(text)));
  EXPECT_EQ(read.host, said.host);
  EXPECT_EQ(read.cores, said.cores);
}

TEST(HostCoresTest, otherBytesAreNoCores) {
  for (const std::string text : {"", "\n", "host", "host\n8192 99999999999999999999 ", "host\n-"})
    EXPECT_TRUE(NodeCores::decode(std::as_bytes(std::span(text))).cores.none()) << text;
}

TEST(HostCoresTest, thisProcessMayRunSomewhere) {
  const NodeCores own = NodeCores::ofThisProcess();
  EXPECT_FALSE(own.host.empty());
  EXPECT_TRUE(own.cores.any());
}

} // namespace
} // namespace ompdsm
