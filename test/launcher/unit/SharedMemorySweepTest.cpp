// SharedMemorySweepTest.cpp: only files of dead nodes of this job go.
#include "libompdsm/tools/run/SharedMemorySweep.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ompdsm::run;

namespace {

class Sweep : public testing::Test {
protected:
  Sweep() {
    std::string name = "/tmp/ompdsm-sweep-XXXXXX";
    directory = mkdtemp(name.data());
    const pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, nullptr, 0);
    dead = child;
  }
  ~Sweep() override { std::filesystem::remove_all(directory); }

  std::string make(const std::string &name) {
    const std::string path = directory + "/" + name;
    std::ofstream(path) << "x";
    return path;
  }
  std::string ofPid(pid_t pid, const char *rest) { return make(std::to_string(pid) + rest); }

  std::string directory;
  pid_t dead = 0;
};

TEST_F(Sweep, FilesOfADeadNodeGo) {
  const std::string first = ofPid(dead, ":0:0"), second = ofPid(dead, ":0:1");
  const std::string ofLibomp = make("__KMP_REGISTERED_LIB_" + std::to_string(dead) + "_0");
  EXPECT_EQ(sweepSharedMemory(std::array{dead}, directory), 3u);
  EXPECT_FALSE(std::filesystem::exists(ofLibomp));
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_FALSE(std::filesystem::exists(second));
}

TEST_F(Sweep, FilesOfAnUnreadDeadNodeGo) {
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  const std::string file = ofPid(child, ":0:0");
  EXPECT_TRUE(isDead(child));
  EXPECT_EQ(sweepSharedMemory(std::array{child}, directory), 1u);
  EXPECT_FALSE(std::filesystem::exists(file));
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(isDead(child));
  EXPECT_FALSE(isDead(getpid()));
}

TEST_F(Sweep, FilesOfALivingProcessStay) {
  const std::string file = ofPid(getpid(), ":0:0");
  EXPECT_EQ(sweepSharedMemory(std::array{getpid(), dead}, directory), 0u);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Sweep, FilesOfOtherDeadProcessesStay) {
  const std::string file = ofPid(dead, ":0:0");
  EXPECT_EQ(sweepSharedMemory(std::array{getpid()}, directory), 0u);
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Sweep, NamesOfAnotherFormStay) {
  ofPid(dead, "");
  ofPid(dead, "0:0:0");
  ofPid(dead, ".data");
  ofPid(dead, "_0");
  make("__KMP_REGISTERED_LIB_" + std::to_string(dead));
  make("__KMP_REGISTERED_LIB_" + std::to_string(dead) + ":0");
  make("x" + std::to_string(dead) + ":0:0");
  EXPECT_EQ(sweepSharedMemory(std::array{dead}, directory), 0u);
}

TEST_F(Sweep, OnlyRegularFilesGo) {
  const std::string target = make("target");
  std::filesystem::create_symlink(target, directory + "/" + std::to_string(dead) + ":0:0");
  std::filesystem::create_directory(directory + "/" + std::to_string(dead) + ":0:1");
  EXPECT_EQ(sweepSharedMemory(std::array{dead}, directory), 0u);
  EXPECT_TRUE(std::filesystem::exists(target));
}

TEST_F(Sweep, AMissingDirectoryIsNothingToSweep) {
  EXPECT_EQ(sweepSharedMemory(std::array{dead}, directory + "/none"), 0u);
}

} // namespace
