// CommandLineTest.cpp: ompdsm-check's answers and exit codes.
#include "Command.h"
#include <gtest/gtest.h>

namespace {

using Result = ompdsm::sim::Answer;

Result check(const std::string &arguments) {
  return ompdsm::sim::answerOf(std::string(OMPDSM_CHECK_TOOL) + " " + arguments);
}

bool has(const Result &run, const char *text) { return run.has(text); }

TEST(Check, AProgramThatHoldsEndsWithZero) {
  const Result run = check("--litmus 'stale base (trap 1)'");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(has(run, " states: stale base (trap 1)")) << run.output;
}

TEST(Check, AFailurePrintsTheCommandThatRepeatsIt) {
  const Result run =
      check("--litmus 'stale base (trap 1)' --mutant Dirty/FlushChangedQuiet/without-SendPut");
  EXPECT_EQ(run.code, 1);
  const std::string wanted = "repeat: ompdsm-check ";
  const std::size_t at = run.output.find(wanted);
  ASSERT_NE(at, std::string::npos) << run.output;
  const std::size_t begin = at + wanted.size();
  const Result again = check(run.output.substr(begin, run.output.find('\n', begin) - begin));
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(has(again, "node 1, thread 0: CheckWrite of block 0")) << again.output;
  EXPECT_TRUE(has(again, "fails: G2")) << again.output;
}

TEST(Check, ARuleSwitchedOffIsFound) {
  const Result run = check("--rule-off channels-are-ordered --litmus 'reordered invalidation (trap 4)'");
  EXPECT_EQ(run.code, 1) << run.output;
}

std::string scenario(const std::string &name) {
  return "'" + std::string(OMPDSM_SCENARIOS) + "/" + name + ".ndjson'";
}

TEST(Replay, ARunIsAsTheCoreSays) {
  const Result run = check("--replay " + scenario("late-store"));
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_EQ(run.output, "replay: 2 nodes, 109 records, 14 steps: as the core says\n");
}

TEST(Replay, ADifferenceIsShownWithWhatLedToIt) {
  const Result run = check("--replay " + scenario("released-before-confirmed"));
  EXPECT_EQ(run.code, 1);
  EXPECT_TRUE(has(run, "G2: a release ends, but node 2 has not processed an Invalidate"))
      << run.output;
  EXPECT_TRUE(has(run, "\"event\":\"Put\"")) << run.output;
  EXPECT_TRUE(has(run, "[\"SendInvalidate\",2]")) << run.output;
}

TEST(Check, TheListNamesProgramsRulesAndMutants) {
  const Result run = check("--list");
  EXPECT_EQ(run.code, 0);
  EXPECT_TRUE(has(run, "stale base (trap 1)") && has(run, "channels-are-ordered") &&
              has(run, "Dirty/FlushChanged/without-SendPut"));
}

TEST(Check, BadInputGetsOneMessageAndTwo) {
  for (const auto &[arguments, wanted] : {std::pair{"", "--help"},
                                          {"--all --quick", "--help"},
                                          {"--litmus nonsense", "--list"},
                                          {"--litmus trap", "several"},
                                          {"--rule-off nonsense", "--list"},
                                          {"--mutant Dirty", "--list"},
                                          {"--jobs 0 --quick", "jobs"},
                                          {"--replay /nowhere", "/nowhere: cannot be read"},
                                          {"--replay /dev/null", "is empty"},
                                          {"--replay /dev/null --quick", "--help"},
                                          {"--replay /dev/null --block 12x", "hexadecimal"},
                                          {"--scenario x --quick", "--replay"},
                                          {"--sense", "sense"}}) {
    const Result run = check(arguments);
    EXPECT_EQ(run.code, 2) << arguments << ": " << run.output;
    EXPECT_EQ(run.output.find("ompdsm-check: "), 0u) << run.output;
    EXPECT_TRUE(has(run, wanted)) << run.output;
    EXPECT_EQ(run.output.find('\n'), run.output.size() - 1) << run.output;
  }
}

} // namespace
