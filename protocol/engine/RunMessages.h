// RunMessages.h: messages that say something of runs of blocks, and that nobody waits for yet.
#pragma once
#include "protocol/engine/Messenger.h"
#include "protocol/engine/Wire.h"

namespace ompdsm {

/// `head`, and the runs behind it.
template <class Head>
void postRuns(Messenger &messenger, NodeId to, MessageKind kind, const Head &head,
              const RunCollector &runs) {
  WireWriter writer(runs.count() * kWireRunBytes);
  runs.writeTo(writer);
  messenger.post(to, kind, {std::as_bytes(std::span(&head, 1)), writer.bytes()},
                 fabric::Urgency::WhenWaiting);
}

} // namespace ompdsm
