// SimulateCommandTest.cpp: ompdsm-simulate's answers and exit codes.
#include "Command.h"
#include <gtest/gtest.h>

namespace {

using ompdsm::sim::Answer;

Answer simulate(const std::string &arguments) {
  return ompdsm::sim::answerOf(std::string(OMPDSM_SIMULATE_TOOL) + " " + arguments);
}

TEST(Simulate, SeedsThatHoldEndWithZero) {
  const Answer run = simulate("--seeds 3 --first-seed 5 --nodes 4 --network 2500,1500,1000,0.4");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(run.has("simulate: 3 seeds on up to 4 nodes")) << run.output;
  EXPECT_TRUE(run.has(" 0 failed")) << run.output;
}

TEST(Simulate, AFailurePrintsTheCommandThatRepeatsIt) {
  const Answer run = simulate("--seeds 200 --nodes 3 --network tcp --rule-off done-follows-puts");
  EXPECT_EQ(run.code, 1);
  const std::string wanted = "repeat: ompdsm-simulate ";
  const std::size_t at = run.output.find(wanted);
  ASSERT_NE(at, std::string::npos) << run.output;
  const std::size_t begin = at + wanted.size();
  const std::size_t line = run.output.rfind("seed ", at);
  const std::string failure = run.output.substr(line, run.output.find('\n', line) - line);
  const Answer again = simulate(run.output.substr(begin, run.output.find('\n', begin) - begin));
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(again.has(failure.c_str())) << again.output;
  EXPECT_TRUE(again.has(" us  node ")) << again.output;
}

TEST(Simulate, AMutantIsFound) {
  EXPECT_EQ(simulate("--seeds 20 --nodes 3 --mutant Dirty/FlushChangedQuiet/without-SendPut").code,
            1);
}

TEST(Simulate, TheReportIsATable) {
  const Answer run = simulate("--report --nodes 2 --network infiniband");
  EXPECT_EQ(run.code, 0) << run.output;
  EXPECT_TRUE(run.has("| barrier: nothing else | 1.0 / 16 / ")) << run.output;
}

TEST(Simulate, BadInputGetsOneMessageAndTwo) {
  for (const auto &[arguments, wanted] : {std::pair{"", "--help"},
                                          {"--seeds 1 --report", "--help"},
                                          {"--seeds 0", "seeds"},
                                          {"--seeds 1 --nodes 1", "nodes"},
                                          {"--seeds 1 --nodes 1025", "nodes"},
                                          {"--seeds 1 --network nonsense", "infiniband"},
                                          {"--seeds 1 --network 1,2,3", "infiniband"},
                                          {"--seeds 1 --network 1,2,3,-4", "infiniband"},
                                          {"--seeds 1 --rule-off nonsense", "--list"},
                                          {"--seeds 1 --mutant Dirty", "--list"},
                                          {"--seeds 1 --jobs 0", "jobs"},
                                          {"--sense", "sense"}}) {
    const Answer run = simulate(arguments);
    EXPECT_EQ(run.code, 2) << arguments << ": " << run.output;
    EXPECT_EQ(run.output.find("ompdsm-simulate: "), 0u) << run.output;
    EXPECT_TRUE(run.has(wanted)) << run.output;
    EXPECT_EQ(run.output.find('\n'), run.output.size() - 1) << run.output;
  }
}

} // namespace
