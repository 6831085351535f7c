// BufferPool.h: a bounded pool of message buffers of one size.
//
// Thread safe. Buffers are allocated when first needed and reused last-in-first-out, so that memory
// follows use and stays in cache; they go back to the system when the pool ends, by which time
// every buffer must have been released.
#pragma once
#include "Transport.h"
#include <mutex>
#include <vector>

namespace ompdsm::fabric {

class BufferPool {
public:
  /// At most `maxBuffers` buffers of `bufferBytes` bytes, aligned to 64.
  explicit BufferPool(std::size_t maxBuffers, std::size_t bufferBytes = kMaxMessageBytes);
  ~BufferPool();
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;

  /// A buffer of bufferBytes() bytes, or null when all are in use (or memory is exhausted).
  std::byte *acquire();
  /// Takes back what acquire() gave.
  void release(std::byte *buffer);

  std::size_t bufferBytes() const { return bufferBytes_; }
  std::size_t inUse() const;

private:
  const std::size_t maxBuffers_;
  const std::size_t bufferBytes_;
  mutable std::mutex mutex_; ///< Guards all below; innermost.
  std::vector<std::byte *>
      free_;                  ///< Its capacity is reserved up front: release() allocates nothing.
  std::size_t allocated_ = 0; ///< Invariant: free_.size() <= allocated_ <= maxBuffers_.
};

} // namespace ompdsm::fabric
