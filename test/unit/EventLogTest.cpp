// EventLogTest.cpp: what is written is what is read; traces that are not whole, and files that are
// none.
#include "protocol/engine/EventLog.h"
#include "protocol/core/EventFormat.h"
#include "protocol/sim/replay/EventReader.h"
#include "test/unit/TraceFiles.h"
#include <csignal>
#include <sys/resource.h>

namespace ompdsm::test {
namespace {

constexpr unsigned kNodes = 3;

EventRecord recordOf(RecordKind kind) {
  EventRecord record;
  record.kind = kind;
  record.address = 0x200000001240;
  record.bytes = 4096;
  record.peer = 2;
  record.thread = 17;
  record.number = ~std::uint64_t(0);
  record.message = "Invalidate";
  record.channel = 2;
  record.flag = true;
  record.before = BlockState::Stale;
  record.after = BlockState::Stale_D;
  record.journal.event = Event::FlushChangedQuiet;
  for (std::size_t i = 0; i < std::size(kNoteShapes); ++i) {
    Noted noted{Note(i), {}};
    for (unsigned n = 0; n < kNoteShapes[i].numbers; ++n)
      noted.numbers[n] = n == 0 ? 1 : ~std::uint64_t(0);
    record.journal.notes.push_back(noted);
  }
  record.sharers = {0, 2};
  return record;
}

std::string lineOf(const EventRecord &record) {
  std::string line;
  appendRecord(line, record);
  EXPECT_EQ(line.back(), '\n');
  line.pop_back();
  return line;
}

TEST(EventFormat, EveryKindIsReadAsItWasWritten) {
  for (std::size_t kind = 0; kind < kRecordKindCount; ++kind) {
    const std::string line = lineOf(recordOf(RecordKind(kind)));
    EventRecord record;
    std::string problem;
    ASSERT_TRUE(sim::readRecord(line, kNodes, record, problem)) << line << ": " << problem;
    EXPECT_EQ(lineOf(record), line);
  }
}

TEST(EventFormat, AFieldThatIsMissingOrWrongIsNamed) {
  const std::string line = lineOf(recordOf(RecordKind::Step));
  for (const char *field : {"address", "before", "after", "event", "notes", "sharers"}) {
    std::string changed = line, problem;
    changed.insert(changed.find(field), "no");
    EventRecord record;
    EXPECT_FALSE(sim::readRecord(changed, kNodes, record, problem)) << changed;
    EXPECT_EQ(problem, "has no usable \"" + std::string(field) + "\"");
  }
  for (const auto &[from, to] : {std::pair{"\"peer\":2", "\"peer\":3"},
                                 {"\"Stale\"", "\"Stall\""},
                                 {"[\"Stamp\",1]", "[\"Stamp\"]"},
                                 {"[\"Wake\"]", "[\"Wake\",1]"},
                                 {"[\"SendGet\",1]", "[\"SendGet\",3]"},
                                 {"[\"Stamp\",1]", "[\"Stamp\",-1]"},
                                 {"200000001240", "20000000124g"},
                                 {"[0,2]", "[0,3]"}}) {
    std::string changed = line, problem;
    changed.replace(changed.find(from), std::string(from).size(), to);
    EventRecord record;
    EXPECT_FALSE(sim::readRecord(changed, kNodes, record, problem)) << changed;
    EXPECT_NE(problem, "");
  }
}

AddressMap mapOfOneArea() {
  AddressMap map;
  Area area;
  area.begin = 0x200000000000;
  area.end = area.begin + 8192;
  map.add(area);
  map.seal();
  return map;
}

std::unique_ptr<EventLog> openLog(const std::string &options, NodeId node, unsigned nodes) {
  EventLogOptions parsed;
  EXPECT_TRUE(EventLogOptions::parse(options, parsed).isOk());
  std::unique_ptr<EventLog> log;
  EXPECT_TRUE(EventLog::open(parsed, node, nodes, mapOfOneArea(), log).isOk());
  return log;
}

TEST(EventLog, NumbersMessagesByPairChannelAndDirection) {
  TraceFiles files(1);
  auto log = openLog(files.options(), 0, 2);
  for (unsigned i = 0; i < 2; ++i)
    for (RecordKind kind : {RecordKind::Send, RecordKind::Receive})
      for (unsigned channel : {0u, 2u})
        log->writeMessage(kind, 1, channel, "Get");
  log->close();
  const TraceFiles::Lines lines = TraceFiles::read(files.of(0));
  ASSERT_EQ(lines.size(), 10u);
  for (std::size_t i = 1; i < 9; ++i)
    EXPECT_NE(lines[i].find(i < 5 ? "\"number\":1}" : "\"number\":2}"), std::string::npos);
  EXPECT_EQ(lines.back(), "{\"is\":\"End\"}");
}

TEST(EventLog, ATraceEndsAtItsLimit) {
  TraceFiles files(1);
  auto log = openLog(files.options() + ",bytes=65536", 0, 1);
  for (unsigned i = 0; i < 5000; ++i)
    log->writeRelease(i % 2 ? RecordKind::Released : RecordKind::Releasing);
  log->close();
  EXPECT_LE(std::filesystem::file_size(files.of(0)), 65536u);
  EXPECT_GT(std::filesystem::file_size(files.of(0)), 65000u);
  EXPECT_EQ(TraceFiles::read(files.of(0)).back(), "{\"is\":\"Truncated\"}");
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem, "");
  EXPECT_EQ(outcome.difference, "");
  EXPECT_EQ(outcome.cut, std::vector<NodeId>{0});
}

TEST(EventLog, ALongTraceIsWhole) {
  TraceFiles files(1);
  auto log = openLog(files.options(), 0, 1);
  constexpr unsigned kMany = 40'000; // more than a window of the mapping
  for (unsigned i = 0; i < kMany; ++i)
    log->writeRelease(i % 2 ? RecordKind::Released : RecordKind::Releasing);
  log.reset();
  EXPECT_GT(std::filesystem::file_size(files.of(0)), 1u << 20);
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem + outcome.difference, "");
  EXPECT_TRUE(outcome.cut.empty());
  EXPECT_EQ(outcome.records, kMany);
}

