// ReleaseThread.h: a thread that releases for the node when no thread of the program does.
#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>

namespace ompdsm {

/// Begins when it is needed for the first time and ends with the process.
class ReleaseThread {
public:
  /// `release` runs on that thread, online, some time after each demand.
  explicit ReleaseThread(std::function<void()> release) : release_(std::move(release)) {}
  /// Any thread, in handlers, too.
  void demand();

private:
  [[noreturn]] void run();

  const std::function<void()> release_;
  std::mutex mutex_; ///< Guards the next two; innermost.
  bool isDemanded_ = false, hasBegun_ = false;
  std::condition_variable demanded_;
};

} // namespace ompdsm
