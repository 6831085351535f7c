// DynamicSchedule.cpp: shares, chunks and stealing.
#include "libompdsm/src/DynamicSchedule.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"

namespace ompdsm {

namespace {
struct StealBody {
  std::uint64_t region = 0;
  std::uint64_t loop = 0;
  DynamicLoopShape shape;
  IterationCount position = 0; ///< Where the asking node is in the loop.
  IterationRange given;        ///< Of the answer; empty when dry.
};
} // namespace

struct LoopCursor {
  Schedule schedule = Schedule::Dynamic;
  LoopBounds bounds;
  DynamicLoopShape shape;
  std::uint64_t number = 0;
  // Of a static schedule: iterations of the next chunk and the distance to the one after.
  IterationCount next = 0;
  IterationCount distance = 0;
};

void DynamicLoops::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::Steal), [this](NodeId from, fabric::Bytes bytes) {
    auto body = bodyFrom<StealBody>(bytes);
    {
      std::lock_guard lock(mutex_);
      Key key{body.region, body.loop};
      if (!ended(key))
        body.given =
            giveHalf(loopOf(key, body.shape, runtime_.nodes).share, body.shape, body.position);
    }
    postTeamMessage(*runtime_.messenger, from, TeamMessage::StealAnswer, {bytesOf(body)});
  });
  messenger.setHandler(messageKind(TeamMessage::StealAnswer), [this](NodeId, fabric::Bytes bytes) {
    auto body = bodyFrom<StealBody>(bytes);
    {
      std::lock_guard lock(mutex_);
      auto entry = loops_.find({body.region, body.loop});
      OMPDSM_CHECK(entry != loops_.end() && entry->second.stealing && entry->second.share.empty());
      entry->second.share = body.given;
      entry->second.answered = true;
    }
    runtime_.messenger->notify();
  });
}

bool DynamicLoops::ended(const Key &key) const { return key < firstActive_; }

DynamicLoops::Loop &DynamicLoops::loopOf(const Key &key, const DynamicLoopShape &shape,
                                         unsigned nodes) {
  auto [entry, isNew] = loops_.try_emplace(key);
  if (isNew) {
    OMPDSM_CHECK(loops_.size() <= kMaxActiveLoops);
    TeamLayout layout{.threads = shape.teamThreads, .nodes = nodes};
    entry->second.shape = shape;
    entry->second.share = initialShare(shape, layout, runtime_.node);
    if (runtime_.node + 1u == layout.nodesInTeam())
      entry->second.finalChunk = finalChunk(shape);
  }
  return entry->second;
}

void DynamicLoops::begin(RegionFrame &frame, Schedule schedule, const LoopBounds &bounds,
                         Wide chunk, bool monotonic) {
  const SpreadRegion &region = *frame.region;
  OMPDSM_CHECK(!frame.loop);
  auto cursor = std::make_unique<LoopCursor>();
  cursor->schedule = schedule;
  cursor->bounds = bounds;
  cursor->number = frame.loopsMet++;
  Wide trips = bounds.tripCount();
  if (trips > Wide(UINT64_MAX))
    fatal("a loop with a dynamic schedule has 2^64 iterations; nest two loops instead");
  DynamicLoopShape &shape = cursor->shape;
  shape.trips = IterationCount(trips);
  shape.teamThreads = region.layout.threads;
  shape.guided = schedule == Schedule::Guided || schedule == Schedule::GuidedSimd ||
                 schedule == Schedule::Auto;
  shape.monotonic = monotonic;
  bool block = schedule == Schedule::Static && chunk < 1;
  if (block) {
    // One contiguous part for each thread; the parts of all threads differ by at most one
    // iteration.
    IterationCount size = shape.trips / shape.teamThreads, longer = shape.trips % shape.teamThreads;
    IterationCount thread = frame.globalThread;
    cursor->next = thread * size + std::min(thread, longer);
    shape.chunk = size + (thread < longer ? 1 : 0);
    cursor->distance = shape.trips;
  } else {
    Wide most = std::max<Wide>(trips, 1);
    shape.chunk = IterationCount(std::clamp<Wide>(chunk, 1, most));
    Wide first = Wide(shape.chunk) * frame.globalThread;
    cursor->next = IterationCount(std::min(first, trips));
    cursor->distance = IterationCount(std::min<Wide>(Wide(shape.chunk) * shape.teamThreads, trips));
  }
  frame.loop = cursor.release();
}

