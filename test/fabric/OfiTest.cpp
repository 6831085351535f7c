// OfiTest.cpp: what is particular to the libfabric transport: errors, traces that it must not
// leave, and which way messages take.
#include "NodeRunner.h"
#include "fabric/ofi/OfiTransport.h"
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace ompdsm::test {

using namespace fabric;

namespace {

/// The names in /dev/shm that begin with the process id of this process.
std::set<std::string> ownSharedFiles() {
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator("/dev/shm"))
    if (entry.path().filename().string().starts_with(std::to_string(getpid()) + ":"))
      names.insert(entry.path().filename().string());
  return names;
}

std::string nameStartsWith(Node &node) {
  std::string name(node.transport.name());
  return name.starts_with(node.arguments.at(0)) ? "" : "the transport is '" + name + "'";
}
const RegisteredScenario nameRegistered("nameStartsWith", nameStartsWith);

/// Writes the names of this process in /dev/shm to the file arguments[0], so that the test can look
/// for them when the process has ended.
std::string tellSharedFiles(Node &node) {
  std::ofstream out(node.arguments.at(0), std::ios::app);
  for (const std::string &name : ownSharedFiles())
    out << name + "\n" << std::flush;
  return ownSharedFiles().empty() ? "a process that uses shm has no file in /dev/shm" : "";
}
const RegisteredScenario tellRegistered("tellSharedFiles", tellSharedFiles);

std::unique_ptr<OfiTransport> create(const char *transport, Status &status, NodeId self = 0,
                                     unsigned nodes = 1) {
  OfiOptions options;
  options.transport = transport;
  options.connectTimeout = std::chrono::milliseconds(200);
  std::unique_ptr<OfiTransport> result;
  status = OfiTransport::create(options, self, nodes, result);
  return result;
}

TEST(Ofi, UnknownProviderIsAnErrorThatNamesThoseThatExist) {
  Status status = Status::ok();
  EXPECT_EQ(create("carrier-pigeon", status), nullptr);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("'carrier-pigeon'"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("'shm'"), std::string::npos) << status.message();
}

TEST(Ofi, OneNodeNeedsNobody) {
  Status status = Status::ok();
  auto transport = create("auto", status);
  ASSERT_TRUE(status.isOk()) << status.message();
  ASSERT_TRUE(transport->connect({transport->addressBlob()}).isOk());
  transport->wake();
  transport->sleep(std::chrono::seconds(20)); // Returns at once, or the test's time limit strikes.
  EXPECT_EQ(transport->name(), "one node");
}

TEST(Ofi, DamagedAddressIsAnError) {
  Status status = Status::ok();
  auto transport = create("shm", status, 0, 2);
  ASSERT_TRUE(status.isOk()) << status.message();
  std::vector<std::byte> blob = transport->addressBlob();
  ASSERT_LE(blob.size(), 65536u);
  for (std::size_t cut = 0; cut < blob.size(); cut += 7) {
    std::vector<std::byte> damaged(blob.begin(), blob.begin() + std::ptrdiff_t(cut));
    EXPECT_FALSE(transport->connect({blob, damaged}).isOk());
  }
}

TEST(Ofi, APeerThatDoesNotConnectIsNamed) {
  Status status = Status::ok();
  auto present = create("tcp", status, 0, 2);
  ASSERT_TRUE(status.isOk()) << status.message();
  auto absent = create("tcp", status, 1, 2);
  ASSERT_TRUE(status.isOk()) << status.message();
  status = present->connect({present->addressBlob(), absent->addressBlob()});
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("cannot connect to node 1"), std::string::npos)
      << status.message();
}

TEST(Ofi, ShmAcrossHostsIsAnErrorThatSaysWhatToUse) {
  Setting setting;
  setting.transport = "shm";
  setting.hosts = 2;
  std::string reason = runNodes(setting, 2, "nameStartsWith", {"shm"});
  EXPECT_NE(reason.find("use 'auto' or 'tcp'"), std::string::npos) << reason;
}

TEST(Ofi, LeavesSignalsAsTheyWere) {
  struct sigaction before[64] = {}, after[64] = {};
  for (int signal = 1; signal < 64; ++signal)
    sigaction(signal, nullptr, &before[signal]);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  Status status = Status::ok();
  auto transport = create("auto", status);
  ASSERT_TRUE(status.isOk()) << status.message();
  for (int signal = 1; signal < 64; ++signal) {
    sigaction(signal, nullptr, &after[signal]);
    EXPECT_EQ(before[signal].sa_handler, after[signal].sa_handler) << "signal " << signal;
  }
  sigset_t maskAfter;
  pthread_sigmask(SIG_SETMASK, nullptr, &maskAfter);
  for (int signal = 1; signal < 64; ++signal)
    EXPECT_EQ(sigismember(&mask, signal), sigismember(&maskAfter, signal));
}

