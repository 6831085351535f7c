// Serving.h: a home is asked for a block.
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

} // namespace ompdsm
