// MessageKind.h: what the nodes of the model tell each other, and which of it keeps its order.
#pragma once
#include <cstdint>

namespace ompdsm::sim {

enum class Kind : std::uint8_t {
  Get,
  Put,
  Leave,
  Atomic,
  Data,
  Invalidate,
  Update,
  InvalidateAck,
  PutAck,
  AtomicReply,
  Arrive,
  Go,
  Done,
  Runtime, ///< Locks and flags of the runtime above; only in the simulator.
  Order,   ///< What the runtime says behind a release; only in the explorer.
};
inline constexpr unsigned kKindCount = 15;

constexpr const char *nameOf(Kind kind) {
  constexpr const char *kNames[kKindCount] = {
      "Get",    "Put",         "Leave",  "Atomic", "Data", "Invalidate", "Update", "InvalidateAck",
      "PutAck", "AtomicReply", "Arrive", "Go",     "Done", "Runtime",    "Order"};
  return kNames[unsigned(kind)];
}

/// Messages from one node to another keep their order within a class, as in the engine.
inline constexpr unsigned kClassCount = 3;
constexpr unsigned classOf(Kind kind) {
  return kind <= Kind::Atomic ? 0 : kind <= Kind::Done || kind == Kind::Order ? 1 : 2;
}

} // namespace ompdsm::sim
