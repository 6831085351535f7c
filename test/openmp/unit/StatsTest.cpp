// StatsTest.cpp: what OMPDSM_STATS and OMPDSM_STATS_FILE say, and how messages name places.
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Stats.h"
#include "libompdsm/src/TeamMessages.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ompdsm;

TEST(Stats, TheFileIsJsonWithTheNamedCounters) {
  NodeStatistics s;
  s.readMisses = 7;
  s.nanosecondsInMisses = 1500000000;
  s.messages[unsigned(MessageKind::Get)] = 3;
  s.bytes[unsigned(MessageKind::Get)] = 300;
  s.messages[unsigned(TeamMessage::LockRequest)] = 2;
  s.packets = 4;
  s.sizes[6] = 5; // 64 to 127 bytes
  auto document = nlohmann::json::parse(statisticsJson({s, std::nullopt}));
  auto &node = document["nodes"][0];
  EXPECT_EQ(node["node"], 0);
  EXPECT_EQ(node["read_misses"], 7);
  EXPECT_EQ(node["time_in_misses_seconds"], 1.5);
  EXPECT_EQ(node["messages"]["get"], 3);
  EXPECT_EQ(node["message_bytes"]["get"], 300);
  EXPECT_EQ(node["messages"]["lock_request"], 2);
  EXPECT_EQ(node["packets"], 4);
  EXPECT_FALSE(node["messages"].contains("put"));
  EXPECT_EQ(node["message_sizes"], nlohmann::json({{"64", 5}}));
  for (const char *key :
       {"write_misses", "blocks_fetched", "bytes_fetched", "releases", "barriers", "invalidations",
        "pages_migrated", "packet_bytes", "pages_evicted", "cached_bytes_peak", "attended",
        "time_in_barriers_seconds", "idle_seconds"})
    EXPECT_TRUE(node.contains(key)) << key;
  EXPECT_TRUE(document["nodes"][1].is_null());
}

TEST(Stats, TheTableHasALineForEachNode) {
  std::string table = statisticsTable({NodeStatistics{}, std::nullopt, NodeStatistics{}});
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
  EXPECT_NE(table.find("1 sent no statistics"), std::string::npos);
}

TEST(Stats, TheTableTellsWhatNodesWithALimitHaveKept) {
  NodeStatistics limited;
  limited.cachedBytesPeak = 4200000;
  limited.pagesEvicted = 17;
  const std::string table = statisticsTable({NodeStatistics{}, limited});
  EXPECT_NE(table.find("   1 had at most 4.2 MB of other nodes' memory, and gave up 17 pages"),
            std::string::npos);
  EXPECT_EQ(table.find("   0 had at most"), std::string::npos);
}

TEST(Stats, EveryMessageKindOfTheTeamHasAName) {
  for (unsigned kind = unsigned(TeamMessage::Statistics);
       kind <= unsigned(TeamMessage::StealAnswer); ++kind)
    EXPECT_EQ(messageKindName(kind).find("kind_"), std::string::npos) << kind;
  for (unsigned kind = unsigned(TeamMessage::Fork); kind <= unsigned(TeamMessage::Reduce); ++kind)
    EXPECT_EQ(messageKindName(kind).find("kind_"), std::string::npos) << kind;
  EXPECT_EQ(messageKindName(63), "kind_63");
}

TEST(SourceLocation, NamesFileAndLine) {
  Ident location{0, 0, 0, 0, ";src/heat.c;main;12;9;;"};
  EXPECT_EQ(sourceLine(&location), "src/heat.c:12");
}

TEST(SourceLocation, SaysWhenTheCompilerGaveNone) {
  Ident unknown{0, 0, 0, 0, ";unknown;unknown;0;0;;"}, function{0, 0, 0, 0, ";unknown;step;0;0;;"},
      broken{0, 0, 0, 0, "heat.c"};
  EXPECT_EQ(sourceLine(&unknown), "an unknown place (compile with -g to see which)");
  EXPECT_EQ(sourceLine(&function), "function step");
  EXPECT_EQ(sourceLine(&broken), "an unknown place");
  EXPECT_EQ(sourceLine(nullptr), "an unknown place");
}
