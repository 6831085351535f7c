// Serving.h: a home is asked for a block, or sends it before it is asked.
//
// Source: ARCHITECTURE section 2, trap 3. Home threads store to an Exclusive block unseen, so what
// is sent of it has to be compared at the home's next release, unless no thread can hold W: those
// of a node that waits for its next region have none.
#pragma once
#include "BlockFlush.h"

namespace ompdsm {

/// Beyond a FlushPort.
template <class P>
concept ServingPort = FlushPort<P> && requires(P port) {
  /// Whether threads of this node are expected to store to the block before its next release.
  { port.expectsStores() } -> std::same_as<bool>;
};

/// The peer asks.
template <ServingPort Port> void stepGet(Port &port) {
  const bool mayBeStoredTo = port.state() == BlockState::Exclusive;
  const bool quiet = mayBeStoredTo && port.othersOffline();
  const bool expectsStores = mayBeStoredTo && !quiet && port.expectsStores();
  step(port, classifyGet(port.state(), port.isUntracked(), quiet, expectsStores));
}

enum class Supplied : std::uint8_t {
  No,
  Yes,
  /// There was a sharer that took itself for the only one, and may put as that: the home reports
  /// with its arrival that it has fetched, as if the peer had (BarrierRules.h).
  BesideSole,
};

/// At a barrier: the peer is expected to read the block behind it. Whether it is sent all of it,
/// which it may not be able to use (Discard).
template <FlushPort Port> Supplied stepSupply(Port &port) {
  const bool quiet = port.state() == BlockState::Exclusive && port.othersOffline();
  if (port.isSharer(port.peer()) || !maySupply(port.state(), port.isUntracked(), quiet))
    return Supplied::No;
  const Supplied supplied = port.hasSaidSole() ? Supplied::BesideSole : Supplied::Yes;
  step(port, Event::Supply);
  return supplied;
}

} // namespace ompdsm
