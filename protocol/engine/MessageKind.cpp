#include "protocol/engine/MessageKind.h"
#include <iterator>

namespace ompdsm {

using fabric::Channel;

Channel kindChannel(MessageKind kind) {
  switch (kind) {
  case MessageKind::Get:
  case MessageKind::Put:
  case MessageKind::Leave:
  case MessageKind::Atomic:
  case MessageKind::AtomicPut:
  case MessageKind::Sums:
    return Channel::Request;
  case MessageKind::Data:
  case MessageKind::Invalidate:
  case MessageKind::Update:
  case MessageKind::InvalidateAck:
  case MessageKind::PutAck:
  case MessageKind::AtomicReply:
  case MessageKind::BarrierArrive: // behind the Invalidates of the same release
  case MessageKind::BarrierDone:
  case MessageKind::BarrierGo:
  case MessageKind::Multicast:
  case MessageKind::CommonUpdate:
  case MessageKind::Piggyback:
  case MessageKind::SiteReads:
  case MessageKind::Order:
  case MessageKind::SilentStores:
  case MessageKind::Offer:
  case MessageKind::GetBehind: // with BarrierArrive; what it must not overtake, barriers count
    return Channel::Reply;
  default:
    return kind >= MessageKind::FirstFollowingKind ? Channel::Reply : Channel::Control;
  }
}

std::string nameOf(MessageKind kind) {
  constexpr const char *kNames[] = {
      "Get",       "Put",          "Atomic",        "Data",         "Invalidate", "InvalidateAck",
      "PutAck",    "AtomicReply",  "BarrierArrive", "BarrierDone",  "Leave",      "Update",
      "GetBehind", "BarrierGo",    "Multicast",     "CommonUpdate", "Piggyback",  "SiteReads",
      "Order",     "SilentStores", "AtomicPut",     "Offer",        "Sums"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : "Runtime" + std::to_string(index);
}

} // namespace ompdsm
