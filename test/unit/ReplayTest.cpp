// ReplayTest.cpp: traces of the engine are what the core says; a trace in which one thing was
// changed is refused there, with what is wrong.
#include "test/Sanitized.h"
#include "test/unit/Stress.h"
#include "test/unit/TraceFiles.h"
#include "test/unit/Trio.h"

namespace ompdsm::test {
namespace {

struct Variant {
  const char *name;
  double locks, atomics, releases, offline, holds;
};
void PrintTo(const Variant &variant, std::ostream *to) { *to << variant.name; }
constexpr Variant kVariants[] = {
    {"Barriers", 0, 0, 0, 0, 0},
    {"HeldPermissions", 0.3, 0, 0.1, 0.02, 0.7},
    {"Everything", 0.1, 0.1, 0.05, 0.05, 0.6},
};

class ReplayedStress : public testing::TestWithParam<Variant> {};

TEST_P(ReplayedStress, IsAsTheCoreSays) {
  const Variant &variant = GetParam();
  for (std::uint64_t seed = 1; seed <= (kSanitized ? 1 : 4); ++seed) {
    StressOptions options;
    options.seed = seed;
    options.phases = 8;
    options.operationsPerPhase = 60;
    options.locks = variant.locks;
    options.atomics = variant.atomics;
    options.releases = variant.releases;
    options.offline = variant.offline;
    options.holds = variant.holds;
    ClusterOptions &cluster = options.cluster;
    cluster.nodes = 3;
    cluster.threadsPerNode = 2;
    cluster.areas = {
        {4096, 8192 + 192, 0, std::uint8_t(6 + seed), false, seed % 2 == 0, seed % 4 == 0},
        {4 * 4096, 3 * 4096, 2, 9, true, false},
        {8 * 4096, 4096 + 64, 1, 13, true, false}};
    cluster.limits = {2, fabric::kMaxMessageBytes};
    cluster.faults.emplace();
    cluster.faults->delayMax = std::chrono::microseconds(200);
    cluster.faults->blockProbability = 0.1;
    cluster.faults->seed = seed;
    cluster.sites = 2;
    cluster.cacheLimitBytes = seed % 2 ? 2 * 4096 : 0; // so that copies are given up
    TraceFiles files(3);
    cluster.events = files.options();
    ASSERT_EQ(runStress(options), "");
    const sim::ReplayOutcome outcome = files.replay();
    EXPECT_EQ(outcome.problem, "");
    EXPECT_EQ(outcome.difference, "") << "seed " << seed;
    EXPECT_TRUE(outcome.cut.empty());
    EXPECT_GT(outcome.steps, 100u);
  }
}
INSTANTIATE_TEST_SUITE_P(Program, ReplayedStress, testing::ValuesIn(kVariants),
                         [](const auto &info) { return info.param.name; });

/// A few steps of which all nodes have their part.
void runScript(const TraceFiles &files) {
  ClusterOptions options = Trio::threeNodes();
  options.areas.push_back({4096, 4096, 0, 8, true});
  options.pushFirst = false; // the barrier is to make copies stale
  options.events = files.options();
  Trio trio(options);
  trio.two.read<std::uint8_t>(trio.at(0));
  trio.one.write<std::uint8_t>(trio.at(1), 1); // of two readers, one writes
  trio.one.release();
  trio.two.read<std::uint8_t>(trio.at(1));
  {
    NodeThread late(trio.cluster, 1);
    late.write<std::uint8_t>(trio.at(2), 2);
    trio.one.release(); // while another thread may still store
    late.poke<std::uint8_t>(trio.at(3), 3);
    late.release();
    trio.one.release();
  }
  trio.home.atomicAdd(trio.at(512), 1);
  trio.one.atomicAdd(trio.at(512), 1);
  trio.one.update(trio.at(512), 1);
  trio.two.read<std::uint8_t>(trio.at(512));
  trio.home.write<std::uint8_t>(trio.at(4), 4);
  trio.two.read<std::uint8_t>(trio.at(1536));
  trio.one.write<std::uint8_t>(trio.at(1536), 1); // which the barrier sends
  trio.one.read<std::uint8_t>(trio.at(1792));
  trio.barrier();
  trio.two.read<std::uint8_t>(trio.at(1792));     // which nobody has written
  trio.one.write<std::uint8_t>(trio.at(1024), 1); // a block that nobody else shares
  trio.one.release();
  trio.two.read<std::uint8_t>(trio.at(1280));
  trio.one.write<std::uint8_t>(trio.at(1280), 1); // and one that nobody reads again
  trio.one.release();
  trio.two.check(trio.at(2048), 256, Access::Overwrite);
  for (std::size_t byte = 0; byte < 256; ++byte)
    trio.two.poke<std::uint8_t>(trio.at(2048 + byte), 7);
  trio.two.release();
  trio.one.read<std::uint8_t>(trio.at(2048));
  trio.one.check(trio.cluster.at(1, 0), 4096, Access::Write);
  trio.one.poke<std::uint8_t>(trio.cluster.at(1, 0), 1);
  trio.barrier(); // where the second page moves
}

/// The first lines with all of the texts, from line `after` on; one must be there.
std::size_t findLine(const TraceFiles::Lines &lines, const std::vector<const char *> &texts,
                     std::size_t after = 0) {
  for (std::size_t i = after; i < lines.size(); ++i)
    if (std::all_of(texts.begin(), texts.end(),
                    [&](const char *text) { return lines[i].find(text) != std::string::npos; }))
      return i;
  ADD_FAILURE() << "no line with " << texts[0];
  return 0;
}

TEST(Replay, AScriptIsAsTheCoreSays) {
  TraceFiles files(3);
  runScript(files);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
  EXPECT_TRUE(outcome.cut.empty());
}

TEST(Replay, AHomeThatOverwritesIsAsTheCoreSays) {
  TraceFiles files(3);
  {
    ClusterOptions options = Trio::threeNodes();
    options.events = files.options();
    Trio trio(options);
    for (std::uint8_t round = 1; round <= 4; ++round) {
      trio.home.check(trio.at(0), 256, Access::Rewrite);
      for (std::size_t byte = 0; byte < 256; ++byte)
        trio.home.poke<std::uint8_t>(trio.at(byte), round);
      trio.barrier();
      EXPECT_EQ(trio.one.read<std::uint8_t>(trio.at(0)), round);
      trio.barrier();
    }
    EXPECT_EQ(trio.two.read<std::uint8_t>(trio.at(255)), 4); // of what was pushed to node 1 alone
    trio.barrier();
  }
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
}

/// What is changed in the line of `node` that has the texts: `from` becomes `to`, or the number
/// after it becomes another; without `from` the line is left out.
struct Change {
  const char *name;
  unsigned node;
  std::vector<const char *> texts;
  const char *from, *to;
  const char *wanted; ///< In the message.
  bool there = true;  ///< It is about the line that was changed.
};
const Change kChanges[] = {
    {"AnotherStateAfterwards",
     0,
     {"\"GetUnwritten\",\"before\":\"Exclusive\""},
     "HomeServed",
     "Shared",
     "the core leaves the block in HomeServed, the trace in Shared"},
    {"AnotherStateBefore",
     1,
     {"\"WriteMiss\",\"before\":\"Invalid\""},
     "\"before\":\"Invalid\"",
     "\"before\":\"Stale\"",
     "the core has the block in Invalid, the trace in Stale"},
    {"AnotherEvent",
     1,
     {"\"DataForWrite\""},
     "DataForWrite",
     "Data",
     "the core does Wake, the trace has TakeTwin"},
    {"AnotherDecision",
     1,
     {"\"is\":\"Flush\"", "FlushChanged\""},
     "FlushChanged",
     "FlushSame",
     "the core takes it for FlushChanged, the trace for FlushSame"},
    {"AnInvalidateThatIsNotSent",
     0,
     {"\"Put\"", "[\"SendInvalidate\",2]"},
     ",[\"SendInvalidate\",2]",
     "",
     "the core does SendInvalidate 2, the trace has nothing more"},
    {"AnInvalidateToSomebodyElse",
     0,
     {"\"Put\"", "[\"SendInvalidate\",2]"},
     "[\"SendInvalidate\",2]",
     "[\"SendInvalidate\",1]",
     "the core does SendInvalidate 2"},
    {"AnInvalidateThatIsNotHandled",
     2,
     {"500\"", "\"event\":\"Invalidate\""},
     nullptr,
     nullptr,
     "G2: a release ends, but node 2 has not processed an Invalidate",
     false},
    {"APutThatIsNotApplied",
     0,
     {"400\"", "\"event\":\"Put\""},
     nullptr,
     nullptr,
     "G2: a release ends, but a Put of the node is not yet applied",
     false},
    {"APutWithOtherBytes",
     0,
     {"\"event\":\"Put\""},
     "[\"Apply\",1,",
     nullptr,
     "Put of node 1 brings other contents than were sent"},
    {"APutThatIsAppliedInPart",
     1,
     {"400\"", "[\"SendPut\",0,1,"},
     "[\"SendPut\",0,1,",
     "[\"SendPut\",0,2,",
     "G2: a release ends, but a Put of the node is not yet applied",
     false},
    {"DataWithOtherBytes",
     1,
     {"[\"Overwrite\","},
     "[\"Overwrite\",",
     nullptr,
     "Data of node 0 brings other contents than were sent"},
    {"DataThatDidNotCome",
     1,
     {"\"DataForWrite\""},
     nullptr,
     nullptr,
     "a permission is granted before the data came",
     false},
    {"AWriterThatIsForgotten",
     1,
     {"[\"OthersOffline\",0]"},
     "[\"OthersOffline\",0]",
     "[\"OthersOffline\",1]",
     "the trace says that all other threads are offline, but thread"},
    {"ASharerThatIsForgotten",
     0,
     {"\"Get\",\"before\":\"HomeServed\"", "[1,2]}"},
     "[1,2]}",
     "[2]}",
     "the core has as sharers 1 2, the trace 2"},
    {"APermissionThatNobodyAskedFor",
     1,
     {"\"is\":\"Ask\""},
     nullptr,
     nullptr,
     "a permission is granted that was not asked for",
     false},
    {"AStampOfThePast",
     1,
     {"[\"Stamp\","},
     "[\"Stamp\",",
     "[\"Stamp\",0],[\"Stamp\",",
     "the stamp 0 is not later than the node's last one"},
    {"AMessageOfThePast",
     1,
     {"\"is\":\"Send\"", "\"number\":2}"},
     "\"number\":2}",
     "\"number\":1}",
     "but number 1 came before it"},
    {"AMessageThatWasNotSent",
     0,
     {"\"is\":\"Receive\"", "\"message\":\"Put\""},
     "\"number\":",
     "\"number\":9",
     "which that node has not sent"},
    {"ABarrierWithoutANode",
     1,
     {"\"is\":\"Arrive\""},
     nullptr,
     nullptr,
     "a barrier ends before node 1 has arrived",
     false},
    {"AnAtomicOperationWithoutRequest",
     1,
     {"\"is\":\"Atomic\""},
     nullptr,
     nullptr,
     "Atomic of node 1 is handled, but none is under way",
     false},
    {"AWholeBlockWithOtherBytes", 0, {"\"PutWhole\""}, "[\"Apply\",4,", nullptr,
     "Put of node 2 brings other contents than were sent"},
    {"MemoryThatWasWrittenUnseen",
     0,
     {"700\"", "\"before\":\"Shared\"", "SendMemory"},
     "[\"SendMemory\",2,",
     nullptr,
     "G1: the home's memory has changed while nobody could write"},
    {"AHomeThatNobodyGave",
     0,
     {"000\"", "\"event\":\"Cede\""},
     nullptr,
     nullptr,
     "a node takes a block over that was not given to it",
     false},
    {"AHomeThatMovesTooEarly",
     0,
     {"\"event\":\"Cede\""},
     "\"peer\":1",
     "\"peer\":2",
     "G4: the home of a block moves that may not move"},
    {"AnInvalidateThatABarrierForgets",
     2,
     {"600\"", "\"event\":\"Invalidate\""},
     nullptr,
     nullptr,
     "G3: a barrier ends, but an Invalidate to this node",
     false},
};

void replaceAt(std::string &line, std::size_t at, const Change &change) {
  const std::string from = change.from;
  if (change.to) {
    line.replace(at, from.size(), change.to);
    return;
  }
  const std::size_t begin = at + from.size(), end = line.find_first_not_of("0123456789", begin);
  const std::uint64_t number = std::stoull(line.substr(begin, end - begin));
  line.replace(begin, end - begin, std::to_string(number ^ 1));
}
/// For GoogleTest.
void PrintTo(const Change &change, std::ostream *to) { *to << change.name; }

class ReplayCanary : public testing::TestWithParam<Change> {};

TEST_P(ReplayCanary, IsRefused) {
  const Change &change = GetParam();
  TraceFiles files(3);
  runScript(files);
  TraceFiles::Lines lines = TraceFiles::read(files.of(change.node));
  const std::size_t at = findLine(lines, change.texts);
  if (change.from) {
    const std::size_t found = lines[at].find(change.from);
    ASSERT_NE(found, std::string::npos) << lines[at];
    replaceAt(lines[at], found, change);
  } else {
    lines.erase(lines.begin() + std::ptrdiff_t(at));
  }
  TraceFiles::write(files.of(change.node), lines);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_NE(outcome.difference, "");
  EXPECT_NE(outcome.difference.find(change.wanted), std::string::npos) << outcome.difference;
  if (change.there)
    EXPECT_EQ(outcome.difference.find(files.of(change.node) + ":" + std::to_string(at + 1) +
                                      ": node " + std::to_string(change.node)),
              0u)
        << outcome.difference;
  ASSERT_FALSE(outcome.history.empty());
}
INSTANTIATE_TEST_SUITE_P(Changed, ReplayCanary, testing::ValuesIn(kChanges),
                         [](const auto &info) { return info.param.name; });

TEST(Replay, ADifferenceBecomesAScenarioThatHasIt) {
  TraceFiles files(3);
  runScript(files);
  TraceFiles::Lines lines = TraceFiles::read(files.of(0));
  std::string &line = lines[findLine(lines, {"\"event\":\"Put\""})];
  const Change change{"", 0, {}, "[\"Apply\",1,", nullptr, ""};
  replaceAt(line, line.find(change.from), change);
  TraceFiles::write(files.of(0), lines);

  const std::string file = files.path("scenario");
  const sim::ReplayOutcome whole = sim::replay({files.all(), {}, file});
  ASSERT_EQ(whole.problem, "");
  const sim::ReplayOutcome scenario = sim::replay({{file}, {}, {}});
  EXPECT_EQ(scenario.problem, "");
  const std::string what = "Put of node 1 brings other contents than were sent";
  EXPECT_NE(whole.difference.find(what), std::string::npos) << whole.difference;
  EXPECT_NE(scenario.difference.find(what), std::string::npos) << scenario.difference;
  EXPECT_LE(scenario.records, whole.records);
}

TEST(Replay, AScenarioOfABlockHasNothingOfOthers) {
  TraceFiles files(3);
  runScript(files);
  TraceFiles::Lines lines = TraceFiles::read(files.of(1));
  const std::string &line = lines[findLine(lines, {"\"is\":\"Atomic\""})];
  const std::size_t begin = line.find("\"address\":\"") + 11;
  const std::string address = line.substr(begin, line.find('"', begin) - begin);
  const std::string file = files.path("scenario");
  sim::ReplayOptions options{files.all(), std::stoull(address, nullptr, 16) + 1, file};
  ASSERT_EQ(sim::replay(options).problem, "");
  const sim::ReplayOutcome scenario = sim::replay({{file}, {}, {}});
  EXPECT_EQ(scenario.problem, "");
  EXPECT_EQ(scenario.difference, "");
  EXPECT_GT(scenario.steps, 3u);
  for (const std::string &kept : TraceFiles::read(file))
    if (kept.find("\"is\":\"Step\"") != std::string::npos)
      EXPECT_NE(kept.find("\"address\":\"" + address + "\""), std::string::npos) << kept;
}

} // namespace
} // namespace ompdsm::test
