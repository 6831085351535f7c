// MessageKind.h: the kinds of messages between nodes, and which channel each travels on.
#pragma once
#include "fabric/Transport.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace ompdsm {

/// What a message is; decides its channel (kindChannel) and its handler. 0..31 are the protocol's,
/// 32..63 the OpenMP runtime's on the Control channel, 64..71 on the Reply channel: what is posted
/// after a release and starts somebody who follows it (Engine::releaseTo).
enum class MessageKind : std::uint8_t {
  Get = 0,           ///< Request: runs of blocks to fetch.
  Put = 1,           ///< Request: byte-exact changes of blocks to their home.
  Atomic = 2,        ///< Request: one atomic operation at the home.
  Data = 3,          ///< Reply: contents of fetched blocks.
  Invalidate = 4,    ///< Reply: runs of blocks whose copies are stale.
  InvalidateAck = 5, ///< Reply: count of Invalidate messages processed.
  PutAck = 6,        ///< Reply: a Put and all that it caused is done.
  AtomicReply = 7,   ///< Reply.
  BarrierArrive = 8, ///< Reply: who has arrived at a barrier, and sent how many messages to whom.
  BarrierDone = 9,   ///< Reply: who has applied all of an epoch's Puts, and told what of whom.
  Leave = 10,        ///< Request: runs of blocks of which the sender has no copy any more.
  Update = 11,       ///< Reply: byte-exact changes for nodes that are expected to read them.
  GetBehind = 12,    ///< Reply: a Get that waits until the receiver has left the barrier that the
                     ///< sender is in.
  BarrierGo = 13,    ///< Reply: all have arrived, or are done, and have sent so many messages to
                     ///< the receivers.
  Multicast = 14,    ///< Reply: another message, to be passed on to others (core/Multicast.h).
  CommonUpdate = 15, ///< Reply: an Update that several nodes get.
  Piggyback = 16,    ///< Reply: a message of Request, in a packet of Reply (Grouping.cpp).
  SiteReads = 17,    ///< Reply: runs of blocks that the sender reads behind a site, or does not.
  Order = 18, ///< Reply: runs of blocks that the sender will read behind a site the next time.
  SilentStores = 19, ///< Reply: runs of units that the sender has stored to and not changed.
  AtomicPut = 20,    ///< Request: atomic operations without answers, each counted among the Puts.
  Offer = 21, ///< Reply: runs of units whose home the receiver may be when it holds all of them.
  Sums = 22,  ///< Request: what threads of the sender have added to blocks, as one Put.
  FirstRuntimeKind = 32,
  FirstFollowingKind = 64,
};
inline constexpr unsigned kMessageKindCount = 72;
fabric::Channel kindChannel(MessageKind kind);
/// Of a kind whose messages have a head and then things, each of which might be a message of its
/// own with that head: what is posted next, of the same kind and with the same head, joins the
/// message that waits to leave.
struct Joining {
  std::size_t headBytes = 0, thingBytes = 0; ///< 0: nothing joins.
};
constexpr Joining joiningOf(MessageKind kind) {
  return kind == MessageKind::AtomicPut ? Joining{8, 24} : Joining{};
}
/// How many messages a body of `bytes` might be.
constexpr std::size_t thingsIn(MessageKind kind, std::size_t bytes) {
  const Joining joining = joiningOf(kind);
  return joining.thingBytes == 0 || bytes < joining.headBytes
             ? 1
             : (bytes - joining.headBytes) / joining.thingBytes;
}
/// "Runtime" and a number for those of the runtime.
std::string nameOf(MessageKind kind);

} // namespace ompdsm
