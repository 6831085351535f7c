#include "protocol/sim/simulator/Port.h"
#include "protocol/core/Print.h"
#include "protocol/sim/simulator/WireSizes.h"

namespace ompdsm::simulator {

const Transition &Simulation::Port::transition(BlockState state, Event event) const {
  const Transition &found = simulation_.rules_.cell(state, event);
  if (simulation_.isTraced(block_)) {
    std::string text = "node " + std::to_string(node_.self) + ": " + ompdsm::nameOf(event) +
                       " in " + ompdsm::nameOf(state);
    if (found.possible)
      text += std::string(" -> ") + ompdsm::nameOf(found.next);
    for (Action action : found.actions)
      if (found.possible && action != Action::None)
        text += std::string(" ") + ompdsm::nameOf(action);
    simulation_.note(block_, text);
  }
  simulation_.charge(node_, kStepCost);
  return found;
}

void Simulation::Port::impossible(Event event) const {
  simulation_.fail(std::string("impossible: ") + ompdsm::nameOf(event) + " in " +
                       ompdsm::nameOf(state()),
                   block_, &node_);
}

void Simulation::Port::addWaiter() {
  if (!context_.waiter)
    simulation_.fail("nobody waits for what is awaited", block_, &node_);
  ++context_.waiter->remaining;
  record().waiters.push_back(context_.waiter);
}

void Simulation::Port::wakeWaiters() {
  for (MissWaiter *waiter : record().waiters)
    --waiter->remaining;
  record().waiters.clear();
  --node_.requestsInFlight;
}

bool Simulation::Port::isQuietSince(std::uint64_t stamp) const {
  for (const SimThread *thread : node_.threads)
    if (thread != context_.thread &&
        !Clock::isQuiet(thread->quiescentAt, PlainCounter::Value(stamp)))
      return false;
  return true;
}

Bytes &Simulation::Port::twin() {
  if (!record().hasTwin())
    simulation_.fail("a twin is used where there is none", block_, &node_);
  return record().twin;
}

void Simulation::Port::write(std::size_t byte, std::uint8_t value) {
  std::uint8_t &target = memory()[byte];
  if (target != value)
    simulation_.checkOverwritten(node_, range().begin + std::uint32_t(byte), target, value);
  target = value;
}

bool Simulation::Port::keepsBytesUnderZeros() const {
  return !simulation_.rules_.zerosAreData && isZero(*context_.data);
}

void Simulation::Port::overwriteMemory() {
  touch();
  if (keepsBytesUnderZeros())
    return;
  for (std::size_t i = 0; i < context_.data->size(); ++i)
    write(i, (*context_.data)[i]);
}

void Simulation::Port::mergeUnderWriters() {
  touch();
  if (keepsBytesUnderZeros())
    return;
  Bytes &old = twin();
  for (std::size_t i = 0; i < old.size(); ++i)
    if (const std::uint8_t fresh = (*context_.data)[i]; fresh != old[i]) {
      write(i, fresh);
      old[i] = fresh;
    }
}

void Simulation::Port::takeTwin() {
  if (record().hasTwin())
    simulation_.fail("a twin is made where there is one", block_, &node_);
  touch();
  record().twin = memory();
}

void Simulation::Port::takeWhole(bool) {
  touch();
  if (snapshot_.empty())
    takeSnapshot();
}

void Simulation::Port::makeTwinOfSnapshot() {
  if (record().hasTwin())
    simulation_.fail("a twin is made where there is one", block_, &node_);
  record().twin = snapshot_;
}

void Simulation::Port::takeSnapshot() { snapshot_ = memory(); }

void Simulation::Port::keepDigest() {
  if (record().hasTwin() || !record().served.empty())
    simulation_.fail("a digest is kept beside a twin, or another one", block_, &node_);
  touch();
  record().served = memory();
}

bool Simulation::Port::compareWithDigest() {
  if (record().served.empty())
    simulation_.fail("a digest is used where there is none", block_, &node_);
  takeWhole(/*quiet=*/false);
  return snapshot_ != record().served;
}

bool Simulation::Port::compareWithTwin() {
  touch();
  if (snapshot_.empty())
    takeSnapshot();
  const Bytes &old = twin();
  bool changed = false;
  masks_.assign((old.size() + 63) / 64, 0);
  for (std::size_t i = 0; i < old.size(); ++i)
    if (snapshot_[i] != old[i]) {
      masks_[i / 64] |= std::uint64_t(1) << i % 64;
      changed = true;
    }
  return changed;
}

void Simulation::Port::applyChangesToMemory() {
  for (std::size_t i = 0; i < context_.change->bytes.size(); ++i)
    if (context_.change->has(i))
      write(i, context_.change->bytes[i]);
}

void Simulation::Port::applyChangesToTwin() {
  Bytes &old = twin();
  for (std::size_t i = 0; i < old.size(); ++i)
    if (context_.change->has(i))
      old[i] = context_.change->bytes[i];
}

void Simulation::Port::executeAtomicInMemory() {
  const AtomicOperation &operation = *context_.atomic;
  const std::size_t byte = operation.byte - range().begin;
  const std::uint8_t old = memory()[byte], result = operation.resultOf(old);
  *context_.atomicOld = old;
  if (old != simulation_.truth_[operation.byte])
    simulation_.fail("G3: an atomic operation finds " + std::to_string(old) + ", not " +
                         std::to_string(simulation_.truth_[operation.byte]) + ", at byte " +
                         std::to_string(operation.byte),
                     block_, &node_);
  if (!operation.mayWrite())
    return;
  write(byte, result);
  simulation_.truth_[operation.byte] = result;
  simulation_.writer_[operation.byte] = kNobody;
}

void Simulation::Port::applyAtomicToTwin() {
  const AtomicOperation &operation = *context_.atomic;
  if (operation.mayWrite())
    twin()[operation.byte - range().begin] = operation.resultOf(*context_.atomicOld);
}

void Simulation::Port::collectGet() {
  node_.outgoing[simulation_.homeOf(node_, block_)].gets.push_back(block_);
  ++node_.requestsInFlight;
}

void Simulation::Port::collectPut() {
  Change change{block_, record().distrusted, false, false, false, masks_, snapshot_};
  const std::size_t lines = change.lines();
  if (lines) // as the engine, whose message has no line of it otherwise
    collectChange(std::move(change), lines * (wire::kContentsRun + wire::kLineMask + wire::kLine));
}

void Simulation::Port::collectWhole() {
  ++node_.overwritesUnderWay[block_];
  collectChange({block_, false, true, false, false, {}, snapshot_},
                wire::kContentsRun + snapshot_.size());
}

void Simulation::Port::collectAway() {
  collectChange({block_, false, true, true, false, {}, snapshot_},
                wire::kContentsRun + snapshot_.size());
}

Keeping Simulation::Port::keeping() const {
  const unsigned oneIn = simulation_.scenario_.awayOneIn;
  if (oneIn == 0)
    return Keeping::Copy;
  const std::uint64_t flushes = node_.peers[node_.self ? 0 : 1].putsSent.get();
  sim::Dice dice(simulation_.scenario_.seed + (std::uint64_t(block_) << 16) + flushes);
  return !dice.oneIn(oneIn) ? Keeping::Copy : dice.oneIn(2) ? Keeping::Watched : Keeping::Nothing;
}

bool Simulation::Port::expectsWriter() const {
  sim::Dice dice(simulation_.scenario_.seed + (std::uint64_t(block_) << 16) + node_.enteredEpoch);
  return simulation_.scenario_.pushOneIn == 0 || dice.oneIn(2);
}

void Simulation::Port::collectChange(Change change, std::size_t bytes) {
  const NodeId home = simulation_.homeOf(node_, block_);
  Outgoing &outgoing = node_.outgoing[home];
  if (outgoing.changeBytes + bytes > wire::kMaxBody)
    simulation_.postPut(node_, home, context_.acknowledged);
  outgoing.changeBytes += bytes;
  outgoing.changesAreTold |= change.isAway || !copy_.isSole;
  outgoing.changes.push_back(std::move(change));
  copy_.latestPut = node_.peers[home].putsSent.get() + 1; // the next that leaves
}

bool Simulation::isDense(const Node &node, BlockId block) const {
  sim::Dice dice(~scenario_.seed + (std::uint64_t(block) << 16) + node.enteredEpoch);
  return scenario_.pushOneIn != 0 && dice.oneIn(2);
}

bool Simulation::Port::expectsStores() const {
  sim::Dice dice(simulation_.scenario_.seed + (std::uint64_t(block_) << 16) + ~node_.enteredEpoch);
  return simulation_.scenario_.pushOneIn != 0 && dice.oneIn(2);
}

bool Simulation::Port::expectsReader(NodeId node) const {
  const unsigned oneIn = simulation_.scenario_.pushOneIn;
  if (oneIn == 0 || isForeign())
    return false;
  return sim::Dice(simulation_.scenario_.seed + (std::uint64_t(block_) << 16) + node).oneIn(oneIn);
}

void Simulation::Port::collectUpdate(NodeId to) {
  const bool isWhole = masks_.empty(); // as it was overwritten, and nothing compared
  collectUpdateOf({block_, false, isWhole, false, false, masks_, snapshot_}, to);
}

void Simulation::Port::collectUpdateOf(Change change, NodeId to, bool isSole) {
  const std::size_t most = range().bytes() / wire::kLine * wire::kMostPerLine;
  Outgoing &outgoing = node_.outgoing[to];
  if (outgoing.updateBytes + most > wire::kMaxBody)
    simulation_.postUpdates(node_, to, context_.acknowledged);
  outgoing.updateBytes += most;
  outgoing.updatesAreSole &= isSole;
  copy_.hasSaidSole |= isSole;
  outgoing.updates.push_back(std::move(change));
}

bool Simulation::Port::saysSole() const {
  sim::Dice dice(simulation_.scenario_.seed + (std::uint64_t(block_) << 16) + node_.enteredEpoch);
  return simulation_.scenario_.pushOneIn != 0 && !isForeign() && context_.change && dice.oneIn(2);
}

void Simulation::Port::collectSharing(NodeId to, bool isSole) {
  if (!isSole && !simulation_.rules_.soleSharersHearOfOthers)
    return;
  collectUpdateOf({block_, true, false, false, false,
                   std::vector<std::uint64_t>((range().bytes() + wire::kLine - 1) / wire::kLine),
                   memory()},
                  to);
  node_.outgoing[to].updatesAreSole &= isSole;
}

void Simulation::Port::collectLeave() {
  node_.outgoing[simulation_.homeOf(node_, block_)].leaves.push_back(block_);
}

void Simulation::Port::collectContents(NodeId to, const Bytes &bytes) {
  touch();
  Outgoing &outgoing = node_.outgoing[to];
  if (outgoing.contentBytes + wire::kContentsRun + bytes.size() > wire::kMaxBody)
    simulation_.postData(node_, to);
  outgoing.contentBytes += wire::kContentsRun + bytes.size();
  outgoing.contents.push_back({block_, bytes});
}

void Simulation::Port::collectInvalidate(NodeId to) {
  node_.outgoing[to].invalidates.push_back(block_);
  node_.toldStale.emplace_back(block_, to);
  ++simulation_.nodes_[to].invalidationsUnderWay[block_];
}

} // namespace ompdsm::simulator
