// EventLoop.h: waits for many descriptors at once and calls their handlers, on one thread.
//
// A handler may add, modify and remove any descriptor, its own included; events of a descriptor
// that was removed in the same round are not delivered, even if its number was taken again.
#pragma once
#include "libompdsm/tools/run/UniqueFd.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

namespace ompdsm::run {

class EventLoop {
public:
  /// `events` are EPOLLIN, EPOLLOUT, EPOLLHUP, EPOLLERR.
  using Handler = std::function<void(std::uint32_t events)>;

  EventLoop();
  /// False if the descriptor cannot be waited for (a regular file: it is always ready).
  bool add(int fd, std::uint32_t events, Handler handler);
  void modify(int fd, std::uint32_t events);
  void remove(int fd);
  /// One round: waits at most `timeoutMs` (-1: without limit), then handles what is ready.
  void runOnce(int timeoutMs);

private:
  struct Entry {
    std::uint32_t generation;
    std::shared_ptr<Handler>
        handler; ///< shared, so that it survives its own removal while it runs.
  };
  UniqueFd epoll_;
  std::uint32_t lastGeneration_ = 0;
  std::unordered_map<int, Entry> entries_;
};

} // namespace ompdsm::run
