// Simulation.cpp: occurrences in their order, and what all parts use.
#include "protocol/sim/simulator/Simulation.h"
#include <algorithm>

namespace ompdsm::simulator {

namespace {
/// More than any run that ends has; one that goes on is wrong.
std::uint64_t mostOccurrences(const Program &program) {
  std::uint64_t operations = 0;
  for (const ThreadProgram &thread : program.threads)
    operations += thread.operations.size();
  return 500'000 + (200 + 10 * std::uint64_t(program.nodes)) * operations;
}
/// How often copies are compared with their home's directory all over, besides at the end.
constexpr unsigned kOccurrencesPerCheck = 64;
} // namespace

Traffic Statistics::total() const {
  Traffic sum;
  for (const Traffic &kind : traffic) {
    sum.messages += kind.messages;
    sum.bytes += kind.bytes;
  }
  return sum;
}

Simulation::Simulation(const Scenario &scenario, const sim::Rules &rules,
                       std::optional<BlockId> traced)
    : scenario_(scenario), program_(scenario.program), space_(program_.space), rules_(rules),
      traced_(traced), dice_(scenario.seed ^ 0x5e1ec7ed5eedu), nodes_(program_.nodes),
      truth_(space_.bytes()), writer_(space_.bytes(), kNobody) {
  for (NodeId n = 0; n < nodes_.size(); ++n) {
    nodes_[n].self = n;
    nodes_[n].slowness = scenario.slowness.empty() ? 1 : scenario.slowness[n];
    nodes_[n].peers.resize(nodes_.size());
    nodes_[n].flags.resize(program_.flagReaders.size());
    nodes_[n].clock.stamp();
  }
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    SimThread &thread = threads_.emplace_back(t, program_.threads[t], dice_.next());
    Node &node = nodeOf(thread);
    node.threads.push_back(&thread);
    node.clock.goOnline(thread.quiescentAt);
  }
}

Outcome Simulation::run() {
  const std::uint64_t most = mostOccurrences(program_);
  try {
    for (SimThread &thread : threads_) {
      thread.body = runThread(thread);
      thread.resumed = thread.body.handle();
      wake(thread, 0);
    }
    while (!queue_.empty()) {
      const Occurrence next = queue_.pop();
      now_ = next.time;
      if (++outcome_.statistics.events > most)
        fail("the run does not end");
      handle(next);
      if (outcome_.statistics.events % kOccurrencesPerCheck == 0 && space_.blockCount())
        checkBlock(BlockId(dice_.below(unsigned(space_.blockCount()))));
    }
    checkEnd();
  } catch (const Failure &failure) {
    outcome_.failure = failure;
  }
  outcome_.statistics.end = now_;
  return std::move(outcome_);
}

void Simulation::handle(const Occurrence &next) {
  if (next.isThread) {
    threads_[next.index].resumed.resume();
    return;
  }
  const Node &receiver = nodes_[messages_[next.index].to];
  if (now_ <= receiver.lockedUntil && receiver.lockedUntil != 0) {
    queue_.defer(next, receiver.lockedUntil + 1);
    return;
  }
  free_.push_back(next.index);
  deliver(std::move(messages_[next.index]));
}

void Simulation::wake(SimThread &thread, Time at) { queue_.push(at, thread.index, true); }

void Simulation::notify(Node &node) {
  const Time at = std::max(now_, node.processorFree);
  std::erase_if(node.waiting, [&](const Waiting &waiting) {
    if (!waiting.isMet(waiting.condition))
      return false;
    wake(*waiting.thread, at);
    return true;
  });
}

void Simulation::fail(const std::string &what, std::optional<BlockId> block,
                      const Node *node) const {
  std::string text = what;
  if (block) {
    const Range &range = space_.block(*block).range;
    text += "; block " + std::to_string(*block) + " (bytes " + std::to_string(range.begin) +
            " to " + std::to_string(range.end - 1) + ")";
  }
  if (node)
    text += " of node " + std::to_string(node->self);
  char when[64];
  std::snprintf(when, sizeof when, ", after %.3f us", inMicroseconds(now_));
  throw Failure{text + when, block};
}

void Simulation::note(BlockId block, const std::string &what) {
  if (!isTraced(block))
    return;
  char when[64];
  std::snprintf(when, sizeof when, "%12.3f us  ", inMicroseconds(now_));
  outcome_.transcript.push_back(when + what);
}

Copy &Simulation::copyOf(Node &node, BlockId block) {
  const auto [found, isNew] = node.copies.try_emplace(block);
  if (isNew)
    found->second.state =
        homeOf(node, block) == node.self ? BlockState::Exclusive : BlockState::Invalid;
  return found->second;
}

Bytes &Simulation::memoryOf(Copy &copy, BlockId block) const {
  if (copy.memory.empty())
    copy.memory.resize(space_.block(block).range.bytes());
  return copy.memory;
}

NodeId Simulation::homeOf(const Node &node, BlockId block) const {
  const UnitId unit = space_.block(block).unit;
  const auto moved = node.movedHomes.find(unit);
  return moved == node.movedHomes.end() ? space_.firstHomeOf(unit) : moved->second;
}

} // namespace ompdsm::simulator
