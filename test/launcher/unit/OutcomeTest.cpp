// OutcomeTest.cpp: one verdict, with the best reason, whatever the order in which things are heard.
#include "libompdsm/tools/run/Outcome.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace ompdsm::run;

namespace {

constexpr int exited(int code) { return code << 8; }
constexpr int killedBy(int signal) { return signal; }

class Verdicts : public testing::Test {
protected:
  Verdicts() {
    for (unsigned node = 0; node < 3; ++node)
      outcome.nodeStarted(node, pid_t(100 + node));
  }
  void joinAll() {
    for (unsigned node = 0; node < 3; ++node)
      outcome.nodeJoined(node, pid_t(100 + node));
  }
  void exits(unsigned node, int status) { outcome.nodeExited(node, status, now); }
  std::optional<Verdict> after(std::chrono::milliseconds time) {
    now += time;
    return outcome.decide(now);
  }

  Outcome outcome{3, "./prog"};
  TimePoint now = TimePoint() + std::chrono::hours(1);
};

TEST_F(Verdicts, NoneWhileAllRun) {
  joinAll();
  EXPECT_FALSE(after(std::chrono::hours(1)));
  EXPECT_FALSE(outcome.waits());
}

TEST_F(Verdicts, SuccessIsImmediateAndOrderly) {
  joinAll();
  outcome.nodeDone(0);
  exits(0, exited(0));
  const auto verdict = after({});
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->orderly);
  EXPECT_EQ(verdict->exitCode, 0);
  EXPECT_EQ(verdict->message, "");
}

TEST_F(Verdicts, NodeZerosCodeIsTheJobs) {
  joinAll();
  outcome.nodeDone(0);
  exits(0, exited(7));
  EXPECT_FALSE(after({})) << "another node's failure may be the reason";
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exitCode, 7);
  EXPECT_EQ(verdict->message, "");
}

TEST_F(Verdicts, AKilledNodeIsNamedWithItsSignal) {
  joinAll();
  exits(2, killedBy(SIGKILL));
  EXPECT_FALSE(after({}));
  EXPECT_TRUE(outcome.waits());
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message, "node 2 (pid 102) was killed by signal 9 (Killed); the job ends");
  EXPECT_EQ(verdict->exitCode, 137);
}

TEST_F(Verdicts, AKilledNodeExplainsTheReportOfItsPeer) {
  joinAll();
  outcome.nodeReported(0, "node 1 does not answer", now);
  exits(0, exited(1));
  now += kVerdictDelay / 2;
  exits(1, killedBy(SIGSEGV));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message,
            "node 1 (pid 101) was killed by signal 11 (Segmentation fault); the job ends");
}

TEST_F(Verdicts, TheExitCodeOfANodeThatReportsIsTheJobs) {
  joinAll();
  outcome.nodeReported(1, "the program called exit(3)", now);
  exits(1, exited(3));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message, "node 1 (pid 101): the program called exit(3); the job ends");
  EXPECT_EQ(verdict->exitCode, 3);
}

TEST_F(Verdicts, ANodeThatReportsMayTakeItsTimeToExit) {
  joinAll();
  outcome.nodeReported(1, "the program called exit(3)", now);
  EXPECT_FALSE(after(3 * kVerdictDelay)) << "nobody knows the code";
  EXPECT_TRUE(outcome.waits());
  exits(1, exited(3));
  const auto verdict = after({});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exitCode, 3);
}

TEST_F(Verdicts, ANodeThatReportsAndDoesNotExitEndsTheJob) {
  joinAll();
  outcome.nodeReported(1, "no memory", now);
  const auto verdict = after(kReportedExitDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message, "node 1 (pid 101): no memory; the job ends");
  EXPECT_EQ(verdict->exitCode, 1);
}

TEST_F(Verdicts, AReportExplainsTheDeathOfItsOwnNodeInEitherOrder) {
  for (const bool reportFirst : {true, false}) {
    Outcome job(2, "./prog");
    job.nodeJoined(0, 1);
    job.nodeJoined(1, 2);
    if (reportFirst)
      job.nodeReported(1, "ompdsm: taskloop is not supported\n", now);
    job.nodeExited(1, killedBy(SIGABRT), now);
    if (!reportFirst)
      job.nodeReported(1, "ompdsm: taskloop is not supported\n", now);
    const auto verdict = job.decide(now + kVerdictDelay);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->message, "node 1 (pid 2): taskloop is not supported; the job ends");
    EXPECT_EQ(verdict->exitCode, 1);
  }
}

