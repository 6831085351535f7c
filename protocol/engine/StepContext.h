// StepContext.h: what a step of the engine is about: a block, and what an event brings.
#pragma once
#include "protocol/engine/AddressMap.h"
#include "protocol/engine/BlockTable.h"
#include "protocol/engine/Engine.h"
#include "protocol/engine/Wire.h"
#include <span>

namespace ompdsm {

struct BlockRef {
  const Area *area = nullptr;
  Address begin = 0;
  std::size_t bytes = 0;
};

/// What an event brings to a step; each action uses what is its own.
struct StepContext {
  MissWaiter *waiter = nullptr;    ///< AwaitData, AwaitDataForWrite.
  const std::byte *data = nullptr; ///< ApplyData, MergeData; null: zeros.
  NodeId node = kNoPeer; ///< Who asked, wrote, answered, invalidates or leaves; the heir for Cede.
  std::span<const PutLine> lines; ///< ApplyPut, TellOthers.
  bool ofBarrier = false;         ///< What is changed, by this node or another one.
  SiteId site = kNoSite;          ///< Of that barrier, if it is the one that this node is in.
  bool mayBeSole = false; ///< TellOthers: who wrote waits in a barrier, and knows of others.
  const AtomicOperation *atomic = nullptr; ///< ExecuteAtomic.
  Address atomicAddress = 0;
  std::byte *atomicOld = nullptr;
  bool isKept = false;                  ///< The sender has done it to its copy.
  ThreadRegistration *thread = nullptr; ///< Who flushes: it may be no late writer of its own.
};

/// How a flush learns that its messages were processed.
enum class Confirmation : std::uint8_t {
  Acknowledged,
  Deferred, ///< Whoever tells others of the release asks then; who hears of it alone waits itself.
  Counted,
  Followed, ///< Of Puts as Acknowledged; Invalidates are, or are asked for, or a message follows.
};

/// Whether Invalidates leave with the rest. Nobody needs those of a barrier before its flush ends.
enum class Invalidates : bool { Now, Later };

} // namespace ompdsm
