// Stats.cpp: writing the job's counters.
#include "libompdsm/src/Stats.h"
#include "libompdsm/src/TeamMessages.h"
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ompdsm {

namespace {

struct KindName {
  unsigned kind;
  const char *name;
};
constexpr KindName kKindNames[] = {
    {unsigned(MessageKind::Get), "get"},
    {unsigned(MessageKind::Put), "put"},
    {unsigned(MessageKind::Atomic), "atomic"},
    {unsigned(MessageKind::Data), "data"},
    {unsigned(MessageKind::Invalidate), "invalidate"},
    {unsigned(MessageKind::InvalidateAck), "invalidate_ack"},
    {unsigned(MessageKind::PutAck), "put_ack"},
    {unsigned(MessageKind::AtomicReply), "atomic_reply"},
    {unsigned(MessageKind::BarrierArrive), "barrier_arrive"},
    {unsigned(MessageKind::BarrierDone), "barrier_done"},
    {unsigned(MessageKind::BarrierGo), "barrier_go"},
    {unsigned(MessageKind::Leave), "leave"},
    {unsigned(MessageKind::GetBehind), "get_behind"},
    {unsigned(MessageKind::Update), "update"},
    {unsigned(MessageKind::CommonUpdate), "common_update"},
    {unsigned(MessageKind::Multicast), "multicast"},
    {unsigned(MessageKind::SiteReads), "site_reads"},
    {unsigned(MessageKind::Order), "order"},
    {unsigned(MessageKind::SilentStores), "silent_stores"},
    {unsigned(MessageKind::AtomicPut), "atomic_put"},
    {unsigned(MessageKind::Sums), "sums"},
    {unsigned(MessageKind::Offer), "offer"},
    {unsigned(TeamMessage::Fork), "fork"},
    {unsigned(TeamMessage::Barrier), "barrier_order"},
    {unsigned(TeamMessage::Exit), "exit"},
    {unsigned(TeamMessage::Hint), "hint"},
    {unsigned(TeamMessage::Statistics), "statistics"},
    {unsigned(TeamMessage::Claim), "claim"},
    {unsigned(TeamMessage::ClaimAnswer), "claim_answer"},
    {unsigned(TeamMessage::Reduce), "reduce"},
    {unsigned(TeamMessage::LockRequest), "lock_request"},
    {unsigned(TeamMessage::LockTry), "lock_try"},
    {unsigned(TeamMessage::LockGrant), "lock_grant"},
    {unsigned(TeamMessage::LockBusy), "lock_busy"},
    {unsigned(TeamMessage::LockRelease), "lock_release"},
    {unsigned(TeamMessage::LockRecall), "lock_recall"},
    {unsigned(TeamMessage::LockRecallTry), "lock_recall_try"},
    {unsigned(TeamMessage::LockInUse), "lock_in_use"},
    {unsigned(TeamMessage::FlagAsk), "flag_ask"},
    {unsigned(TeamMessage::FlagAnswer), "flag_answer"},
    {unsigned(TeamMessage::CopyPrivate), "copyprivate"},
    {unsigned(TeamMessage::TaskAsk), "task_ask"},
    {unsigned(TeamMessage::TaskDeny), "task_deny"},
    {unsigned(TeamMessage::TaskRecall), "task_recall"},
    {unsigned(TeamMessage::TaskReturn), "task_return"},
    {unsigned(TeamMessage::TasksIdle), "tasks_idle"},
    {unsigned(TeamMessage::TasksAllIdle), "tasks_all_idle"},
    {unsigned(TeamMessage::TaskGive), "task_give"},
    {unsigned(TeamMessage::TaskEnd), "task_end"},
    {unsigned(TeamMessage::ConditionSignal), "condition_signal"},
    {unsigned(TeamMessage::Steal), "steal"},
    {unsigned(TeamMessage::StealAnswer), "steal_answer"},
};

double seconds(std::uint64_t nanoseconds) { return double(nanoseconds) * 1e-9; }

std::uint64_t total(const std::uint64_t (&counters)[kMessageKindCount]) {
  std::uint64_t sum = 0;
  for (std::uint64_t counter : counters)
    sum += counter;
  return sum;
}

/// Null if it is not known.
nlohmann::ordered_json known(double part) {
  return part < 0 ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(part);
}

nlohmann::ordered_json siteJson(const std::vector<SiteLine> &lines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SiteLine &line : lines)
    list.push_back({{"place", line.place},
                    {"visits", line.sum.visits},
                    {"time_in_barriers_seconds", seconds(line.sum.nanosecondsInBarriers)},
                    {"time_in_misses_seconds", seconds(line.sum.nanosecondsInMisses)},
                    {"blocks_fetched", line.sum.blocksFetched},
                    {"blocks_expected", line.sum.blocksExpected},
                    {"blocks_pushed", line.sum.blocksPushed},
                    {"watched_pushes_read", line.sum.pushesRead},
                    {"watched_pushes_unread", line.sum.pushesUnread},
                    {"pushes_late", line.sum.pushesLate},
                    {"efficiency", known(line.efficiency())},
                    {"coverage", known(line.coverage())}});
  return list;
}

nlohmann::ordered_json sharingJson(const std::vector<SharingLine> &worst) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SharingLine &line : worst)
    list.push_back(
        {{"memory", line.memory}, {"blocks", line.blocks}, {"intervals", line.intervals}});
  return list;
}

