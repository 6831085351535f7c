#include "protocol/sim/Explorer.h"
#include "protocol/sim/World.h"
#include <cstring>
#include <deque>
#include <memory>
#include <tsl/robin_set.h>

namespace ompdsm::sim {

namespace {

/// More than any correct program here has; a mutant that runs on is wrong.
constexpr std::size_t kMaxStates = 10'000'000;

struct Fingerprint {
  std::uint64_t a, b;
  bool operator==(const Fingerprint &) const = default;
};
struct FingerprintHash {
  std::size_t operator()(const Fingerprint &f) const { return f.a; }
};

Fingerprint fingerprintOf(const State &state) {
  constexpr std::size_t kWords = (sizeof(State) + 7) / 8;
  std::uint64_t words[kWords] = {};
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

/// Clocks are only compared, so their values are replaced by their ranks: states that differ in
/// nothing else are one.
void rankClocks(State &s, const Litmus &litmus) {
  for (unsigned n = 0; n < kMaxNodes; ++n) {
    Node &node = s.nodes[n];
    std::uint8_t *values[2 + kBlocks + kMaxThreads];
    unsigned count = 0;
    static_assert(sizeof(Clock) == 1);
    values[count++] = reinterpret_cast<std::uint8_t *>(&node.clock);
    if (node.leavingStamp)
      values[count++] = &node.leavingStamp;
    for (BlockCopy &copy : node.blocks)
      if (copy.record.graceStamp)
        values[count++] = &copy.record.graceStamp;
    for (unsigned t = 0; t < litmus.threads.size(); ++t)
      if (litmus.threads[t].node == n && s.threads[t].quiescentAt.get() != Clock::kOffline)
        values[count++] = &s.threads[t].quiescentAt.value;
    std::uint8_t ranks[2 + kBlocks + kMaxThreads];
    for (unsigned i = 0; i < count; ++i) {
      std::uint64_t below[4] = {};
      for (unsigned j = 0; j < count; ++j)
        if (*values[j] < *values[i])
          below[*values[j] / 64] |= std::uint64_t(1) << *values[j] % 64;
      ranks[i] = 1;
      for (std::uint64_t word : below)
        ranks[i] = std::uint8_t(ranks[i] + std::popcount(word));
    }
    for (unsigned i = 0; i < count; ++i)
      *values[i] = ranks[i];
  }
}

/// How a state was reached: from which, and by which of its moves.
struct Link {
  std::uint32_t parent;
  Move move;
};

std::vector<std::string> transcriptOf(const Litmus &litmus, const Rules &rules,
                                      const std::vector<Link> &links, std::size_t last,
                                      const Move *wrong) {
  std::vector<Move> run;
  if (wrong)
    run.push_back(*wrong);
  for (std::size_t at = last; at; at = links[at].parent)
    run.push_back(links[at].move);
  World world(litmus, rules);
  std::vector<std::string> text;
  State s = world.initial();
  for (auto move = run.rbegin(); move != run.rend(); ++move) {
    text.push_back(world.labelOf(s, *move));
    world.log = &text;
    world.make(s, *move);
    rankClocks(s, litmus);
  }
  return text;
}

} // namespace

Outcome explore(const Litmus &litmus, const Rules &rules, bool wantTranscript) {
  Outcome outcome;
  World world(litmus, rules);
  tsl::robin_set<Fingerprint, FingerprintHash> seen;
  std::vector<Link> links{{0, {}}};
  std::deque<State> open{world.initial()};
  seen.insert(fingerprintOf(open.front()));
  std::vector<Move> moves;
  for (std::size_t here = 0; !open.empty() && outcome.failure.empty(); ++here) {
    const State state = open.front();
    open.pop_front();
    bool moved = false;
    const Move *wrong = nullptr;
    world.moves(state, moves);
    for (const Move &move : moves) {
      State next = state;
      if (!world.make(next, move) && world.failure().empty())
        continue;
      moved = true;
      if (!world.failure().empty()) {
        outcome.failure = world.failure();
        wrong = &move;
        break;
      }
      rankClocks(next, litmus);
      if (!seen.insert(fingerprintOf(next)).second)
        continue;
      if (wantTranscript)
        links.push_back({std::uint32_t(here), move});
      open.push_back(next);
    }
    if (!moved)
      outcome.failure = world.faultAtEnd(state);
    if (seen.size() > kMaxStates)
      outcome.failure = "the exploration does not end";
    if (!outcome.failure.empty() && wantTranscript)
      outcome.transcript = transcriptOf(litmus, rules, links, here, wrong);
  }
  outcome.states = seen.size();
  std::memcpy(outcome.reached, world.reached, sizeof(world.reached));
  return outcome;
}

} // namespace ompdsm::sim
