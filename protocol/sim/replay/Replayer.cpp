// Replayer.cpp: steps by the core's code, compared with the trace; permissions, releases, barriers.
#include "protocol/sim/replay/Replayer.h"
#include "protocol/core/Print.h"
#include <algorithm>

namespace ompdsm::sim {

namespace {
constexpr Address kPage = 4096;

std::string describe(const Noted &noted) {
  const NoteShape &shape = shapeOf(noted.note);
  std::string text = shape.name;
  for (unsigned i = 0; i < shape.numbers; ++i)
    text += " " + std::to_string(noted.numbers[i]);
  return text;
}
std::string describe(const std::vector<Noted> &notes, std::size_t at) {
  return at < notes.size() ? describe(notes[at]) : "nothing more";
}
std::string describe(const std::vector<NodeId> &nodes) {
  std::string text;
  for (NodeId node : nodes)
    text += (text.empty() ? "" : " ") + std::to_string(node);
  return text.empty() ? "nobody" : text;
}
} // namespace

Replayer::Replayer(const EventHead &head)
    : nodes_(head.nodes), areas_(head.areas), model_(head.nodes), obligations_(head.nodes) {}

const EventArea *Replayer::areaOf(Address address) const {
  auto after = std::upper_bound(areas_.begin(), areas_.end(), address,
                                [](Address a, const EventArea &area) { return a < area.begin; });
  if (after == areas_.begin() || address >= (after - 1)->end)
    return nullptr;
  return &*(after - 1);
}

const EventArea *Replayer::areaIn(NodeId node, Address address) const {
  const EventArea *area = areaOf(address);
  const auto &shifts = model_[node].blockShifts;
  const auto found = shifts.find(address / kPage);
  if (!area || found == shifts.end() || found->second == area->blockShift)
    return area;
  EventArea &resized = resizedAreas_.try_emplace({area, found->second}, *area).first->second;
  resized.blockShift = found->second;
  return &resized;
}

Address Replayer::blockBegin(const EventArea &area, Address address) {
  return std::max(area.begin, address >> area.blockShift << area.blockShift);
}

std::optional<Address> Replayer::blockAt(Address address) const {
  const EventArea *area = areaOf(address);
  if (!area)
    return {};
  return blockBegin(*area, address);
}

Address Replayer::blockEnd(const EventArea &area, Address block) const {
  return std::min(area.end, ((block >> area.blockShift) + 1) << area.blockShift);
}

/// Blocks begin at lines, so that the size fits below.
static Address keyOf(const EventArea &area, Address begin) { return begin + area.blockShift; }

ModelBlock &Replayer::blockOf(NodeId node, const EventArea &area, Address begin) {
  const auto [found, added] = blocks_.try_emplace(keyOf(area, begin));
  ModelBlock &block = found->second;
  if (added) {
    block.begin = begin;
    block.area = &area;
    // Something happens to all blocks of a page before it moves, so all maps agree.
    block.home = homeIn(node, area, begin);
    block.copies.resize(nodes_);
    block.copies[block.home].state = BlockState::Exclusive;
  }
  return block;
}

NodeId Replayer::homeIn(NodeId node, const EventArea &area, Address block) const {
  const auto own = model_[node].movedBlocks.find(block);
  if (own != model_[node].movedBlocks.end())
    return own->second;
  const auto found = model_[node].moved.find(block / kPage);
  return found == model_[node].moved.end() ? area.home : found->second;
}

BlockState Replayer::stateIn(NodeId node, const EventArea &area, Address block) const {
  if (const auto found = blocks_.find(keyOf(area, block)); found != blocks_.end())
    return found->second.copies[node].state;
  return homeIn(node, area, block) == node ? BlockState::Exclusive : BlockState::Invalid;
}

bool Replayer::apply(NodeId node, const EventRecord &record) {
  const std::pair<NodeId, std::uint64_t> thread{node, record.thread};
  switch (record.kind) {
  case RecordKind::Step:
  case RecordKind::Flush:
  case RecordKind::Cede:
  case RecordKind::Recall:
  case RecordKind::Evict:
  case RecordKind::Forget:
  case RecordKind::Serve:
  case RecordKind::Supply:
    visit(node, record);
    break;
  case RecordKind::Quiescent:
    model_[node].threads[record.thread].set(record.number);
    break;
  case RecordKind::Ask:
    ask(node, record);
    break;
  case RecordKind::Granted:
    granted(node, record);
    break;
  case RecordKind::Atomic:
    if (const EventArea *area = areaIn(node, record.address))
      post(blockOf(node, *area, record.address), node, record.peer,
           {BlockMessage::What::Atomic, {}, {}, false});
    else
      fail("an atomic operation outside of all areas");
    break;
  case RecordKind::Releasing:
    releasing_[thread] = obligations_.last();
    break;
  case RecordKind::Released:
    released(node, record);
    break;
  case RecordKind::Arrive:
    arrived_[{node, record.number}] = obligations_.last();
    if (record.number >= 2) // Who arrives has left the barrier before, so all had arrived there.
      arrived_.erase({node, record.number - 2});
    break;
  case RecordKind::Leave:
    leave(node, record);
    break;
  case RecordKind::Moved:
    move(node, record);
    break;
  case RecordKind::Resized:
    resize(node, record);
    break;
  case RecordKind::Send: // Their order is the merge's.
  case RecordKind::Receive:
  case RecordKind::End:
  case RecordKind::Truncated:
    break;
  }
  return failure_.empty();
}

void Replayer::visit(NodeId node, const EventRecord &record) {
  const EventArea *area = areaIn(node, record.address);
  if (!area || blockBegin(*area, record.address) != record.address)
    return fail("no block begins here");
  ModelBlock &block = blockOf(node, *area, record.address);
  ModelCopy &copy = block.copies[node];
  failedBlock_ = record.address;
  ++steps_;
  if (copy.state != record.before)
    return fail(std::string("the core has the block in ") + nameOf(copy.state) + ", the trace in " +
                nameOf(record.before));
  if (record.journal.event == Event::Cede &&
      !mayCede(copy.state, copy.record.sharers.contains(record.peer)))
    return fail("G4: the home of a block moves that may not move");
  receive(block, node, record);
  if (!failure_.empty())
    return;
  journal_.clear();
  Journaled<ModelPort> port(journal_, block, node, model_[node], homeIn(node, *area, block.begin),
                            record, journal_);
  if (record.kind == RecordKind::Step)
    step(port, *record.journal.event);
  else if (record.kind == RecordKind::Flush)
    (void)flushBlock(port);
  else if (record.kind == RecordKind::Evict)
    (void)evictBlock(port);
  else if (record.kind == RecordKind::Serve)
    stepGet(port);
  else if (record.kind == RecordKind::Supply)
    (void)stepSupply(port);
  else if (record.kind == RecordKind::Forget)
    stepLeave(port);
  else if (record.kind == RecordKind::Recall)
    (void)mayRecallBlock(port);
  else
    (void)mayCedeBlock(port, record.peer);
  if (!port.doubt().empty())
    return fail(port.doubt());
  compare(block, node, record);
  if (!failure_.empty())
    return;
  send(block, node, record);
  checkUnwritten(block, record);
  changeHome(block, node, record);
  checkEverywhere(block);
  if (failure_.empty())
    failedBlock_.reset();
}

void Replayer::compare(const ModelBlock &block, NodeId node, const EventRecord &record) {
  const auto &core = journal_.notes, &trace = record.journal.notes;
  if (journal_.event != record.journal.event)
    return fail(std::string("the core takes it for ") +
                (journal_.event ? nameOf(*journal_.event) : "nothing") + ", the trace for " +
                (record.journal.event ? nameOf(*record.journal.event) : "nothing"));
  for (std::size_t i = 0; i < std::max(core.size(), trace.size()); ++i)
    if (i >= core.size() || i >= trace.size() || core[i] != trace[i])
      return fail("the core does " + describe(core, i) + ", the trace has " + describe(trace, i));
  if (!core.empty() && core.back().note == Note::Impossible)
    return fail(std::string(nameOf(*journal_.event)) + " cannot occur in " + nameOf(record.before) +
                ": the node ended here");
  const ModelCopy &copy = block.copies[node];
  if (copy.state != record.after)
    return fail(std::string("the core leaves the block in ") + nameOf(copy.state) +
                ", the trace in " + nameOf(record.after));
  std::vector<NodeId> sharers;
  if (isHomeState(copy.state))
    copy.record.sharers.forEach([&](NodeId sharer) { sharers.push_back(sharer); });
  if (sharers != record.sharers)
    return fail("the core has as sharers " + describe(sharers) + ", the trace " +
                describe(record.sharers));
  if (copy.record.twinned != keepsTwin(copy.state))
    return fail(std::string("a twin does not fit to ") + nameOf(copy.state));
}

void Replayer::ask(NodeId node, const EventRecord &record) {
  const EventArea *area = areaIn(node, record.address);
  if (!area || record.bytes > area->end - record.address)
    return fail("a permission is asked for outside of all areas");
  std::vector<Awaited> &awaited =
      awaited_.emplace(std::tuple(node, record.thread, record.address), std::vector<Awaited>())
          ->second;
  const std::uint8_t missing = record.flag ? kWriteMisses : kReadMisses;
  for (Address at = blockBegin(*area, record.address), end = record.address + record.bytes;
       at < end; at = blockEnd(*area, at)) {
    const BlockState state = stateIn(node, *area, at);
    if (!(missBits(state) & missing))
      continue;
    if (!isFetching(state))
      return failAt(at, std::string("a thread waits for a permission on a block in ") +
                            nameOf(state) + ", which nobody fetches");
    const ModelCopy &copy = blockOf(node, *area, at).copies[node];
    awaited.push_back({&copy, at, copy.wakes});
  }
}

void Replayer::granted(NodeId node, const EventRecord &record) {
  const auto found = awaited_.find({node, record.thread, record.address});
  if (found == awaited_.end())
    return fail("a permission is granted that was not asked for");
  for (const Awaited &awaited : found->second)
    if (awaited.copy->wakes == awaited.wakes)
      return failAt(awaited.block, "a permission is granted before the data came");
  awaited_.erase(found);
}

void Replayer::released(NodeId node, const EventRecord &record) {
  const auto found = releasing_.find({node, record.thread});
  if (found == releasing_.end())
    return fail("a release ends that did not begin");
  if (const auto put = obligations_.releasedPut(node, found->second))
    return failAt(*put, "G2: a release ends, but a Put of the node is not yet applied");
  if (const auto stale = obligations_.releasedStale(node, found->second))
    return failAt(stale->block, "G2: a release ends, but node " + std::to_string(stale->node) +
                                    " has not processed an Invalidate that came of it");
  releasing_.erase(found);
}

void Replayer::leave(NodeId node, const EventRecord &record) {
  for (unsigned n = 0; n < nodes_; ++n) {
    const auto arrived = arrived_.find({NodeId(n), record.number});
    if (arrived == arrived_.end())
      return fail("a barrier ends before node " + std::to_string(n) + " has arrived");
    // Without a second half a home waits alone for what was put there, and serves nobody before.
    const auto waitsFor = [&](Address block) {
      return record.flag || homeIn(node, *areaOf(block), block) == node;
    };
    if (const auto put = obligations_.unappliedPut(NodeId(n), arrived->second, waitsFor))
      return failAt(*put, "G2: a barrier ends, but a Put of node " + std::to_string(n) +
                              " is not yet applied");
    if (const auto stale = obligations_.staleAt(NodeId(n), node, arrived->second))
      return failAt(*stale, "G3: a barrier ends, but an Invalidate to this node that came of what "
                            "node " +
                                std::to_string(n) + " has changed is not yet processed");
  }
  // A home has told all of what was changed when it said that it is done, or else arrived.
  obligations_.cover(node, arrived_.at({node, record.number}), obligations_.last());
}

void Replayer::move(NodeId node, const EventRecord &record) {
  const EventArea *area = areaOf(record.address);
  if (!area)
    return fail("a home moves outside of all areas");
  if (record.bytes < kPage) {
    const EventArea &parted = *areaIn(node, record.address);
    if (blockBegin(parted, record.address) != record.address ||
        blockEnd(parted, record.address) != record.address + record.bytes)
      return fail("the home of less than a block moves");
    model_[node].movedBlocks[record.address] = record.peer;
    return;
  }
  const Address end = std::min(area->end, record.address + record.bytes);
  for (Address page = record.address / kPage * kPage; page < end; page += kPage)
    model_[node].moved[page / kPage] = record.peer;
}

void Replayer::resize(NodeId node, const EventRecord &record) {
  const EventArea *area = areaIn(node, record.address);
  if (!area || record.bytes > kPage || record.number < 6 || record.number > 12)
    return fail("blocks outside of all areas, or of a page, get another size");
  const bool isLast = ++resizing_[{record.address, record.number}] == nodes_;
  for (Address at = blockBegin(*area, record.address), end = record.address + record.bytes;
       at < end; at = blockEnd(*area, at)) {
    const auto found = blocks_.find(keyOf(*area, at));
    if (found == blocks_.end())
      continue;
    const ModelCopy &copy = found->second.copies[node];
    const bool isHome = found->second.home == node;
    if (!isRecalled(copy.state, isHome, &copy.record) || (isHome && !copy.record.sharers.empty()))
      return failAt(at, std::string("a block gets another size that is ") + nameOf(copy.state) +
                            ", or has copies");
    if (isLast)
      blocks_.erase(found);
  }
  if (isLast)
    resizing_.erase({record.address, record.number});
  model_[node].blockShifts[record.address / kPage] = unsigned(record.number);
}

} // namespace ompdsm::sim