nlohmann::ordered_json foldedJson(const std::vector<FoldedLine> &lines) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FoldedLine &line : lines)
    list.push_back({{"place", line.place},
                    {"visits", line.visits},
                    {"folded", line.folded},
                    {"spread_seconds", line.spreadSeconds},
                    {"folded_seconds", line.foldedSeconds}});
  return list;
}

/// Appends one line of printf-formatted text.
__attribute__((format(printf, 2, 3))) void line(std::string &text, const char *format, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof(buffer), format, arguments);
  va_end(arguments);
  text += buffer;
  text += '\n';
}

} // namespace

std::string messageKindName(unsigned kind) {
  for (const KindName &known : kKindNames)
    if (known.kind == kind)
      return known.name;
  return "kind_" + std::to_string(kind);
}

std::string statisticsJson(const JobStatistics &job) {
  const auto &nodes = job.nodes;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!nodes[node]) {
      list.push_back(nullptr);
      continue;
    }
    const NodeStatistics &s = *nodes[node];
    auto messages = nlohmann::ordered_json::object(), bytes = nlohmann::ordered_json::object();
    for (unsigned kind = 0; kind < kMessageKindCount; ++kind)
      if (s.messages[kind] != 0) {
        messages[messageKindName(kind)] = s.messages[kind];
        bytes[messageKindName(kind)] = s.bytes[kind];
      }
    auto sizes = nlohmann::ordered_json::object();
    for (unsigned bucket = 0; bucket < SizeHistogram::kBuckets; ++bucket)
      if (s.sizes[bucket] != 0)
        sizes[std::to_string(std::uint64_t(1) << bucket)] = s.sizes[bucket];
    list.push_back({{"node", node},
                    {"read_misses", s.readMisses},
                    {"write_misses", s.writeMisses},
                    {"blocks_fetched", s.blocksFetched},
                    {"bytes_fetched", s.bytesFetched},
                    {"messages", std::move(messages)},
                    {"message_bytes", std::move(bytes)},
                    {"packets", s.packets},
                    {"packet_bytes", s.packetBytes},
                    {"message_sizes", std::move(sizes)}, // by smallest size: the next is twice that
                    {"releases", s.releases},
                    {"barriers", s.barriers},
                    {"invalidations", s.invalidations},
                    {"twins", s.twins},
                    {"pages_migrated", s.pagesMigrated},
                    {"pages_resized", s.pagesResized},
                    {"blocks_migrated", s.blocksMigrated},
                    {"atomics_remote", s.atomicsRemote},
                    {"blocks_pushed", s.blocksPushed},
                    {"pushes_unread", s.pushesUnread},
                    {"changes_withheld", s.changesWithheld},
                    {"blocks_supplied", s.blocksSupplied},
                    {"blocks_expected", s.blocksExpected},
                    {"expected_unread", s.expectedUnread},
                    {"lock_waits", s.lockWaits},
                    {"iteration_waits", s.iterationWaits}, // ordered and doacross
                    {"tasks_given", s.tasksGiven},         // to other nodes
                    {"tasks_taken", s.tasksTaken},
                    {"tasks_taken_back", s.tasksTakenBack},
                    {"attended", s.attended}, // by threads that compute
                    {"falsely_shared", s.falselyShared},
                    {"pages_evicted", s.pagesEvicted},
                    {"cached_bytes_peak", s.cachedBytesPeak},
                    {"time_in_misses_seconds", seconds(s.nanosecondsInMisses)},
                    {"time_in_barriers_seconds", seconds(s.nanosecondsInBarriers)},
                    {"time_in_releases_seconds", seconds(s.nanosecondsInReleases)},
                    {"time_in_locks_seconds", seconds(s.nanosecondsInLocks)},
                    {"time_in_order_seconds", seconds(s.nanosecondsInOrder)},
                    {"idle_seconds", seconds(s.idleNanoseconds)}});
  }
  nlohmann::ordered_json document;
  document["nodes"] = std::move(list);
  document["sites"] = siteJson(job.sites);
  document["falsely_shared"] = sharingJson(job.sharing);
  document["folded_regions"] = foldedJson(job.folded);
  return document.dump(2) + "\n";
}

