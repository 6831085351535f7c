// BlockState.h: the states of a block, as a cacher and as its home, and the byte that stands for
// each in the state table. A node is the block's home or a cacher, never both, so one enumeration
// serves.
#pragma once
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// Names of transient states follow "was X, waiting for Data". R and W are what the inline check
/// grants; a twin is the copy that changes are found against.
enum class BlockState : std::uint8_t {
  // At the home; memory is always valid.
  Exclusive = 0, ///< R W. No sharer, no twin, untracked: costs nothing (the home effect).
  Shared,        ///< R. There may be sharers; no thread holds W.
  HomeDirty,     ///< R W. Twin, on the dirty list: changes are found at the next release.
  HomeClosing,   ///< R. W revoked, but threads may still hold it: twin until the grace period ends.
  HomeWhole,     ///< R W. A thread overwrites it whole: no twin, on the dirty list.
  HomeBare,   ///< R W. Written in most lines: no twin, on the dirty list; all of it will be sent.
  HomeServed, ///< R. Sent while threads may hold W: a digest of that until the grace period ends.
  // At a cacher.
  Invalid,   ///< Nothing.
  Clean,     ///< R. Equal to what the home last sent or was sent.
  Dirty,     ///< R W. Twin, on the dirty list.
  Closing,   ///< R. W revoked by a release, twin until the grace period ends.
  Stale,     ///< Invalidated while threads may hold W: twin until the grace period ends.
  Invalid_D, ///< Invalid, waiting for Data.
  Stale_D,   ///< Stale, waiting for Data, which will be merged under the late writers.
  Whole,     ///< R W. A thread overwrites it whole: no fetch, no twin, on the dirty list.
  Unread,    ///< Nothing, but up to date: as Clean, and the first read is to be noticed.
  Summed,    ///< Nothing. What threads add to it is kept beside it until the next release.
};
inline constexpr std::size_t kBlockStateCount = 17;

constexpr bool isHomeState(BlockState s) { return s <= BlockState::HomeServed; }
constexpr bool isFetching(BlockState s) {
  return s == BlockState::Invalid_D || s == BlockState::Stale_D;
}
/// At a cacher: up to date, or going to be sent whole.
constexpr bool holdsCopy(BlockState s) {
  return s == BlockState::Clean || s == BlockState::Dirty || s == BlockState::Closing ||
         s == BlockState::Whole || s == BlockState::Unread;
}
/// On the dirty list without a twin: all of the block leaves at the next release.
constexpr bool leavesWhole(BlockState s) {
  return s == BlockState::Whole || s == BlockState::HomeWhole || s == BlockState::HomeBare;
}
/// On the dirty list: there may be something that a release sends.
constexpr bool isListed(BlockState s) {
  return s == BlockState::HomeDirty || s == BlockState::HomeClosing || s == BlockState::Dirty ||
         s == BlockState::Closing || s == BlockState::Stale || s == BlockState::Stale_D ||
         leavesWhole(s) || s == BlockState::HomeServed || s == BlockState::Summed;
}
constexpr bool keepsTwin(BlockState s) {
  return isListed(s) && !leavesWhole(s) && s != BlockState::HomeServed && s != BlockState::Summed;
}

/// Whether what a thread has added to the sums of a block, when that kept some, is sure to leave:
/// by the state of the block behind that. Who ends the state takes the sums afterwards.
constexpr bool isSettled(BlockState state) { return state == BlockState::Summed; }

/// Bits of a state byte that inline checks and inline atomic operations test (ompdsm/abi.h).
inline constexpr std::uint8_t kReadMisses = 1, kWriteMisses = 2, kRemote = 4;

constexpr std::uint8_t missBits(BlockState s) {
  switch (s) {
  case BlockState::Exclusive:
  case BlockState::HomeDirty:
  case BlockState::HomeWhole:
  case BlockState::HomeBare:
  case BlockState::Dirty:
  case BlockState::Whole:
    return 0;
  case BlockState::Shared:
  case BlockState::HomeClosing:
  case BlockState::HomeServed:
  case BlockState::Clean:
  case BlockState::Closing:
    return kWriteMisses;
  case BlockState::Invalid:
  case BlockState::Stale:
  case BlockState::Invalid_D:
  case BlockState::Stale_D:
  case BlockState::Unread:
  case BlockState::Summed:
    return kReadMisses | kWriteMisses;
  }
  return kReadMisses | kWriteMisses;
}

/// The byte that every line of a block in state `s` has in the state table: the bits that code
/// tests, then the state.
constexpr std::uint8_t stateByte(BlockState s) {
  return static_cast<std::uint8_t>(missBits(s) | (isHomeState(s) ? 0 : kRemote) |
                                   (static_cast<unsigned>(s) << 3));
}
constexpr BlockState blockStateOf(std::uint8_t byte) { return static_cast<BlockState>(byte >> 3); }

/// What the state table holds for memory whose home is another node and that was never touched
/// here.
inline constexpr std::uint8_t kUntouchedRemoteState = stateByte(BlockState::Invalid);

static_assert(stateByte(BlockState::Exclusive) == 0, "untouched private memory passes every check");
static_assert(kBlockStateCount <= 32, "a state must fit above the bits that code tests");

} // namespace ompdsm
