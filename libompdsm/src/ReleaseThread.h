// ReleaseThread.h: a thread that releases for the node when no thread of the program does.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

namespace ompdsm {

/// Begins when it is needed for the first time and ends with the process.
class ReleaseThread {
public:
  /// `release` runs on that thread, which is offline.
  explicit ReleaseThread(std::function<void()> release) : release_(std::move(release)) {}
  /// It will be called in one or two tenths of a millisecond. Any thread, in handlers, too.
  void demand();

private:
  [[noreturn]] void run();
  void watch(std::unique_lock<std::mutex> &lock);

  const std::function<void()> release_;
  std::mutex mutex_; ///< Guards the next three; innermost.
  bool isDemanded_ = false, hasBegun_ = false;
  bool isWatching_ = false; ///< It looks for demands by itself.
  std::condition_variable demanded_;
};

} // namespace ompdsm