std::string statisticsTable(const JobStatistics &job) {
  const auto &nodes = job.nodes;
  std::string text;
  line(text, "ompdsm: %4s %10s %10s %10s %10s %10s %10s %9s %9s %9s %9s %9s %9s", "node",
       "rd.misses", "wr.misses", "MB.fetched", "messages", "packets", "MB.sent", "barriers",
       "s.miss", "s.barrier", "s.release", "s.lock", "s.order");
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!nodes[node]) {
      line(text, "ompdsm: %4zu sent no statistics", node);
      continue;
    }
    const NodeStatistics &s = *nodes[node];
    line(text,
         "ompdsm: %4zu %10" PRIu64 " %10" PRIu64 " %10.1f %10" PRIu64 " %10" PRIu64
         " %10.1f %9" PRIu64 " %9.3f %9.3f %9.3f %9.3f %9.3f",
         node, s.readMisses, s.writeMisses, double(s.bytesFetched) * 1e-6, total(s.messages),
         s.packets, double(total(s.bytes)) * 1e-6, s.barriers, seconds(s.nanosecondsInMisses),
         seconds(s.nanosecondsInBarriers), seconds(s.nanosecondsInReleases),
         seconds(s.nanosecondsInLocks), seconds(s.nanosecondsInOrder));
  }
  for (std::size_t node = 0; node < nodes.size(); ++node)
    if (nodes[node] && nodes[node]->cachedBytesPeak != 0)
      line(text,
           "ompdsm: %4zu had at most %.1f MB of other nodes' memory, and gave up %" PRIu64
           " pages of it (OMPDSM_CACHE_LIMIT)",
           node, double(nodes[node]->cachedBytesPeak) * 1e-6, nodes[node]->pagesEvicted);
  std::uint64_t falselyShared = 0;
  for (const std::optional<NodeStatistics> &node : nodes)
    falselyShared += node ? node->falselyShared : 0;
  return text + siteTable(job.sites) + foldedTable(job.folded) +
         sharingText(falselyShared, job.sharing);
}

} // namespace ompdsm
