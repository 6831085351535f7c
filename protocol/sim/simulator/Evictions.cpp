// Evictions.cpp: a node gives up copies of other nodes' memory above a limit (Evictions.cpp and
// CachedUnits.h of the engine; the rules are core/Eviction.h's).
#include "protocol/core/Eviction.h"
#include "protocol/sim/simulator/Port.h"
#include <algorithm>

namespace ompdsm::simulator {

std::uint32_t Simulation::bytesOf(UnitId unit) const {
  return space_.block(space_.firstBlockOf(unit + 1) - 1).range.end -
         space_.block(space_.firstBlockOf(unit)).range.begin;
}

void Simulation::noteFilled(Node &node, BlockId block) {
  if (!scenario_.cacheLimit)
    return;
  const UnitId unit = space_.block(block).unit;
  const auto [entry, isNew] = node.cached.try_emplace(unit);
  CachedUnit &known = entry->second;
  if (isNew)
    node.cachedBytes += bytesOf(unit);
  else
    known.isAgain = true;
  if (rules_.fetchKeepsMemory || isNew) {
    if (!std::exchange(known.isQueued, true))
      node.oldest.push_back(unit);
  }
}

void Simulation::forgetUnit(Node &node, UnitId unit) {
  if (node.cached.erase(unit))
    node.cachedBytes -= bytesOf(unit);
}

std::optional<UnitId> Simulation::takeOldest(Node &node) {
  for (std::size_t left = 2 * node.oldest.size(); left && !node.oldest.empty(); --left) {
    const UnitId unit = node.oldest.front();
    node.oldest.pop_front();
    const auto found = node.cached.find(unit);
    if (found == node.cached.end() || !found->second.isQueued)
      continue;
    if (!std::exchange(found->second.isAgain, false)) {
      found->second.isQueued = false;
      return unit;
    }
    node.oldest.push_back(unit);
  }
  return {};
}

Task Simulation::makeRoom(SimThread &thread, bool synchronised) {
  Node &node = nodeOf(thread);
  if (!scenario_.cacheLimit || node.cachedBytes <= scenario_.cacheLimit)
    co_return;
  co_await lockEngine(thread);
  SimThread *const who = synchronised ? &thread : nullptr;
  dropMemory(node, who);
  if (node.homesMayMove || !node.leaving.empty())
    co_return;
  giveUpUnits(node, who);
  if (synchronised)
    syncPoint(thread); // it holds no permission yet
  dropMemory(node, who);
  postCollected(node, /*acknowledged=*/true);
}

/// What was sent again before anybody read it.
Task Simulation::giveUpUnread(SimThread &thread) {
  Node &node = nodeOf(thread);
  if (node.unread.empty())
    co_return;
  co_await lockEngine(thread);
  evictUnread(node, &thread);
}

void Simulation::evictUnread(Node &node, SimThread *thread) {
  if (node.homesMayMove || node.unread.empty())
    return; // in a barrier the home may be about to be another
  StepContext context;
  context.thread = thread;
  context.acknowledged = true;
  for (BlockId block : std::exchange(node.unread, {})) {
    if (copyOf(node, block).state != BlockState::Unread)
      continue;
    Port port(*this, node, block, context);
    evictBlock(port);
    checkCopy(node, block);
  }
  postCollected(node, /*acknowledged=*/true);
}

void Simulation::giveUpUnits(Node &node, SimThread *synchronised) {
  const std::size_t wanted = scenario_.cacheLimit - scenario_.cacheLimit / 8;
  std::vector<UnitId> kept;
  while (node.cachedBytes > wanted + node.leavingBytes) {
    const std::optional<UnitId> unit = takeOldest(node);
    if (!unit)
      break;
    if (giveUpUnit(node, *unit, synchronised)) {
      node.leaving.push_back(*unit);
      node.leavingBytes += bytesOf(*unit);
    } else
      kept.push_back(*unit);
  }
  for (UnitId unit : kept)
    if (!std::exchange(node.cached[unit].isQueued, true))
      node.oldest.push_back(unit);
  // After the states: who synchronises from now on has seen them.
  node.leavingStamp = node.clock.stamp();
}

bool Simulation::giveUpUnit(Node &node, UnitId unit, SimThread *synchronised) {
  const BlockId first = space_.firstBlockOf(unit), end = space_.firstBlockOf(unit + 1);
  bool mayGo = true;
  for (BlockId b = first; b < end; ++b) {
    const BlockState state = copyOf(node, b).state;
    // Who misses in the middle of an interval may write himself where the block is open.
    mayGo = mayGo && !isFetching(state) && (synchronised || !isListed(state));
  }
  if (!mayGo)
    return false;
  StepContext context;
  context.thread = synchronised;
  context.acknowledged = true;
  for (BlockId b = first; b < end; ++b) {
    Port port(*this, node, b, context);
    mayGo = evictBlock(port) && mayGo;
    checkCopy(node, b);
  }
  return mayGo;
}

void Simulation::dropMemory(Node &node, SimThread *synchronised) {
  StepContext context;
  context.thread = synchronised;
  const bool isQuiet =
      std::all_of(node.threads.begin(), node.threads.end(), [&](const SimThread *thread) {
        return thread == synchronised ||
               Clock::isQuiet(thread->quiescentAt, PlainCounter::Value(node.leavingStamp));
      });
  if (node.leaving.empty() || (!isQuiet && rules_.dropsWhenQuiet))
    return;
  for (UnitId unit : std::exchange(node.leaving, {})) {
    const auto found = node.cached.find(unit);
    bool mayGo = found != node.cached.end() && !found->second.isQueued;
    for (BlockId b = space_.firstBlockOf(unit); b < space_.firstBlockOf(unit + 1); ++b)
      mayGo = mayGo && mayDrop(copyOf(node, b).state, true);
    if (!mayGo) {
      if (found != node.cached.end() && !std::exchange(found->second.isQueued, true))
        node.oldest.push_back(unit);
      continue;
    }
    forgetUnit(node, unit);
    for (BlockId b = space_.firstBlockOf(unit); b < space_.firstBlockOf(unit + 1); ++b) {
      checkUnused(node, b, synchronised);
      copyOf(node, b).memory.clear(); // reads as zeros
    }
  }
  node.leavingBytes = 0;
}

} // namespace ompdsm::simulator