TEST(Ofi, LeavesTheEnvironmentAsItWas) {
  setenv("FI_OFI_RXM_MSG_RX_SIZE", "32", 1);
  Status status = Status::ok();
  auto transport = create("auto", status);
  ASSERT_TRUE(status.isOk()) << status.message();
  EXPECT_STREQ(std::getenv("FI_OFI_RXM_MSG_RX_SIZE"), "32");
  unsetenv("FI_OFI_RXM_MSG_RX_SIZE");
  for (char **variable = environ; *variable; ++variable)
    EXPECT_NE(std::strncmp(*variable, "FI_", 3), 0) << *variable;
}

TEST(Ofi, LeavesNothingInDevShm) {
  {
    Status status = Status::ok();
    auto transport = create("shm", status);
    ASSERT_TRUE(status.isOk()) << status.message();
    EXPECT_FALSE(ownSharedFiles().empty());
  }
  EXPECT_EQ(ownSharedFiles(), std::set<std::string>());
}

TEST(Ofi, WhatAKilledProcessOfTheSamePidHasLeftIsNoObstacle) {
  Status status = Status::ok();
  auto first = create("shm", status);
  ASSERT_TRUE(status.isOk()) << status.message();
  std::set<std::string> files = ownSharedFiles();
  ASSERT_EQ(files.size(), 1u);
  // The provider's own choice of names: pid, user and number of the endpoint in the process.
  std::vector<std::string> left;
  for (int endpoint = 0; endpoint < 64; ++endpoint) {
    left.push_back("/dev/shm/" + std::to_string(getpid()) + ":" + std::to_string(geteuid()) + ":" +
                   std::to_string(endpoint));
    std::filesystem::copy_file("/dev/shm/" + *files.begin(), left.back());
  }
  first.reset();
  auto second = create("shm", status);
  for (const std::string &file : left)
    std::filesystem::remove(file);
  EXPECT_TRUE(status.isOk()) << status.message();
}

TEST(Ofi, NodesOnOneHostUseShm) {
  Setting setting;
  setting.transport = "auto";
  setting.processes = true;
  EXPECT_EQ(runNodes(setting, 3, "nameStartsWith", {"shm"}), "");
}

TEST(Ofi, NodesOnTwoHostsUseBoth) {
  Setting setting;
  setting.transport = "auto";
  setting.processes = true;
  setting.hosts = 2;
  EXPECT_EQ(runNodes(setting, 4, "nameStartsWith", {"shm + tcp ("}), "");
}

/// A sleeper that wakes up for what another thread polls contends with it.
class OfiSleeper : public testing::TestWithParam<Setting> {};

TEST_P(OfiSleeper, IsLeftAloneWhileAnotherThreadPolls) {
  EXPECT_EQ(runNodes(GetParam(), 2, "pollerSparesSleeper", {"400"}), "");
  EXPECT_EQ(runNodes(GetParam(), 2, "roomSparesSleeper", {"400"}), "");
}

TEST_P(OfiSleeper, WakesForWhoWaits) {
  EXPECT_EQ(runNodes(GetParam(), 2, "waitersAreWoken", {"1"}), "");
  EXPECT_EQ(runNodes(GetParam(), 2, "waitersAreWoken", {"8"}), "");
}

TEST_P(OfiSleeper, WakesForWhatThoseWhoPolledHaveNotSeen) {
  EXPECT_EQ(runNodes(GetParam(), 2, "endOfPollingTells"), "");
}

TEST_P(OfiSleeper, WakesForWhoInsists) { EXPECT_EQ(runNodes(GetParam(), 2, "insistingWakes"), ""); }

INSTANTIATE_TEST_SUITE_P(
    Transports, OfiSleeper,
    testing::Values(Setting{.name = "shm", .transport = "shm", .decorators = "", .processes = true},
                    Setting{.name = "tcp", .transport = "tcp", .decorators = "", .processes = true},
                    Setting{.name = "shm_and_tcp",
                            .transport = "auto",
                            .decorators = "",
                            .processes = true,
                            .hosts = 2}),
    [](const auto &info) { return info.param.name; });

TEST(Ofi, ProcessesLeaveNothingInDevShm) {
  std::string file = testing::TempDir() + "fabric-shared-files-" + std::to_string(getpid());
  Setting setting;
  setting.transport = "shm";
  setting.processes = true;
  EXPECT_EQ(runNodes(setting, 3, "tellSharedFiles", {file}), "");
  std::ifstream in(file);
  unsigned names = 0;
  for (std::string name; std::getline(in, name); ++names)
    EXPECT_FALSE(std::filesystem::exists("/dev/shm/" + name)) << name;
  EXPECT_GE(names, 3u);
  std::filesystem::remove(file);
}

} // namespace

} // namespace ompdsm::test
