// SendBuffer.h: the layout of a pool buffer while a provider sends from it.
#pragma once
#include "OfiNode.h"

namespace ompdsm::fabric {

/// At the start of the buffer; the bytes to send follow at kHeaderBytes. The operation comes first,
/// so that a completion leads back to the buffer.
struct OfiNode::SendBuffer {
  Operation operation;
  Flow *flow = nullptr;
  BufferPool *pool = nullptr;

  /// With the wire header after it, the message of the layer above is aligned to a cache line.
  static constexpr std::size_t kHeaderBytes = 128 - sizeof(WireHeader);
  std::byte *bytes() { return reinterpret_cast<std::byte *>(this) + kHeaderBytes; }
};

} // namespace ompdsm::fabric
