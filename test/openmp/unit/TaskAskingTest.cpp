// TaskAskingTest.cpp: which node is asked for tasks, and who gets one.
#include "libompdsm/src/TaskAsking.h"
#include <gtest/gtest.h>
#include <utility>

using namespace ompdsm;
using namespace std::chrono_literals;

namespace {
using Asked = std::optional<std::pair<NodeId, unsigned>>;
constexpr TaskAsking::Clock::time_point kStart{1h};

TaskAsking askingOf(NodeId self, unsigned nodes) {
  TaskAsking asking;
  asking.begin(nodes, self);
  return asking;
}

TaskOrigins originsOf(std::initializer_list<TaskOrigin> list) {
  TaskOrigins origins;
  for (const TaskOrigin &origin : list)
    origins = origins.with(origin);
  return origins;
}
} // namespace

TEST(TaskAsking, AsksOneNodeAndThenAnotherWhenItsPatienceEnds) {
  TaskAsking asking = askingOf(2, 4);
  EXPECT_EQ(asking.next(2, 0, kStart), Asked({0, 2}));
  EXPECT_EQ(asking.next(2, 0, kStart + 50us), std::nullopt);
  EXPECT_EQ(asking.next(2, 0, kStart + 200us), Asked({1, 2}));
  EXPECT_EQ(asking.next(2, 0, kStart + 310us), std::nullopt) << "it is more patient now";
  EXPECT_EQ(asking.next(2, 0, kStart + 500us), Asked({3, 2}));
  EXPECT_EQ(asking.next(2, 0, kStart + 1h), std::nullopt) << "all have been asked";
}

TEST(TaskAsking, GoesOnAskingWhoGives) {
  TaskAsking asking = askingOf(0, 3);
  ASSERT_EQ(asking.next(2, 0, kStart), Asked({2, 2}));
  asking.noteGift(2);
  EXPECT_EQ(asking.next(2, 1, kStart + 1us), std::nullopt) << "one has come, one is to come";
  EXPECT_EQ(asking.next(2, 0, kStart + 2us), Asked({2, 1})) << "the one that has come has begun";
}

TEST(TaskAsking, AsksNobodyWhileTasksWait) {
  TaskAsking asking = askingOf(0, 3);
  EXPECT_EQ(asking.next(2, 1, kStart), std::nullopt);
}

TEST(TaskAsking, AsksWhoHasDeniedLater) {
  TaskAsking asking = askingOf(1, 2);
  ASSERT_EQ(asking.next(1, 0, kStart), Asked({0, 1}));
  asking.noteDenial(0, kStart);
  EXPECT_EQ(asking.next(1, 0, kStart + 500us), std::nullopt);
  EXPECT_EQ(asking.next(1, 0, kStart + 1ms), Asked({0, 1}));
  asking.noteDenial(0, kStart + 1ms);
  EXPECT_EQ(asking.next(1, 0, kStart + 2ms), std::nullopt) << "the pause has become longer";
  EXPECT_EQ(asking.next(1, 0, kStart + 3ms), Asked({0, 1}));
}

TEST(TaskQuestions, AreMetInTurn) {
  TaskQuestions questions;
  questions.add(1, {.tasks = 2});
  questions.add(2, {.tasks = 1});
  EXPECT_EQ(questions.count(), 3u);
  EXPECT_EQ(questions.take(0, nullptr), NodeId(1));
  EXPECT_EQ(questions.take(0, nullptr), NodeId(2));
  EXPECT_EQ(questions.take(0, nullptr), NodeId(1));
  EXPECT_EQ(questions.take(0, nullptr), std::nullopt);
}

TEST(TaskQuestions, AddUp) {
  TaskQuestions questions;
  questions.add(1, {.tasks = 2});
  questions.add(1, {.tasks = 1});
  EXPECT_EQ(questions.count(), 3u);
}

TEST(TaskQuestions, OfAnImplicitTaskAreForItsDescendants) {
  TaskQuestions questions;
  questions.add(1, {.tasks = 1, .root = 5});
  EXPECT_FALSE(questions.areMetBy(4, nullptr));
  EXPECT_EQ(questions.take(4, nullptr), std::nullopt);
  EXPECT_EQ(questions.take(5, nullptr), NodeId(1));
}

TEST(TaskQuestions, ForDescendantsOfAGivenTaskAreMetByThose) {
  TaskQuestions questions;
  questions.add(1, {.tasks = 1, .ancestor = 7});
  const TaskOrigins fromOther = originsOf({{.id = 7, .node = 2}}),
                    another = originsOf({{.id = 8, .node = 1}}),
                    nested = originsOf({{.id = 7, .node = 1}, {.id = 3, .node = 2}});
  EXPECT_FALSE(questions.areMetBy(0, nullptr));
  EXPECT_FALSE(questions.areMetBy(0, &fromOther));
  EXPECT_FALSE(questions.areMetBy(0, &another));
  EXPECT_TRUE(questions.areMetBy(0, &nested));
  questions.add(1, {.tasks = 1, .ancestor = 8});
  EXPECT_EQ(questions.count(), 1u) << "the latest counts";
  EXPECT_FALSE(questions.areMetBy(0, &nested));
  EXPECT_EQ(questions.take(0, &another), NodeId(1));
}

TEST(TaskQuestions, AreForgottenWithAnAnswerToEach) {
  TaskQuestions questions;
  questions.add(3, {.tasks = 1});
  questions.add(1, {.tasks = 4});
  std::vector<NodeId> answered;
  questions.clear([&](NodeId node) { answered.push_back(node); });
  EXPECT_EQ(answered, (std::vector<NodeId>{3, 1}));
  EXPECT_EQ(questions.count(), 0u);
}

TEST(TaskOrigins, ForgetTheOutermost) {
  TaskOrigins origins;
  for (std::uint64_t id = 1; id <= TaskOrigins::kMost + 1; ++id)
    origins = origins.with({.id = id, .node = 0});
  const auto has = [&](std::uint64_t wanted) {
    return origins.anyOf(0, [&](std::uint64_t id) { return id == wanted; });
  };
  EXPECT_FALSE(has(1));
  EXPECT_TRUE(has(2));
  EXPECT_TRUE(has(TaskOrigins::kMost + 1));
}
