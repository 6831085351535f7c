// StatisticsExchange.cpp: from every node to node 0, and from there to the user.
#include "libompdsm/src/StatisticsExchange.h"
#include "libompdsm/src/MemoryNames.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ompdsm {

StatisticsTargets StatisticsTargets::of(const Options &options) {
  // OMPDSM_STATS is "1" for the table, or the name of a file as OMPDSM_STATS_FILE is.
  StatisticsTargets targets;
  targets.table = options.stats == "1";
  const char *variable = std::getenv("OMPDSM_STATS_FILE");
  targets.file = variable ? variable : "";
  if (targets.file.empty() && options.stats != "0" && options.stats != "1")
    targets.file = options.stats;
  return targets;
}

namespace {
/// Of the message, followed by the SiteCounts and the ChangedTogether.
struct Head {
  NodeStatistics node;
  std::uint64_t sites = 0;
};
static_assert(sizeof(Head) + (SiteTable::kMostSites + 1) * sizeof(SiteCounts) +
                  kMostSharedBlocks * sizeof(ChangedTogether) <=
              Messenger::kMaxBodyBytes);

template <class Each> void append(std::vector<Each> &all, fabric::Bytes bytes) {
  const std::size_t known = all.size();
  OMPDSM_CHECK(bytes.size() % sizeof(Each) == 0);
  all.resize(known + bytes.size() / sizeof(Each));
  std::memcpy(all.data() + known, bytes.data(), bytes.size());
}
} // namespace

NodeStatistics readStatistics(const Runtime &runtime) {
  NodeStatistics s;
  if (runtime.engine) {
    const EngineStatistics &e = runtime.engine->statistics();
    s.readMisses = e.readMisses;
    s.writeMisses = e.writeMisses;
    s.blocksFetched = e.blocksFetched;
    s.bytesFetched = e.bytesFetched;
    s.releases = e.releases;
    s.barriers = e.barriers;
    s.invalidations = e.invalidations;
    s.twins = e.twins;
    s.pagesMigrated = e.pagesMigrated;
    s.pagesResized = e.pagesResized;
    s.blocksMigrated = e.blocksMigrated;
    s.atomicsRemote = e.atomicsRemote;
    s.pagesEvicted = e.pagesEvicted;
    s.blocksPushed = e.blocksPushed;
    s.pushesUnread = e.pushesUnread;
    s.changesWithheld = e.changesWithheld;
    s.blocksSupplied = e.blocksSupplied;
    s.blocksExpected = e.blocksExpected;
    s.expectedUnread = e.expectedUnread;
    s.falselyShared = runtime.engine->falselyShared();
    s.cachedBytesPeak = e.cachedBytesPeak;
    s.nanosecondsInMisses = e.nanosecondsInMisses;
    s.nanosecondsInBarriers = e.nanosecondsInBarriers;
    s.nanosecondsInReleases = e.nanosecondsInReleases;
    s.lockWaits = team().locks().statistics().waits;
    s.nanosecondsInLocks = team().locks().statistics().nanoseconds;
    s.iterationWaits = team().iterationFlags().statistics().waits;
    s.nanosecondsInOrder = team().iterationFlags().statistics().nanoseconds;
    s.tasksGiven = team().tasks().statistics().given;
    s.tasksTaken = team().tasks().statistics().taken;
    s.tasksTakenBack = team().tasks().statistics().takenBack;
  }
  if (runtime.messenger) {
    s.idleNanoseconds = runtime.messenger->idleNanoseconds();
    for (unsigned kind = 0; kind < kMessageKindCount; ++kind) {
      const KindCounters &counters = runtime.messenger->counters(MessageKind(kind));
      s.messages[kind] = counters.messages;
      s.bytes[kind] = counters.bytes;
    }
    s.packets = runtime.messenger->packets().packets;
    s.packetBytes = runtime.messenger->packets().bytes;
    s.attended = runtime.messenger->attended();
    for (unsigned bucket = 0; bucket < SizeHistogram::kBuckets; ++bucket)
      s.sizes[bucket] = runtime.messenger->sizes().count(bucket);
  }
  return s;
}

void StatisticsExchange::registerHandlers() {
  nodes_.resize(runtime_.nodes);
  runtime_.messenger->setHandler(messageKind(TeamMessage::Statistics),
                                 [this](NodeId from, fabric::Bytes bytes) {
                                   std::lock_guard lock(mutex_);
                                   OMPDSM_CHECK(!nodes_.at(from));
                                   fabric::Bytes rest;
                                   const Head head = bodyFrom<Head>(bytes, &rest);
                                   nodes_[from] = head.node;
                                   const std::size_t sites = head.sites * sizeof(SiteCounts);
                                   OMPDSM_CHECK(sites <= rest.size());
                                   append(sites_, rest.first(sites));
                                   append(sharing_, rest.subspan(sites));
                                   ++answers_;
                                   arrived_.notify_all();
                                 });
}

void StatisticsExchange::send() {
  const std::vector<SiteCounts> sites = runtime_.engine->siteCounts();
  const auto sharing = runtime_.engine->falselySharedBlocks(kMostSharedBlocks);
  const Head head{readStatistics(runtime_), sites.size()};
  postTeamMessage(
      *runtime_.messenger, 0, TeamMessage::Statistics,
      {bytesOf(head), std::as_bytes(std::span(sites)), std::as_bytes(std::span(sharing))});
}

void StatisticsExchange::collect() {
  // The service thread makes progress meanwhile. A node that does not answer has died or hangs in
  // an exit handler; the launcher deals with it.
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, std::chrono::seconds(kTimeoutSeconds),
                    [this] { return answers_ + 1 == runtime_.nodes; });
}

void StatisticsExchange::report(const Sites &sites, std::vector<FoldedLine> folded) {
  std::lock_guard lock(mutex_);
  nodes_.resize(runtime_.nodes);
  nodes_[0] = readStatistics(runtime_);
  if (runtime_.engine) {
    const std::vector<SiteCounts> own = runtime_.engine->siteCounts();
    const auto ownSharing = runtime_.engine->falselySharedBlocks(kMostSharedBlocks);
    append(sites_, std::as_bytes(std::span(own)));
    append(sharing_, std::as_bytes(std::span(ownSharing)));
  }
  const JobStatistics job{
      nodes_, siteLines(sites_, sites, runtime_.nodes),
      sharingLines(sharing_, [this](Address block) { return memoryName(runtime_, block); }),
      std::move(folded)};
  const auto &[wantsTable, path] = StatisticsTargets::of(runtime_.options);
  if (wantsTable)
    std::fputs(statisticsTable(job).c_str(), stderr);
  if (path.empty())
    return;
  std::string text = statisticsJson(job);
  std::FILE *file = std::fopen(path.c_str(), "we");
  bool written = file && std::fputs(text.c_str(), file) >= 0;
  if (file && std::fclose(file) != 0)
    written = false;
  if (!written)
    std::fprintf(stderr, "ompdsm: cannot write the statistics to %s: %s\n", path.c_str(),
                 std::strerror(errno));
}

} // namespace ompdsm
