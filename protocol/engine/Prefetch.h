// Prefetch.h: recognises sequential misses and says how far to fetch ahead. Under the engine's
// lock.
#pragma once
#include "protocol/core/Types.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ompdsm {

/// A few streams, replaced round robin. A miss at the address where a stream's last fetch ended
/// continues the stream and doubles its window. So does one of the same interval behind a short run
/// that is there already, as where two nodes have their parts of each of many rows: what is there
/// is passed over ahead, too. Any other begins one that fetches nothing ahead.
class PrefetchStreams {
public:
  /// Of what is there already.
  static constexpr std::size_t kMostPassed = 64 * 1024;
  struct Ahead {
    unsigned blocks = 0; ///< To be fetched beyond the miss.
    bool passes = false; ///< Over what is there already.
  };

  /// A thread asks for what begins in the block `begin`, of which `missed` is the first that it
  /// does not have. At most `limit` blocks are to be fetched beyond; isHere(from, to): whether
  /// nothing misses between these.
  template <class IsHere>
  Ahead onMiss(Address begin, Address missed, unsigned limit, IsHere isHere) {
    const auto isRecent = [&](const Stream &stream) { return stream.interval == interval_; };
    const auto endsHere = [&](const Stream &stream) { return stream.next == begin; };
    const auto endsBefore = [&](const Stream &stream) {
      return stream.next < missed && missed - stream.next <= kMostPassed &&
             isHere(stream.next, missed);
    };
    bool passes = false;
    Stream *stream = find([&](const Stream &each) { return isRecent(each) && endsHere(each); });
    if (!stream) {
      stream = find([&](const Stream &each) { return isRecent(each) && endsBefore(each); });
      passes = stream;
    }
    if (!stream)
      stream = find(endsHere);
    current_ = stream ? stream : &streams_[victim_++ % streams_.size()];
    const unsigned window = current_->ahead.blocks;
    current_->ahead = stream ? Ahead{std::min(window ? window * 2 : 1, limit), passes} : Ahead{};
    return current_->ahead;
  }
  /// The fetch that began with the last miss ends at `end`.
  void onFetched(Address end) {
    current_->next = end;
    current_->interval = interval_;
  }
  /// A barrier: what is fetched behind it in other places is something else (StridePrediction.h).
  void endInterval() { ++interval_; }

private:
  struct Stream {
    Address next = 0;
    std::uint32_t interval = 0; ///< Of the last fetch; 0: none.
    Ahead ahead;                ///< In that.
  };
  template <class Is> Stream *find(Is is) {
    const auto found = std::find_if(streams_.begin(), streams_.end(), is);
    return found == streams_.end() ? nullptr : &*found;
  }

  std::array<Stream, 16> streams_{};
  Stream *current_ = &streams_[0];
  unsigned victim_ = 0;
  std::uint32_t interval_ = 1;
};

} // namespace ompdsm
