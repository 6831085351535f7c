// Print.h: the names of states, events and actions, as the tables write them.
#pragma once
#include "TransitionTable.h"

namespace ompdsm {

constexpr const char *nameOf(BlockState state) {
  constexpr const char *kNames[kBlockStateCount] = {
      "Exclusive",  "Shared",  "HomeDirty", "HomeClosing", "HomeWhole", "HomeBare",
      "HomeServed", "Invalid", "Clean",     "Dirty",       "Closing",   "Stale",
      "Invalid_D",  "Stale_D", "Whole",     "Unread",      "Summed"};
  return kNames[std::size_t(state)];
}

constexpr const char *nameOf(Event event) {
  constexpr const char *kNames[kEventCount] = {"ReadMiss",
                                               "WriteMiss",
                                               "WriteMissUntracked",
                                               "WriteMissWhole",
                                               "WriteMissBare",
                                               "Prefetch",
                                               "Data",
                                               "DataForWrite",
                                               "DataWatched",
                                               "Invalidate",
                                               "Update",
                                               "Refresh",
                                               "Discard",
                                               "UpdateWatched",
                                               "FlushChanged",
                                               "FlushChangedQuiet",
                                               "FlushSame",
                                               "FlushSameQuiet",
                                               "FlushPushed",
                                               "FlushPushedQuiet",
                                               "FlushRefreshed",
                                               "FlushUnshared",
                                               "FlushAway",
                                               "FlushAwayQuiet",
                                               "FlushWatchedQuiet",
                                               "Sum",
                                               "Evict",
                                               "Get",
                                               "GetQuiet",
                                               "GetUnwritten",
                                               "Put",
                                               "PutWhole",
                                               "PutAway",
                                               "Leave",
                                               "LeaveLast",
                                               "Supply",
                                               "AtomicUpdate",
                                               "AtomicUpdateKept",
                                               "AtomicRead",
                                               "Cede",
                                               "Adopt",
                                               "Recall"};
  return kNames[std::size_t(event)];
}

constexpr const char *nameOf(Action action) {
  constexpr const char *kNames[] = {
      "None",          "RequestData",      "AwaitData",     "AwaitDataForWrite", "ApplyData",
      "MergeData",     "WakeWaiters",      "MakeTwin",      "DistrustTwin",      "RenewTwin",
      "DropTwin",      "Enlist",           "KeepSnapshot",  "KeepDigest",        "TwinForDigest",
      "DropDigest",    "StampGrace",       "SendPut",       "SendWhole",         "SendAway",
      "SendSums",      "SendLeave",        "Postpone",      "AddSharer",         "RemoveSharer",
      "SendTwin",      "SendMemory",       "SendSupply",    "NoteServed",        "ApplyPut",
      "ExecuteAtomic", "InvalidateOthers", "InvalidateAll", "TellOthers",        "RefreshAll",
      "TellAll"};
  return kNames[std::size_t(action)];
}

} // namespace ompdsm
