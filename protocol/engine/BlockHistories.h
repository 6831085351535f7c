// BlockHistories.h: what a node remembers of how its blocks are used, to choose between ways that
// are all right. Under the engine's lock.
#pragma once
#include "protocol/engine/ChangeHistory.h"
#include "protocol/engine/OrderedRuns.h"
#include "protocol/engine/OverwriteHistory.h"
#include "protocol/engine/ServedHistory.h"
#include "protocol/engine/SilentStores.h"
#include "protocol/engine/UnreadSites.h"
#include "protocol/engine/WithheldChanges.h"
#include "protocol/engine/WriteDensity.h"
#include "protocol/engine/WriteHistory.h"

namespace ompdsm {

struct BlockHistories {
  OverwriteHistory overwrites;
  WriteHistory writes;
  ChangeHistory changes;
  WriteDensity densities;
  ServedHistory served;
  UnreadSites unreadSites;
  WithheldChanges withheld;
  OrderedRuns ordered;
  SilentStores silentStores;
  /// In the flush in progress: overwritten blocks that are not kept are watched.
  bool watchesAgain = false;
  /// In the latest flush: what was sent, or left open, in vain is expected again.
  bool believesAgain = false;
  bool opensWithTwins = false; ///< Since the latest flush: dense blocks, too.
};

} // namespace ompdsm
