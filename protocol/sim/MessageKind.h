// MessageKind.h: what the nodes of the model tell each other, and which of it keeps its order.
#pragma once
#include <cstdint>

namespace ompdsm::sim {

enum class Kind : std::uint8_t {
  Get,
  Put,
  Leave,
  Atomic,
  AtomicPut, ///< An atomic operation that nobody waits for.
  Data,
  Invalidate,
  Update,
  InvalidateAck,
  PutAck,
  AtomicReply,
  Arrive,
  Go,
  Done,
  Runtime,   ///< Locks and flags of the runtime above; only in the simulator.
  Order,     ///< What the runtime says behind a release; only in the explorer.
  GetBehind, ///< A Get that waits until the receiver has left the barrier that the sender is in.
  Multicast, ///< Another message, to be passed on; only in the simulator.
};
inline constexpr unsigned kKindCount = 18;

constexpr const char *nameOf(Kind kind) {
  constexpr const char *kNames[kKindCount] = {
      "Get",        "Put",    "Leave",         "Atomic", "AtomicPut",   "Data",
      "Invalidate", "Update", "InvalidateAck", "PutAck", "AtomicReply", "Arrive",
      "Go",         "Done",   "Runtime",       "Order",  "GetBehind",   "Multicast"};
  return kNames[unsigned(kind)];
}

/// Messages from one node to another keep their order within a class, as in the engine. (There a
/// GetBehind travels as what is in class 1, and then waits beside it.)
inline constexpr unsigned kClassCount = 4;
constexpr unsigned classOf(Kind kind) {
  if (kind == Kind::GetBehind)
    return 3;
  if (kind == Kind::Multicast)
    return 1;
  return kind <= Kind::AtomicPut ? 0 : kind <= Kind::Done || kind == Kind::Order ? 1 : 2;
}

} // namespace ompdsm::sim
