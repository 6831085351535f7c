// ConformanceTest.cpp: every scenario on every transport, and broken transports that must be
// caught.
#include "NodeRunner.h"
#include "test/Sanitized.h"
#include <algorithm>
#include <gtest/gtest.h>

namespace ompdsm::test {

namespace {

/// How much of a scenario a setting gets: processes on a busy machine are slower than threads.
struct Case {
  Setting setting;
  unsigned scale;
};

void PrintTo(const Case &parameter, std::ostream *out) { *out << parameter.setting.name; }

std::string nameOf(const testing::TestParamInfo<Case> &info) { return info.param.setting.name; }

std::vector<Case> cases() {
  auto make = [](const char *name, const char *transport, const char *decorators, bool processes,
                 unsigned hosts, unsigned scale) {
    Setting setting;
    setting.name = name;
    setting.transport = transport;
    setting.decorators = decorators;
    setting.processes = processes;
    setting.hosts = hosts;
    return Case{setting, kSanitized ? std::max(1u, scale / 4) : scale};
  };
  std::vector<Case> all{
      make("loopback", "loopback", "", false, 1, 10),
      make("fault", "loopback", "delay=0..300us,block=0.2,seed=7", false, 1, 2),
      // Several endpoints of libfabric's shm provider in one process crash now and then inside the
      // provider (1.17); nodes are processes, and so they are here.
      make("shm", "shm", "", true, 1, 10),
      make("net_threads", "net", "", false, 1, 5),
      make("tcp", "tcp", "", true, 1, 10),
      make("shm_and_tcp", "auto", "", true, 2, 10),
  };
  // The same code of ours as with tcp and with fault, on another provider.
  if (!kSanitized) {
    all.push_back(make("rxm", "tcp;ofi_rxm", "", true, 1, 2));
    all.push_back(make("shm_with_faults", "shm", "delay=0..200us,block=0.1,seed=3", true, 1, 2));
  }
  return all;
}

class Conformance : public testing::TestWithParam<Case> {
protected:
  std::string run(unsigned nodes, const char *scenario, unsigned count = 0) {
    return runNodes(GetParam().setting, nodes, scenario,
                    {std::to_string(count * GetParam().scale)});
  }
};

TEST_P(Conformance, KeepsOrderAndBytesInAStormOfFourNodes) { EXPECT_EQ(run(4, "storm", 60), ""); }
TEST_P(Conformance, KeepsOrderAndBytesBetweenTwoNodes) { EXPECT_EQ(run(2, "storm", 300), ""); }
TEST_P(Conformance, RequestNotPolledStopsNothingElse) {
  EXPECT_EQ(runNodes(GetParam().setting, 2, "independence", {"1"}), "");
}
TEST_P(Conformance, ControlNotPolledStopsNothingElse) {
  EXPECT_EQ(runNodes(GetParam().setting, 2, "independence", {"0"}), "");
}
TEST_P(Conformance, RefusesWhenNobodyPollsAndThenDeliversAll) {
  EXPECT_EQ(run(4, "backPressure", 100), "");
}
TEST_P(Conformance, CarriesEverySize) { EXPECT_EQ(run(2, "sizes"), ""); }
TEST_P(Conformance, CarriesMessagesOfFewBytes) { EXPECT_EQ(run(2, "tinyMessages"), ""); }
TEST_P(Conformance, TakesSendsOfManyThreads) { EXPECT_EQ(run(3, "manySenders", 100), ""); }
TEST_P(Conformance, WakesForEveryMessageOfTwoSleepers) {
  EXPECT_EQ(run(2, "sleepingRing", 1000), "");
}
TEST_P(Conformance, WakesForEveryMessageOfThreeSleepers) {
  EXPECT_EQ(run(3, "sleepingRing", 200), "");
}
TEST_P(Conformance, WakesWhenToldTo) { EXPECT_EQ(run(2, "wakeEndsSleep", 150), ""); }
TEST_P(Conformance, WakesWhenToldToWhileAnotherThreadPolls) {
  EXPECT_EQ(run(2, "wakeEndsSleepWhileAnotherPolls", 20), "");
}
TEST_P(Conformance, WakesARefusedSender) { EXPECT_EQ(run(2, "blockedSenderSleeps", 300), ""); }
TEST_P(Conformance, SleepsInOneThreadWhileAnotherPolls) {
  EXPECT_EQ(run(2, "serviceAndPoller", 300), "");
}
TEST_P(Conformance, SleepsInOneThreadWhileAnotherPollsOnThreeNodes) {
  EXPECT_EQ(run(3, "serviceAndPoller", 200), "");
}

/// Those that do not delay each message by itself.
std::vector<Case> promptCases() {
  std::vector<Case> prompt = cases();
  std::erase_if(prompt, [](const Case &one) {
    return one.setting.decorators.find("delay=") != std::string::npos;
  });
  return prompt;
}

class PromptConformance : public Conformance {};

TEST_P(PromptConformance, BringsControlBeforeTheBulkThatWasSentBefore) {
  EXPECT_EQ(run(2, "controlPassesBulk"), "");
}
TEST_P(PromptConformance, BringsControlBeforeTheBulkThatIsHeld) {
  EXPECT_EQ(runNodes(GetParam().setting, 2, "controlPassesBulk", {"held"}), "");
}

INSTANTIATE_TEST_SUITE_P(Transports, Conformance, testing::ValuesIn(cases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Transports, PromptConformance, testing::ValuesIn(promptCases()), nameOf);

/// A broken promise and a scenario that must notice.
struct Canary {
  const char *how;
  const char *scenario;
  const char *argument;
  const char *expected; ///< Part of the reason.
};

void PrintTo(const Canary &canary, std::ostream *out) { *out << canary.how; }

class ConformanceCanary : public testing::TestWithParam<Canary> {};

TEST_P(ConformanceCanary, IsCaught) {
  Setting setting;
  setting.transport = "loopback";
  setting.decorators = GetParam().how;
  setting.patience = std::chrono::milliseconds(1000);
  std::string reason = runNodes(setting, 2, GetParam().scenario, {GetParam().argument});
  EXPECT_NE(reason.find(GetParam().expected), reason.npos) << "the reason was: '" << reason << "'";
}

INSTANTIATE_TEST_SUITE_P(
    Broken, ConformanceCanary,
    testing::Values(Canary{"broken:drop", "storm", "200", "came instead of"},
                    Canary{"broken:swap", "storm", "200", "came instead of"},
                    Canary{"broken:duplicate", "storm", "200", "came instead of"},
                    Canary{"broken:corrupt", "storm", "200", "wrong bytes"},
                    Canary{"broken:truncate", "storm", "200", "wrong bytes"},
                    Canary{"broken:merge", "storm", "200", "wrong sender or channel"},
                    Canary{"broken:clog", "independence", "1", "was not ended"},
                    Canary{"broken:endless", "backPressure", "10", "without end"},
                    Canary{"broken:behind", "controlPassesBulk", "", "came behind all"},
                    Canary{"broken:deaf", "sleepingRing", "10", "did not end a sleep"},
                    Canary{"broken:nowake", "wakeEndsSleep", "1000000", "did not end a sleep"},
                    Canary{"delay=0..200us,seed=1,order=relaxed", "storm", "200",
                           "came instead of"}),
    [](const testing::TestParamInfo<Canary> &info) {
      std::string how = info.param.how;
      return how.starts_with("broken:") ? how.substr(7) : "relaxedOrder";
    });

} // namespace

} // namespace ompdsm::test

int main(int argc, char **argv) {
  ompdsm::test::runAsNodeIfAsked(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
