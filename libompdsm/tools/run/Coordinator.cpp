// Coordinator.cpp: who is in, who is gone, and what it means.
#include "libompdsm/tools/run/Coordinator.h"
#include "libompdsm/tools/run/SharedMemorySweep.h"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace ompdsm::run {

namespace {
constexpr int kClockMs = 50;
} // namespace

Coordinator::Coordinator(EventLoop &loop, Admission &admission, unsigned nodes, pid_t node0,
                         std::chrono::seconds startTimeout)
    : loop_(loop), admission_(admission), nodes_(nodes),
      links_(nodes, {[this](unsigned node, std::string text) {
                       if (text.starts_with("ompdsm: "))
                         text.erase(0, 8);
                       fail(describe(node) + ": " + text);
                     },
                     [this](unsigned node) { nodes_[node].done = true; },
                     [this](unsigned node) { nodes_[node].lost = Clock::now(); }}),
      deadline_(Clock::now() + startTimeout), node0_(node0) {}

int Coordinator::run() {
  admission_.start([this](unsigned node, pid_t pid, std::unique_ptr<Connection> connection) {
    nodes_[node].joined = true;
    nodes_[node].pid = pid;
    links_.add(node, std::move(connection));
  });
  while (!isOver(Clock::now())) {
    loop_.runOnce(needsClock() ? kClockMs : -1);
    tick(Clock::now());
  }
  if (failed_)
    sweep();
  return failed_ ? 1 : 0;
}

bool Coordinator::needsClock() const {
  return failed_ || std::any_of(nodes_.begin(), nodes_.end(), [](const Node &node) {
           return !node.joined || (node.lost && !node.done);
         });
}

void Coordinator::sweep() {
  // Of nodes on other hosts the pid means nothing here, and nothing is found or harmed.
  std::vector<pid_t> pids;
  for (const Node &node : nodes_)
    pids.push_back(node.pid);
  const auto isGone = [](pid_t pid) { return pid == 0 || isDead(pid); };
  while (Clock::now() < deadline_ && !std::all_of(pids.begin(), pids.end(), isGone))
    usleep(kClockMs * 1000);
  sweepSharedMemory(pids);
}

void Coordinator::tick(TimePoint now) {
  admission_.tick(now);
  if (failed_)
    return;
  if (!nodes_.front().joined && getppid() != node0_) {
    // The launcher that started it tells of it.
    failed_ = true;
    links_.sendEnd("node 0 ended before it had joined the job");
    deadline_ = now;
    return;
  }
  for (unsigned node = 0; node < nodes_.size(); ++node)
    if (nodes_[node].lost && !nodes_[node].done && now - *nodes_[node].lost >= kLostDelay)
      return fail(describe(node) +
                  " was killed, or ended before the job did, or its host or network failed");
  if (now < deadline_)
    return;
  const auto late =
      std::find_if(nodes_.begin(), nodes_.end(), [](const Node &n) { return !n.joined; });
  if (late != nodes_.end())
    fail(
        "node " + std::to_string(late - nodes_.begin()) +
        " did not join the job in time; can its host reach this one? (OMPDSM_INTERFACE chooses the "
        "network, OMPDSM_START_TIMEOUT the time)");
}

void Coordinator::fail(const std::string &message) {
  if (std::exchange(failed_, true))
    return;
  std::fprintf(stderr, "ompdsm: %s; the job ends\n", message.c_str());
  links_.sendEnd(message);
  deadline_ = Clock::now() + kFarewell;
}

std::string Coordinator::describe(unsigned node) const {
  return "node " + std::to_string(node) + " (pid " + std::to_string(nodes_[node].pid) + ")";
}

bool Coordinator::isOver(TimePoint now) const {
  const bool allGone = std::all_of(nodes_.begin(), nodes_.end(), [&](const Node &node) {
    return node.lost && (node.done || failed_);
  });
  return allGone || (failed_ && now >= deadline_);
}

} // namespace ompdsm::run
