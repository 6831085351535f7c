// Outcome.cpp: from what happened to the nodes to the verdict about the job.
#include "libompdsm/tools/run/Outcome.h"
#include "libompdsm/tools/run/LaunchOptions.h"
#include <algorithm>
#include <cstring>
#include <sys/wait.h>

namespace ompdsm::run {
namespace {

/// Best explanation first.
enum Rank : unsigned { Killed, Reported, ByUser, LeftEarly, LostConnection, EndedByItself };

constexpr const char *kJobEnds = "; the job ends";

/// A node's own words, made fit for one line.
std::string clean(std::string text) {
  constexpr std::string_view prefix = "ompdsm: ";
  if (text.starts_with(prefix))
    text.erase(0, prefix.size());
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      c = ' ';
  return text.empty() ? "it failed and did not say why" : text;
}

std::string notStarted(const std::string &program) {
  return "the program '" + program +
         "' did not start ompdsm: was it compiled with -fplugin=libompdsm-plugin.so and linked "
         "with "
         "-lompdsm? (ompdsm-clang does both)";
}

} // namespace

Outcome::Outcome(unsigned nodes, std::string program)
    : program_(std::move(program)), nodes_(nodes) {}

void Outcome::nodeStarted(unsigned node, pid_t pid) {
  // A node that has joined already told its own pid, which may be a child's (the program may be a
  // script).
  if (nodes_[node].pid == 0)
    nodes_[node].pid = pid;
}

void Outcome::nodeJoined(unsigned node, pid_t pid) {
  nodes_[node].joined = true;
  nodes_[node].pid = pid;
}

void Outcome::nodeDone(unsigned node) { nodes_[node].done = true; }

void Outcome::markBad(unsigned node, TimePoint now) {
  if (!nodes_[node].badSince)
    nodes_[node].badSince = now;
}

void Outcome::nodeReported(unsigned node, std::string text, TimePoint now) {
  if (!nodes_[node].report)
    nodes_[node].report = clean(std::move(text));
  markBad(node, now);
}

void Outcome::nodeLost(unsigned node, TimePoint now) {
  if (!nodes_[node].done)
    nodes_[node].lostSince = now;
}

bool Outcome::endedInOrder(const Node &node) const {
  return node.done && node.status && WIFEXITED(*node.status) && WEXITSTATUS(*node.status) == 0;
}

void Outcome::nodeExited(unsigned node, int waitStatus, TimePoint now) {
  nodes_[node].status = waitStatus;
  markBad(node, now);
}

void Outcome::jobSignalled(int signal) { signals_.push_back(signal); }

void Outcome::launcherFailed(int exitCode, std::string message) {
  if (!verdict_)
    verdict_ = Verdict{exitCode, std::move(message), false};
}

void Outcome::startTimedOut(unsigned seconds) {
  const auto late =
      std::find_if(nodes_.begin(), nodes_.end(), [](const Node &n) { return !n.joined; });
  if (late == nodes_.end())
    return;
  launcherFailed(kExitFailure, describe(unsigned(late - nodes_.begin())) +
                                   " did not join the job within " + std::to_string(seconds) +
                                   " s: " + notStarted(program_) + kJobEnds);
}

std::string Outcome::describe(unsigned node) const {
  return "node " + std::to_string(node) + " (pid " + std::to_string(nodes_[node].pid) + ")";
}

std::optional<Outcome::Candidate> Outcome::explain(unsigned index, TimePoint now) const {
  const Node &node = nodes_[index];
  if (!node.badSince) {
    if (node.lostSince && now - *node.lostSince >= kLostConnectionDelay)
      return Candidate{LostConnection,
                       *node.lostSince,
                       {kExitFailure,
                        describe(index) + " closed its connection to the launcher" + kJobEnds,
                        false}};
    return std::nullopt;
  }
  const TimePoint since = *node.badSince;
  // Its last message may be read after its exit, so the order is judged here and not at the exit.
  if (index != 0 && endedInOrder(node))
    return std::nullopt;
  if (node.report) {
    const bool saysCode = node.status && WIFEXITED(*node.status) && WEXITSTATUS(*node.status) != 0;
    return Candidate{Reported,
                     since,
                     {saysCode ? WEXITSTATUS(*node.status) : kExitFailure,
                      describe(index) + ": " + *node.report + kJobEnds, false},
                     node.status.has_value()};
  }
  const int status = *node.status;
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    const int exitCode = 128 + number;
    // The user knows about his own signal: as with any program, only the exit code tells of it.
    if (std::find(signals_.begin(), signals_.end(), number) != signals_.end())
      return Candidate{ByUser, since, {exitCode, "", false}};
    return Candidate{Killed,
                     since,
                     {exitCode,
                      describe(index) + " was killed by signal " + std::to_string(number) + " (" +
                          strsignal(number) + ")" + kJobEnds,
                      false}};
  }
  const int code = WEXITSTATUS(status);
  const std::string exited = describe(index) + " exited with code " + std::to_string(code);
  if (!node.joined && nodes_.size() > 1) {
    if (code == 0)
      return Candidate{
          LeftEarly, since, {kExitFailure, exited + ": " + notStarted(program_) + kJobEnds, false}};
    return Candidate{
        LeftEarly, since, {code, exited + " before it had joined the job" + kJobEnds, false}};
  }
  if (index == 0)
    return Candidate{EndedByItself, since, {code, "", node.done || nodes_.size() == 1}};
  return Candidate{
      LeftEarly,
      since,
      {code ? code : kExitFailure, exited + " before the job's end" + kJobEnds, false}};
}

std::optional<Verdict> Outcome::decide(TimePoint now) {
  waits_ = false;
  if (verdict_ && (sealed_ || !verdict_->orderly))
    return verdict_;
  std::optional<Candidate> best;
  std::optional<TimePoint> first;
  for (unsigned node = 0; node < nodes_.size(); ++node) {
    waits_ = waits_ || (nodes_[node].lostSince && !nodes_[node].status);
    if (std::optional<Candidate> candidate = explain(node, now)) {
      first = std::min(first.value_or(candidate->since), candidate->since);
      if (!best || candidate->rank < best->rank ||
          (candidate->rank == best->rank && candidate->since < best->since))
        best = std::move(candidate);
    }
  }
  if (!best)
    return verdict_;
  const bool success = best->verdict.orderly && best->verdict.exitCode == 0;
  if (success || now - *first >= (best->isComplete ? kVerdictDelay : kReportedExitDelay))
    verdict_ = best->verdict;
  else
    waits_ = true;
  return verdict_;
}

bool Outcome::allJoined() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node &node) { return node.joined; });
}

bool Outcome::allExited() const {
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [](const Node &node) { return node.status.has_value(); });
}

std::string Outcome::describeRunning() const {
  for (unsigned node = 0; node < nodes_.size(); ++node)
    if (!nodes_[node].status)
      return describe(node);
  return "a process";
}

} // namespace ompdsm::run
