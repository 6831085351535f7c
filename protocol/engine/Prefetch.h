// Prefetch.h: recognises sequential misses and says how far to fetch ahead. Under the engine's lock.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <array>

namespace ompdsm {

/// A few streams, replaced round robin. A miss at the address where a stream's last fetch ended
/// continues the stream and doubles its window; any other begins one that fetches nothing ahead.
class PrefetchStreams {
public:
  /// A thread missed at `block`. Returns how many blocks beyond it to fetch, at most `limit`.
  unsigned onMiss(Address block, unsigned limit) {
    for (Stream &stream : streams_)
      if (stream.next == block) {
        stream.window = std::min(stream.window ? stream.window * 2 : 1, limit);
        current_ = &stream;
        return stream.window;
      }
    current_ = &streams_[victim_++ % streams_.size()];
    current_->window = 0;
    return 0;
  }
  /// The fetch that began with the last miss ends at `end`.
  void onFetched(Address end) { current_->next = end; }

private:
  struct Stream {
    Address next = 0;
    unsigned window = 0;
  };
  std::array<Stream, 16> streams_{};
  Stream *current_ = &streams_[0];
  unsigned victim_ = 0;
};

} // namespace ompdsm
