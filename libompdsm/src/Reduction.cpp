// Reduction.cpp: combining the private copies of all threads of a spread region.
#include "libompdsm/src/Reduction.h"
#include "libompdsm/src/Barrier.h"
#include "libompdsm/src/FoldedRegion.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/core/BarrierTree.h"

namespace ompdsm {

namespace {
struct ReduceBody {
  std::uint64_t region = 0;
  std::uint64_t reduction = 0;
  std::uint64_t totalBytes = 0;
};
constexpr std::size_t kPieceBytes = 60 * 1024;
static_assert(kPieceBytes + sizeof(ReduceBody) <= Messenger::kMaxBodyBytes);
/// Reductions that children may have sent before this node arrives at them (nowait loops run
/// ahead).
constexpr std::size_t kMaxIncoming = 1 << 16;

Address lockOf(CriticalName *name) { return reinterpret_cast<Address>(name); }
} // namespace

void ReductionExchange::registerHandlers() {
  runtime_.messenger->setHandler(
      messageKind(TeamMessage::Reduce), [this](NodeId from, fabric::Bytes bytes) {
        fabric::Bytes piece;
        auto body = bodyFrom<ReduceBody>(bytes, &piece);
        {
          std::lock_guard lock(mutex_);
          Incoming &incoming = incoming_[{body.region, body.reduction, from}];
          OMPDSM_CHECK(incoming_.size() <= kMaxIncoming);
          incoming.bytes.resize(body.totalBytes);
          OMPDSM_CHECK(incoming.received + piece.size() <= incoming.bytes.size());
          std::memcpy(incoming.bytes.data() + incoming.received, piece.data(), piece.size());
          incoming.received += piece.size();
        }
        runtime_.messenger->notify();
      });
}

/// The receiver needs it when it comes to the same place, where it polls or waits: nobody is woken.
void ReductionExchange::post(NodeId to, const SpreadRegion &region, std::uint64_t reduction,
                             const std::vector<std::byte> &objects) {
  ReduceBody body{region.sequence, reduction, objects.size()};
  std::size_t sent = 0;
  do {
    std::size_t piece = std::min(kPieceBytes, objects.size() - sent);
    runtime_.messenger->waitForRoom(to, messageKind(TeamMessage::Reduce));
    runtime_.messenger->post(to, messageKind(TeamMessage::Reduce),
                             {bytesOf(body), fabric::Bytes(objects.data() + sent, piece)},
                             fabric::Urgency::WhenWaiting);
    sent += piece;
  } while (sent < objects.size());
}

std::vector<std::byte> ReductionExchange::receive(const Key &key) {
  auto arrived = [this, &key] {
    std::lock_guard lock(mutex_);
    auto entry = incoming_.find(key);
    return entry != incoming_.end() && entry->second.complete();
  };
  runtime_.messenger->waitUntil(arrived);
  std::lock_guard lock(mutex_);
  auto entry = incoming_.extract(key);
  return std::move(entry.mapped().bytes);
}

void ReductionExchange::combineAcrossNodes(const SpreadRegion &region, std::uint64_t reduction,
                                           const ReductionCall &call) {
  const auto node = NodeId(region.node);
  forEachChild(node, region.layout.nodesInTeam(), [&](NodeId child) {
    std::vector<std::byte> bytes = receive({region.sequence, reduction, child});
    UnpackedObjects objects(call, bytes);
    // The combiner may follow pointers inside the objects into what the child's threads wrote.
    acquireHere();
    call.combine(call.data, objects.data());
  });
  if (node == 0)
    return;
  const NodeId parent = parentOf(node);
  releaseTo({&parent, 1});
  post(parent, region, reduction, packObjects(call));
  // Else it leaves with this node's arrival at the barrier, which goes the same way.
  if (call.nowait)
    runtime_.messenger->flush();
}

int ReductionExchange::begin(RegionFrame &frame, const ReductionCall &call) {
  SpreadRegion &region = *frame.region;
  std::uint64_t reduction = frame.reductionsMet++;
  frame.reductionCode = reinterpret_cast<const void *>(call.combine);
  if (!call.sizes) {
    team().locks().acquire(lockOf(call.lock));
    frame.reductionUnderLock = true;
    return 1;
  }
  if (region.folded)
    return region.folded->combine(reduction, frame.globalThread, call);
  if (region.isWatched && frame.localThread == 0 && region.reductionBegan == 0)
    region.reductionBegan = steadyNanoseconds();
  region.reductionData[frame.localThread] = call.data;
  awaitTasksOfNode(call.location, call.gtid, frame);
  if (frame.localThread == 0) {
    for (unsigned thread = 1; thread < region.localThreads; ++thread)
      call.combine(call.data, static_cast<void **>(region.reductionData[thread]));
    if (region.spansNodes())
      combineAcrossNodes(region, reduction, call);
  }
  // The private copies live until the leader has read them.
  barrierOfNode(call.location, call.gtid, frame);
  if (frame.globalThread == 0)
    return 1;
  // The blocking form returns to the others when the original holds the result: end() on thread 0
  // is the other half of this barrier.
  if (!call.nowait)
    barrierOfTeam(call.location, call.gtid, frame, frame.reductionCode);
  return 0;
}

void ReductionExchange::end(RegionFrame &frame, Ident *location, std::int32_t gtid,
                            CriticalName *lock, bool nowait) {
  if (frame.reductionUnderLock) {
    frame.reductionUnderLock = false;
    team().locks().release(lockOf(lock));
  }
  if (!nowait)
    barrierOfTeam(location, gtid, frame, frame.reductionCode);
}

} // namespace ompdsm
