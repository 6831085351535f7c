// Stats.h: the job's counters as text, for people (a table) and for programs (JSON).
#pragma once
#include "libompdsm/src/FoldedReport.h"
#include "libompdsm/src/SharingReport.h"
#include "libompdsm/src/SiteReport.h"
#include "protocol/engine/Messenger.h"
#include <optional>
#include <string>
#include <vector>

namespace ompdsm {

/// Counters of one node, copied at one moment. Also their wire form.
struct NodeStatistics {
  std::uint64_t readMisses = 0, writeMisses = 0, blocksFetched = 0, bytesFetched = 0, releases = 0,
                barriers = 0, invalidations = 0, twins = 0, pagesMigrated = 0, pagesResized = 0,
                blocksMigrated = 0, atomicsRemote = 0, blocksPushed = 0, pushesUnread = 0,
                changesWithheld = 0, blocksSupplied = 0, blocksExpected = 0, expectedUnread = 0,
                attended = 0, falselyShared = 0, lockWaits = 0, iterationWaits = 0, tasksGiven = 0,
                tasksTaken = 0, tasksTakenBack = 0, pagesEvicted = 0,
                cachedBytesPeak = 0; ///< The last two: if there is a limit.
  std::uint64_t nanosecondsInMisses = 0, nanosecondsInBarriers = 0, nanosecondsInReleases = 0,
                nanosecondsInLocks = 0, nanosecondsInOrder = 0, idleNanoseconds = 0;
  std::uint64_t messages[kMessageKindCount] = {}; ///< Sent, by kind.
  std::uint64_t bytes[kMessageKindCount] = {};
  std::uint64_t packets = 0, packetBytes = 0;        ///< In which they left.
  std::uint64_t sizes[SizeHistogram::kBuckets] = {}; ///< Sent, by size.
};

/// What the user sees of a job.
struct JobStatistics {
  std::vector<std::optional<NodeStatistics>> nodes; ///< Nothing of one that did not answer.
  std::vector<SiteLine> sites;
  std::vector<SharingLine> sharing; ///< The worst first.
  std::vector<FoldedLine> folded;
};

/// snake_case name of a message kind, "kind_17" for one without a name.
std::string messageKindName(unsigned kind);
/// The JSON text of OMPDSM_STATS_FILE; a node that did not answer is null.
std::string statisticsJson(const JobStatistics &job);
/// The tables of OMPDSM_STATS.
std::string statisticsTable(const JobStatistics &job);

} // namespace ompdsm