TEST(EventLog, ATraceEndsWhereThereIsNoRoomForMore) {
  TraceFiles files(1);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{(1u << 20) + 100, before.rlim_max}; // a window of the mapping, and some
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto log = openLog(files.options(), 0, 1);
  for (unsigned i = 0; i < 40'000; ++i)
    log->writeRelease(i % 2 ? RecordKind::Released : RecordKind::Releasing);
  log->close();
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(TraceFiles::read(files.of(0)).back(), "{\"is\":\"Truncated\"}");
  const sim::ReplayOutcome outcome = files.replay();
  EXPECT_EQ(outcome.problem + outcome.difference, "");
  EXPECT_GT(outcome.records, 10'000u);
  EXPECT_EQ(outcome.cut, std::vector<NodeId>{0});
}

TEST(EventLog, WhatIsWrittenIsThereThoughTheNodeDies) {
  TraceFiles files(1);
  auto log = openLog(files.options(), 0, 1);
  log->writeRelease(RecordKind::Releasing);
  // As a process leaves it that is killed now: not closed, and longer than what was written.
  std::filesystem::copy_file(files.of(0), files.path("killed.0"));
  const sim::ReplayOutcome outcome = sim::replay({{files.path("killed.0")}, {}, {}});
  EXPECT_EQ(outcome.problem + outcome.difference, "");
  EXPECT_EQ(outcome.records, 1u);
  EXPECT_EQ(outcome.cut, std::vector<NodeId>{0});
}

TEST(EventLog, BadOptionsAndFilesGetOneMessage) {
  EventLogOptions options;
  for (const char *text :
       {"", "file=", "file=events", "file=e.%n,bytes=1", "bytes=70000", "sense=1"})
    EXPECT_FALSE(EventLogOptions::parse(text, options).isOk()) << text;
  ASSERT_TRUE(EventLogOptions::parse("file=/nowhere/events.%n", options).isOk());
  std::unique_ptr<EventLog> log;
  const Status status = EventLog::open(options, 1, 2, mapOfOneArea(), log);
  ASSERT_FALSE(status.isOk());
  EXPECT_NE(status.message().find("/nowhere/events.1: No such file"), std::string::npos)
      << status.message();
}

TEST(ReplayedFiles, ThatAreNoTracesGetOneMessage) {
  TraceFiles files(2);
  openLog(files.options(), 0, 2).reset();
  openLog(files.options(), 1, 2).reset();
  const TraceFiles::Lines good = TraceFiles::read(files.of(1));
  const auto problemOf = [&](TraceFiles::Lines lines) {
    TraceFiles::write(files.of(1), lines);
    return files.replay().problem;
  };
  EXPECT_EQ(problemOf(good), "");
  const std::string second = files.of(1);
  EXPECT_EQ(problemOf({}), second + ": is empty");
  EXPECT_NE(problemOf({"nonsense"}).find(second + ":1: the file does not begin with the head"),
            std::string::npos);
  EXPECT_EQ(problemOf({good[0], "nonsense"}), second + ":2: the line is no JSON object");
  EXPECT_EQ(problemOf({good[0], "{\"is\":\"Sense\"}"}),
            second + ":2: the line has no usable \"is\"");
  EXPECT_NE(problemOf(TraceFiles::read(files.of(0))).find("a second trace of node 0"),
            std::string::npos);
  std::string other = good[0];
  other.replace(other.find("\"version\":1"), 11, "\"version\":7");
  EXPECT_NE(problemOf({other}).find("version 7"), std::string::npos);
  other = good[0];
  other.replace(other.find("200000002000"), 12, "200000003000");
  EXPECT_NE(problemOf({other}).find("different jobs"), std::string::npos);
  TraceFiles::write(second, good);
  EXPECT_NE(sim::replay({{second}, {}, {}}).problem.find("there is no trace of node 0"),
            std::string::npos);
  EXPECT_NE(sim::replay({{"/nowhere"}, {}, {}}).problem.find("cannot be read"), std::string::npos);
}

} // namespace
} // namespace ompdsm::test
