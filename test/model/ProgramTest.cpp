// ProgramTest.cpp: litmus programs are what they say; wrong ones are recognised.
#include "protocol/sim/ProgramParts.h"
#include <gtest/gtest.h>
#include <set>

namespace ompdsm::sim {
namespace {

using namespace parts;

std::string faultOfThreads(std::vector<Program> threads) {
  Litmus litmus{"test", std::move(threads)};
  return faultOf(litmus);
}

TEST(Programs, AllAreFreeOfRacesAndHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Litmus &litmus : allLitmuses()) {
    EXPECT_EQ(faultOf(litmus), "") << litmus.name;
    EXPECT_TRUE(names.insert(litmus.name).second) << litmus.name;
  }
  EXPECT_GT(names.size(), 100u);
}

TEST(Programs, ARaceIsRecognised) {
  EXPECT_NE(faultOfThreads({{0, write(X, 1)}, {1, read(X)}}), "");
  EXPECT_NE(faultOfThreads({{0, write(X, 1)}, {1, exchange(X, 2)}}), "");
  EXPECT_EQ(faultOfThreads({{0, write(X, 1)}, {1, read(Y)}}), "");
  EXPECT_EQ(faultOfThreads({{0, exchange(X, 1)}, {1, exchange(X, 2)}}), "");
}

TEST(Programs, OrderMakesNoRace) {
  EXPECT_EQ(faultOfThreads({{0, write(X, 1) + signal(a)}, {1, wait(a) + read(X)}}), "");
  EXPECT_EQ(faultOfThreads({{0, write(X, 1) + barrier()}, {1, barrier() + read(X)}}), "");
  EXPECT_EQ(
      faultOfThreads({{0, lock(a) + write(X, 1) + unlock(a)}, {1, lock(a) + read(X) + unlock(a)}}),
      "");
  EXPECT_NE(faultOfThreads({{0, write(X, 1) + barrier()}, {1, read(X) + barrier()}}), "");
}

TEST(Programs, AnAccessWithoutPermissionIsRecognised) {
  EXPECT_NE(faultOfThreads({{0, checkRead() + store(X, 1)}}), "");
  EXPECT_NE(faultOfThreads({{0, checkWrite() + release() + store(X, 1)}}), "")
      << "a permission ends at a synchronisation point";
  EXPECT_NE(faultOfThreads({{0, checkRead(U) + load(X)}}), "") << "of another block";
  EXPECT_EQ(faultOfThreads({{0, checkWrite() + exchange(U, 1) + store(X, 1)}}), "");
}

TEST(Programs, AnEndThatCannotBeReachedIsRecognised) {
  EXPECT_NE(faultOfThreads({{0, wait(a)}}), "");
  EXPECT_NE(faultOfThreads({{0, barrier()}, {1, {}}}), "");
}

} // namespace
} // namespace ompdsm::sim
