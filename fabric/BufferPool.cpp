// BufferPool.cpp: a mutex and a stack of free buffers.
#include "BufferPool.h"
#include "Check.h"
#include <cstdlib>

namespace ompdsm::fabric {

static constexpr std::size_t kBufferAlignment = 64;

BufferPool::BufferPool(std::size_t maxBuffers, std::size_t bufferBytes)
    : maxBuffers_(maxBuffers),
      bufferBytes_((bufferBytes + kBufferAlignment - 1) / kBufferAlignment * kBufferAlignment) {
  OMPDSM_CHECK(maxBuffers >= 1 && bufferBytes >= 1);
  free_.reserve(maxBuffers);
}

BufferPool::~BufferPool() {
  OMPDSM_CHECK(free_.size() == allocated_);
  for (std::byte *buffer : free_)
    std::free(buffer);
}

std::byte *BufferPool::acquire() {
  {
    std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::byte *buffer = free_.back();
      free_.pop_back();
      return buffer;
    }
    if (allocated_ == maxBuffers_)
      return nullptr;
    ++allocated_;
  }
  auto *buffer = static_cast<std::byte *>(std::aligned_alloc(kBufferAlignment, bufferBytes_));
  if (!buffer) {
    std::lock_guard lock(mutex_);
    --allocated_;
  }
  return buffer;
}

void BufferPool::release(std::byte *buffer) {
  OMPDSM_CHECK(buffer != nullptr);
  std::lock_guard lock(mutex_);
  OMPDSM_CHECK(free_.size() < allocated_);
  free_.push_back(buffer);
}

std::size_t BufferPool::inUse() const {
  std::lock_guard lock(mutex_);
  return allocated_ - free_.size();
}

} // namespace ompdsm::fabric
