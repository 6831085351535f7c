// FoldedRegion.cpp: one part after the other.
#include "libompdsm/src/FoldedRegion.h"
#include "libompdsm/src/RegionLaunch.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/ThreadContext.h"
#include "protocol/core/BarrierTree.h"
#include <cstring>

namespace ompdsm {

namespace {

void runParts(SpreadRegion &region, std::int32_t gtid, unsigned first, unsigned end) {
  for (unsigned thread = first; thread < end; ++thread) {
    RegionFrame frame;
    frame.region = &region;
    frame.localThread = frame.globalThread = thread;
    FrameScope scope(frame);
    invokeMicrotask(region.microtask, gtid, 0, region.arguments);
  }
}

void foldedTrampoline(std::int32_t *gtid, std::int32_t *, SpreadRegion *region) {
  const LibompShim &shim = libomp();
  const TeamLayout parts{.threads = region->layout.threads,
                         .nodes = unsigned(shim.omp_get_num_threads())};
  const auto self = unsigned(shim.omp_get_thread_num());
  OnlineScope online;
  runParts(*region, *gtid, parts.firstOn(self), parts.firstOn(self) + parts.threadsOn(self));
}

/// Into the objects of the node's first thread, as its threads and the nodes below it would.
void combineOfNode(unsigned node, const TeamLayout &layout, ReduceFunction combine,
                   std::vector<UnpackedObjects> &objects) {
  void **const own = objects[layout.firstOn(node)].data();
  for (unsigned thread = 1; thread < layout.threadsOn(node); ++thread)
    combine(own, objects[layout.firstOn(node) + thread].data());
  forEachChild(NodeId(node), layout.nodesInTeam(), [&](NodeId child) {
    combineOfNode(child, layout, combine, objects);
    combine(own, objects[layout.firstOn(child)].data());
  });
}

} // namespace

bool FoldedReductions::combine(std::uint64_t reduction, unsigned thread,
                               const ReductionCall &call) {
  std::lock_guard lock(mutex_);
  auto entry = reductions_.try_emplace(reduction).first;
  Parts &parts = entry->second;
  parts.ofThreads.resize(spread_.threads);
  parts.ofThreads[thread] = packObjects(call);
  if (++parts.come < spread_.threads)
    return false;
  std::vector<UnpackedObjects> objects;
  objects.reserve(spread_.threads);
  for (const std::vector<std::byte> &bytes : parts.ofThreads)
    objects.emplace_back(call, bytes);
  combineOfNode(0, spread_, call.combine, objects);
  for (std::int32_t i = 0; i < call.count; ++i)
    if (call.sizes[i] != 0)
      std::memcpy(call.data[i], objects[0].data()[i], call.sizes[i]);
  reductions_.erase(entry);
  return true;
}

void runFolded(SpreadRegion &region, unsigned threads) {
  const LibompShim &shim = libomp();
  const std::int32_t gtid = shim.__kmpc_global_thread_num(region.location);
  if (threads == 1)
    return runParts(region, gtid, 0, region.layout.threads);
  shim.__kmpc_push_num_threads(region.location, gtid, std::int32_t(threads));
  shim.__kmpc_fork_call(region.location, 1, reinterpret_cast<Microtask>(foldedTrampoline), &region);
}

} // namespace ompdsm