TEST_F(Verdicts, TheVerdictStays) {
  joinAll();
  exits(2, killedBy(SIGKILL));
  ASSERT_TRUE(after(kVerdictDelay));
  exits(0, killedBy(SIGSEGV));
  outcome.launcherFailed(5, "something else");
  EXPECT_EQ(after(std::chrono::hours(1))->exitCode, 137);
}

TEST_F(Verdicts, AnotherNodeThatLeavesEarlyEndsTheJob) {
  joinAll();
  exits(1, exited(0));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message,
            "node 1 (pid 101) exited with code 0 before the job's end; the job ends");
  EXPECT_EQ(verdict->exitCode, 1);
}

TEST_F(Verdicts, AnotherNodesOrderlyExitIsNoFailureEvenIfHeardBeforeItsLastWord) {
  joinAll();
  exits(1, exited(0));
  outcome.nodeDone(1);
  EXPECT_FALSE(after(kVerdictDelay));
}

TEST_F(Verdicts, AProgramWithoutOmpdsmIsExplained) {
  exits(0, exited(0));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_NE(verdict->message.find("'./prog' did not start ompdsm"), std::string::npos);
  EXPECT_EQ(verdict->exitCode, 1);
}

TEST_F(Verdicts, FailureBeforeJoiningKeepsItsCode) {
  exits(1, exited(127));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exitCode, 127);
}

TEST_F(Verdicts, OneNodeNeedsNoOmpdsm) {
  Outcome single(1, "./prog");
  single.nodeStarted(0, 5);
  single.nodeExited(0, exited(0), now);
  const auto verdict = single.decide(now);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->exitCode, 0);
  EXPECT_EQ(verdict->message, "");
}

TEST_F(Verdicts, TheUsersOwnSignalIsNoNews) {
  joinAll();
  outcome.jobSignalled(SIGTERM);
  exits(0, killedBy(SIGTERM));
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message, "");
  EXPECT_EQ(verdict->exitCode, 143);
}

TEST_F(Verdicts, ALostConnectionWaitsForABetterReason) {
  joinAll();
  outcome.nodeLost(1, now);
  EXPECT_FALSE(after(kLostConnectionDelay - std::chrono::milliseconds(1)));
  EXPECT_TRUE(outcome.waits());
  const auto verdict = after(kVerdictDelay);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->message,
            "node 1 (pid 101) closed its connection to the launcher; the job ends");
}

TEST_F(Verdicts, TheStartTimeOutNamesTheNodeThatIsMissing) {
  outcome.nodeJoined(0, 100);
  outcome.nodeJoined(1, 101);
  outcome.startTimedOut(60);
  const auto verdict = outcome.decide(now);
  ASSERT_TRUE(verdict);
  EXPECT_NE(verdict->message.find("node 2 (pid 102) did not join the job within 60 s"),
            std::string::npos);
}

TEST_F(Verdicts, ACrashOnTheWayOutStillCounts) {
  joinAll();
  outcome.nodeDone(0);
  exits(0, exited(0));
  ASSERT_TRUE(after({})->orderly);
  outcome.nodeDone(1);
  exits(1, killedBy(SIGSEGV));
  exits(2, exited(0));
  outcome.nodeDone(2);
  EXPECT_TRUE(outcome.decide(now)->orderly);
  EXPECT_TRUE(outcome.waits());
  const auto verdict = after(kVerdictDelay);
  EXPECT_FALSE(verdict->orderly);
  EXPECT_EQ(verdict->exitCode, 139);
}

TEST_F(Verdicts, WhatWeDoToTheNodesIsNotTheirFailure) {
  joinAll();
  outcome.nodeDone(0);
  exits(0, exited(0));
  ASSERT_TRUE(after({})->orderly);
  outcome.seal();
  exits(1, killedBy(SIGKILL));
  EXPECT_TRUE(after(kVerdictDelay)->orderly);
}

TEST_F(Verdicts, AReportFitsOnOneLine) {
  joinAll();
  outcome.nodeReported(1, "one\ntwo\tthree\x1b[31m", now);
  exits(1, exited(1));
  EXPECT_EQ(after(kVerdictDelay)->message, "node 1 (pid 101): one two three [31m; the job ends");
}

} // namespace
