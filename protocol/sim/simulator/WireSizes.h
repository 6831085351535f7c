// WireSizes.h: how many bytes a message has on the wire: what protocol/engine/Wire.h and
// BlockMessages.h encode, restated, as the model may not include the engine. A unit test compares.
#pragma once
#include <cstddef>

namespace ompdsm::simulator::wire {

inline constexpr std::size_t kHeader = 8; ///< Of every message.
inline constexpr std::size_t kMaxBody = 65'536 + 512 - kHeader;
inline constexpr std::size_t kRequestHead = 8;  ///< Of Get, Put, Leave and Atomic.
inline constexpr std::size_t kRun = 12;         ///< Adjacent blocks.
inline constexpr std::size_t kContentsRun = 16; ///< The same, or lines of a Put, with contents.
inline constexpr std::size_t kLine = 64;        ///< What one mask of a Put describes,
inline constexpr std::size_t kLineMask = 8;     ///< followed by the changed bytes.
inline constexpr std::size_t kMostPerLine = kContentsRun + kLineMask + kLine;
inline constexpr std::size_t kInvalidateHead = 4;
inline constexpr std::size_t kMostInvalidatedRuns = 4096; ///< In one message.
inline constexpr std::size_t kMulticastHead = 8, kReceiver = 16; ///< Of an Update that some get.
inline constexpr std::size_t kCount = 8;                  ///< InvalidateAck, PutAck.
inline constexpr std::size_t kReportHead = 8; ///< Of Arrive, Done and Go.
inline constexpr std::size_t kSent = 20;       ///< Of each pair of nodes in them.
inline constexpr std::size_t kMostSent = (kMaxBody - kReportHead) / kSent;
inline constexpr std::size_t kMove = 16;   ///< Each run of pages that moves, in Done and Go.
inline constexpr std::size_t kAtomic = 56; ///< After the head.
inline constexpr std::size_t kAtomicPut = 24;
inline constexpr std::size_t kAtomicReply = 24;
inline constexpr std::size_t kRuntime = 8; ///< The address of a lock.

} // namespace ompdsm::simulator::wire
