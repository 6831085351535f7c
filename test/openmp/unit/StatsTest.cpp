// StatsTest.cpp: what OMPDSM_STATS and OMPDSM_STATS_FILE say, and how messages name places.
#include "libompdsm/src/Stats.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/TeamMessages.h"
#include "protocol/engine/Wire.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace ompdsm;

TEST(Stats, TheFileIsJsonWithTheNamedCounters) {
  NodeStatistics s;
  s.readMisses = 7;
  s.nanosecondsInMisses = 1500000000;
  s.lockWaits = 9;
  s.nanosecondsInLocks = 250000000;
  s.iterationWaits = 11;
  s.tasksGiven = 12;
  s.tasksTaken = 13;
  s.tasksTakenBack = 5;
  s.nanosecondsInOrder = 750000000;
  s.messages[unsigned(MessageKind::Get)] = 3;
  s.bytes[unsigned(MessageKind::Get)] = 300;
  s.messages[unsigned(TeamMessage::LockRequest)] = 2;
  s.packets = 4;
  s.sizes[6] = 5; // 64 to 127 bytes
  auto document = nlohmann::json::parse(statisticsJson({{s, std::nullopt}, {}, {}, {}}));
  auto &node = document["nodes"][0];
  EXPECT_EQ(node["node"], 0);
  EXPECT_EQ(node["read_misses"], 7);
  EXPECT_EQ(node["time_in_misses_seconds"], 1.5);
  EXPECT_EQ(node["lock_waits"], 9);
  EXPECT_EQ(node["time_in_locks_seconds"], 0.25);
  EXPECT_EQ(node["iteration_waits"], 11);
  EXPECT_EQ(node["time_in_order_seconds"], 0.75);
  EXPECT_EQ(node["tasks_given"], 12);
  EXPECT_EQ(node["tasks_taken"], 13);
  EXPECT_EQ(node["tasks_taken_back"], 5);
  EXPECT_EQ(node["messages"]["get"], 3);
  EXPECT_EQ(node["message_bytes"]["get"], 300);
  EXPECT_EQ(node["messages"]["lock_request"], 2);
  EXPECT_EQ(node["packets"], 4);
  EXPECT_FALSE(node["messages"].contains("put"));
  EXPECT_EQ(node["message_sizes"], nlohmann::json({{"64", 5}}));
  for (const char *key :
       {"write_misses", "blocks_fetched", "bytes_fetched", "releases", "barriers", "invalidations",
        "pages_migrated", "pages_resized", "blocks_migrated", "packet_bytes", "pages_evicted",
        "cached_bytes_peak", "attended", "time_in_barriers_seconds", "idle_seconds"})
    EXPECT_TRUE(node.contains(key)) << key;
  EXPECT_TRUE(document["nodes"][1].is_null());
}

TEST(Stats, TheTableHasALineForEachNode) {
  std::string table =
      statisticsTable({{NodeStatistics{}, std::nullopt, NodeStatistics{}}, {}, {}, {}});
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
  EXPECT_NE(table.find("1 sent no statistics"), std::string::npos);
}

TEST(Stats, TheTableTellsWhatNodesWithALimitHaveKept) {
  NodeStatistics limited;
  limited.cachedBytesPeak = 4200000;
  limited.pagesEvicted = 17;
  const std::string table = statisticsTable({{NodeStatistics{}, limited}, {}, {}, {}});
  EXPECT_NE(table.find("   1 had at most 4.2 MB of other nodes' memory, and gave up 17 pages"),
            std::string::npos);
  EXPECT_EQ(table.find("   0 had at most"), std::string::npos);
}

