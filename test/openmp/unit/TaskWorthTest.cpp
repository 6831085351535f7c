// TaskWorthTest.cpp: which tasks take long enough to be given away.
#include "libompdsm/src/TaskWorth.h"
#include <gtest/gtest.h>
#include <memory>

using namespace ompdsm;
using namespace std::chrono_literals;

TEST(TaskWorth, TasksOfUnknownKindsMayLeave) {
  const auto worth = std::make_unique<TaskWorth>();
  const int code = 0;
  EXPECT_TRUE(worth->isWorth(&code, 3));
}

TEST(TaskWorth, KindsDifferByCodeAndDepth) {
  const auto worth = std::make_unique<TaskWorth>();
  const int code = 0, other = 0;
  worth->note(&code, 9, 1us);
  EXPECT_FALSE(worth->isWorth(&code, 9));
  EXPECT_TRUE(worth->isWorth(&code, 8));
  EXPECT_TRUE(worth->isWorth(&other, 9));
  worth->note(&code, 2, TaskWorth::kLeast);
  EXPECT_TRUE(worth->isWorth(&code, 2));
}

TEST(TaskWorth, TheLatestCountMost) {
  const auto worth = std::make_unique<TaskWorth>();
  const int code = 0;
  worth->note(&code, 1, 1us);
  for (unsigned i = 0; i < 10; ++i)
    worth->note(&code, 1, 100us);
  EXPECT_TRUE(worth->isWorth(&code, 1));
}

TEST(TaskWorth, SomeAreMeasured) {
  const auto worth = std::make_unique<TaskWorth>();
  const int code = 0;
  unsigned measured = 0;
  for (unsigned i = 0; i < 160; ++i)
    measured += worth->isDue(&code, 1);
  EXPECT_EQ(measured, 4u + 9u);
}
