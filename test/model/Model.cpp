// Model.cpp: the moves of a state, and the search through all of them.
#include "test/model/World.h"
#include <cstring>
#include <unordered_map>

namespace ompdsm::model {

namespace {

struct Fingerprint {
  std::uint64_t a = 0, b = 0;
  bool operator==(const Fingerprint &) const = default;
};
struct FingerprintHash {
  std::size_t operator()(const Fingerprint &f) const { return f.a; }
};
Fingerprint fingerprintOf(const State &state) {
  std::uint64_t words[(sizeof(State) + 7) / 8] = {};
  std::memcpy(words, &state, sizeof(State));
  Fingerprint f{0x9e3779b97f4a7c15u, 0xd1342543de82ef95u};
  for (std::uint64_t word : words) {
    f.a = (f.a ^ word) * 0xff51afd7ed558ccdu;
    f.a ^= f.a >> 32;
    f.b = (f.b + word) * 0xc4ceb9fe1a85ec53u;
    f.b ^= f.b >> 29;
  }
  return f;
}

} // namespace

std::vector<Move> World::moves(const State &s) const {
  std::vector<Move> all;
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (!isDone(s, t)) {
      Move move;
      move.isThread = true;
      move.thread = t;
      all.push_back(move);
    }
  for (unsigned n = 1; n < kNodes; ++n)
    for (unsigned direction = 0; direction < 2; ++direction)
      for (unsigned requests = 0; requests < 2; ++requests) {
        unsigned size = s.queues[n][direction][requests].size;
        for (unsigned i = 0; i < (rules_.channelsAreOrdered ? std::min(size, 1u) : size); ++i)
          all.push_back({false, 0, n, direction, requests, i});
      }
  return all;
}

bool World::make(State &s, const Move &move) {
  failure_.clear();
  return move.isThread ? advance(s, move.thread) : deliver(s, move);
}

std::string World::labelOf(const State &s, const Move &move) const {
  if (move.isThread)
    return "thread " + std::to_string(move.thread) + " of node " +
           std::to_string(nodeOf(move.thread)) + ": operation " +
           std::to_string(s.threads[move.thread].pc) + ", phase " +
           std::to_string(int(s.threads[move.thread].phase));
  constexpr const char *kNames[] = {"Get",        "Put",           "Atomic", "Data",
                                    "Invalidate", "InvalidateAck", "PutAck", "AtomicReply"};
  const Message &message =
      s.queues[move.cacher][move.direction][move.requests].messages[move.index];
  return std::string(move.direction ? "home to node " : "to home from node ") +
         std::to_string(move.cacher) + ": " + kNames[int(message.kind)];
}

std::string World::faultAtEnd(const State &s) const {
  for (unsigned t = 0; t < litmus_.threads.size(); ++t)
    if (!isDone(s, t))
      return "deadlock";
  if (s.answerCount)
    return "an answer was never sent";
  const Node &home = s.nodes[0];
  if (home.sharers && home.state == BlockState::Exclusive)
    return "an untracked block has sharers";
  for (unsigned n = 0; n < kNodes; ++n) {
    const Node &node = s.nodes[n];
    if (isFetching(node.state) || node.waiters)
      return "a fetch never ended";
    if (n && !(missBits(node.state) & kReadMisses) && !(home.sharers >> n & 1))
      return "a reader that its home does not know";
    if (node.hasTwin != isListed(node.state) || node.hasTwin != node.listed)
      return "a state and its twin disagree";
  }
  return "";
}

Rules::Rules() {
  for (unsigned s = 0; s < kBlockStateCount; ++s)
    for (unsigned e = 0; e < kEventCount; ++e)
      cells[s][e] = lookUp(BlockState(s), Event(e));
}

Outcome explore(const Litmus &litmus, const Rules &rules, bool wantTrace) {
  struct Origin {
    Fingerprint parent;
    std::string label;
  };
  Outcome outcome;
  World world(litmus, rules, outcome);
  std::unordered_map<Fingerprint, Origin, FingerprintHash> seen;
  std::vector<State> open{World::initial()};
  seen.emplace(fingerprintOf(open.back()), Origin{});
  constexpr std::size_t kMaxStates = 3000000;
  while (!open.empty() && outcome.failure.empty()) {
    State state = open.back();
    open.pop_back();
    Fingerprint here = fingerprintOf(state);
    bool moved = false;
    for (const Move &move : world.moves(state)) {
      State next = state;
      if (!world.make(next, move) && world.failure().empty())
        continue;
      moved = true;
      if (!world.failure().empty()) {
        outcome.failure = world.failure() + " at " + world.labelOf(state, move);
        break;
      }
      auto [place, isNew] = seen.try_emplace(fingerprintOf(next));
      if (!isNew)
        continue;
      if (wantTrace)
        place->second = {here, world.labelOf(state, move)};
      open.push_back(next);
    }
    if (!moved)
      outcome.failure = world.faultAtEnd(state);
    if (seen.size() > kMaxStates)
      outcome.failure = "more states than expected";
    if (!outcome.failure.empty() && wantTrace) {
      for (Fingerprint at = here; !seen[at].label.empty(); at = seen[at].parent)
        outcome.trace.push_back(seen[at].label);
      std::reverse(outcome.trace.begin(), outcome.trace.end());
    }
  }
  outcome.states = seen.size();
  return outcome;
}

const char *nameOf(BlockState state) {
  constexpr const char *kNames[kBlockStateCount] = {
      "Exclusive", "Shared",  "HomeDirty", "HomeClosing", "Invalid", "Clean",
      "Dirty",     "Closing", "Stale",     "Invalid_D",   "Stale_D"};
  return kNames[std::size_t(state)];
}

const char *nameOf(Event event) {
  constexpr const char *kNames[kEventCount] = {"ReadMiss",
                                               "WriteMiss",
                                               "WriteMissUntracked",
                                               "Prefetch",
                                               "Data",
                                               "DataForWrite",
                                               "Invalidate",
                                               "FlushChanged",
                                               "FlushChangedQuiet",
                                               "FlushSame",
                                               "FlushSameQuiet",
                                               "FlushUnshared",
                                               "Get",
                                               "Put",
                                               "AtomicUpdate",
                                               "AtomicRead",
                                               "Cede",
                                               "Adopt"};
  return kNames[std::size_t(event)];
}

} // namespace ompdsm::model