TEST(Stats, SitesOfOneNameAreOneLine) {
  const Ident here{0, 0, 0, 0, ";heat.c;step;41;3;;"}, again = here;
  Sites sites(/*areNamed=*/true);
  const SiteId barrier = sites.idOf(&here, SiteKind::Barrier, nullptr);
  const SiteId other = sites.idOf(&again, SiteKind::Barrier, nullptr);
  const SiteId end = sites.idOf(&here, SiteKind::RegionEnd, nullptr);
  EXPECT_NE(barrier, end);
  EXPECT_EQ(sites.idOf(&here, SiteKind::Barrier, nullptr), barrier);
  SiteCounts a, b, c;
  a.site = barrier;
  a.visits = 10;
  a.blocksFetched = 25;
  a.pushesUnread = 1;
  b.site = other;
  b.visits = 9;
  b.blocksPushed = 100;
  b.pushesRead = 3;
  c.site = end;
  c.nanosecondsInBarriers = 1500000000;
  const std::vector<SiteLine> lines = siteLines(std::vector{a, b, c}, sites, /*nodes=*/2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].place, "heat.c:41, region ends");
  EXPECT_LT(lines[0].efficiency(), 0);
  EXPECT_LT(lines[0].coverage(), 0);
  EXPECT_EQ(lines[1].place, "heat.c:41, barrier");
  EXPECT_EQ(lines[1].sum.visits, 10u);
  EXPECT_EQ(lines[1].efficiency(), 0.75);
  EXPECT_EQ(lines[1].coverage(), 0.75); // 75 of 75 and 25
  const std::string table = siteTable(lines);
  EXPECT_NE(
      table.find(
          "     1.500     0.000         0         0      -      0       -  heat.c:41, region ends"),
      std::string::npos)
      << table;
  EXPECT_NE(table.find("        25       100   75 %      0    75 %  heat.c:41, barrier"),
            std::string::npos)
      << table;
  const auto document = nlohmann::json::parse(statisticsJson({{}, lines, {}, {}}));
  EXPECT_TRUE(document["sites"][0]["efficiency"].is_null());
  EXPECT_EQ(document["sites"][1]["coverage"], 0.75);
}

TEST(Stats, OnlySoManySitesArePrinted) {
  std::vector<SiteLine> lines(kMostSiteLines + 3, SiteLine{"somewhere", {}});
  EXPECT_NE(siteTable(lines).find("and 3 places more"), std::string::npos);
  EXPECT_EQ(siteTable({}), "");
}

TEST(Stats, FalseSharingIsNamed) {
  NodeStatistics s;
  s.falselyShared = 7;
  const std::vector<SharingLine> lines =
      sharingLines({{0x1000, 2}, {0x2040, 3}, {0x2000, 9}}, [](Address block) {
        return block < 0x2000 ? std::string("variable a") : std::string("variable counts");
      });
  const JobStatistics job{{s, s}, {}, lines, {}};
  EXPECT_NE(statisticsTable(job).find("ompdsm: 14 times a block was changed by several nodes"),
            std::string::npos);
  EXPECT_NE(statisticsTable(job).find("       12 in 2 blocks of variable counts\nompdsm:"
                                      "         2 in 1 blocks of variable a\n"),
            std::string::npos);
  const auto document = nlohmann::json::parse(statisticsJson(job));
  EXPECT_EQ(document["nodes"][1]["falsely_shared"], 7);
  EXPECT_EQ(document["falsely_shared"][0]["memory"], "variable counts");
  EXPECT_EQ(document["falsely_shared"][0]["intervals"], 12);
  EXPECT_EQ(document["falsely_shared"][0]["blocks"], 2);
  EXPECT_EQ(statisticsTable({{NodeStatistics{}}, {}, {}, {}}).find("several"), std::string::npos);
}

TEST(Stats, SitesTravelAsTheyAre) {
  Sites sites(/*areNamed=*/false);
  for (std::uintptr_t code = 16; code < 16 * 1000; code += 16) {
    const SiteId site = sites.idOf(nullptr, SiteKind::Barrier, reinterpret_cast<void *>(code));
    const UpdateHead head{.site = site};
    EXPECT_EQ(head.site, site);
  }
}

TEST(Stats, SitesOfOneLocationAreToldApartByTheirCode) {
  const Ident unknown{0, 0, 0, 0, ";unknown;unknown;0;0;;"};
  const char code[2]{};
  Sites named(/*areNamed=*/true), unnamed(/*areNamed=*/false);
  const SiteId first = named.idOf(&unknown, SiteKind::Barrier, &code[0]);
  EXPECT_NE(first, kNoSite);
  EXPECT_NE(named.idOf(&unknown, SiteKind::Barrier, &code[1]), first);
  EXPECT_EQ(unnamed.idOf(&unknown, SiteKind::Barrier, &code[0]), first);
  EXPECT_EQ(named.nameOf(first), "an unknown place (compile with -g to see which), barrier");
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