bool DynamicLoops::next(RegionFrame &frame, StaticPart &part) {
  OMPDSM_CHECK(frame.loop);
  LoopCursor &cursor = *frame.loop;
  bool isStatic = cursor.schedule == Schedule::Static || cursor.schedule == Schedule::StaticChunked;
  IterationRange range;
  if (isStatic) {
    IterationCount left = cursor.shape.trips - cursor.next;
    range = {cursor.next, cursor.next + std::min(cursor.shape.chunk, left)};
    cursor.next += std::min(cursor.distance, left);
  } else {
    range = nextRange(frame, cursor);
  }
  if (range.empty()) {
    if (!isStatic)
      endForThread({frame.region->sequence, cursor.number}, frame);
    delete std::exchange(frame.loop, nullptr);
    frame.ordered.active = false;
    return false;
  }
  if (frame.ordered.active) {
    frame.ordered.next = range.begin;
    frame.ordered.chunkEnd = range.end;
  }
  const LoopBounds &bounds = cursor.bounds;
  part.lower = bounds.lower + Wide(range.begin) * bounds.increment;
  part.upper = bounds.lower + Wide(range.end - 1) * bounds.increment;
  part.stride = bounds.increment;
  part.last = range.end == cursor.shape.trips;
  return true;
}

IterationRange DynamicLoops::nextRange(const RegionFrame &frame, const LoopCursor &cursor) {
  const SpreadRegion &region = *frame.region;
  Key key{region.sequence, cursor.number};
  std::unique_lock lock(mutex_);
  Loop &loop = loopOf(key, cursor.shape, region.layout.nodes);
  for (;;) {
    IterationRange chunk = takeChunk(loop.share, loop.shape, region.localThreads);
    if (chunk.empty() && loop.dryEverywhere)
      chunk = std::exchange(loop.finalChunk, {});
    loop.position = std::max(loop.position, chunk.end);
    if (!chunk.empty() || loop.dryEverywhere)
      return chunk;
    if (!region.spansNodes()) {
      loop.dryEverywhere = true;
    } else if (!loop.stealing) {
      steal(lock, loop, key, frame);
    } else {
      lock.unlock();
      runtime_.messenger->waitUntil(
          [&loop] { return !loop.stealing.load(std::memory_order_acquire); });
      lock.lock();
    }
  }
}

void DynamicLoops::steal(std::unique_lock<std::mutex> &lock, Loop &loop, const Key &key,
                         const RegionFrame &frame) {
  const SpreadRegion &region = *frame.region;
  unsigned nodes = region.layout.nodesInTeam();
  loop.stealing = true;
  for (unsigned step = 1; step < nodes && loop.share.empty(); ++step) {
    loop.answered = false;
    StealBody body{.region = key.first,
                   .loop = key.second,
                   .shape = loop.shape,
                   .position = loop.position,
                   .given = {}};
    lock.unlock();
    NodeId victim = NodeId((region.node + step) % nodes);
    postTeamMessage(*runtime_.messenger, victim, TeamMessage::Steal, {bytesOf(body)});
    runtime_.messenger->waitUntil(
        [&loop] { return loop.answered.load(std::memory_order_acquire); });
    lock.lock();
  }
  loop.dryEverywhere = loop.share.empty();
  loop.stealing.store(false, std::memory_order_release);
  runtime_.messenger->notify();
}

void DynamicLoops::endForThread(const Key &key, const RegionFrame &frame) {
  std::lock_guard lock(mutex_);
  auto entry = loops_.find(key);
  OMPDSM_CHECK(entry != loops_.end());
  if (++entry->second.threadsDone < frame.region->localThreads)
    return;
  // Threads end loops in the same order, so all loops before this one have ended, too.
  loops_.erase(entry);
  firstActive_ = {key.first, key.second + 1};
}

void DynamicLoops::endRegion(std::uint64_t region) {
  std::lock_guard lock(mutex_);
  firstActive_ = {region + 1, 0};
  OMPDSM_CHECK(loops_.empty() || loops_.begin()->first >= firstActive_);
}

} // namespace ompdsm
