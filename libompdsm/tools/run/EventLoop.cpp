// EventLoop.cpp: the loop over epoll.
#include "libompdsm/tools/run/EventLoop.h"
#include "fabric/Check.h"
#include <array>
#include <cerrno>
#include <sys/epoll.h>

namespace ompdsm::run {
namespace {

std::uint64_t tag(int fd, std::uint32_t generation) {
  return std::uint64_t(generation) << 32 | static_cast<std::uint32_t>(fd);
}

} // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) { OMPDSM_CHECK(epoll_.isOpen()); }

bool EventLoop::add(int fd, std::uint32_t events, Handler handler) {
  const std::uint32_t generation = ++lastGeneration_;
  epoll_event event{events, {.u64 = tag(fd, generation)}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    OMPDSM_CHECK(errno == EPERM);
    return false;
  }
  entries_.insert_or_assign(fd, Entry{generation, std::make_shared<Handler>(std::move(handler))});
  return true;
}

void EventLoop::modify(int fd, std::uint32_t events) {
  const auto entry = entries_.find(fd);
  OMPDSM_CHECK(entry != entries_.end());
  epoll_event event{events, {.u64 = tag(fd, entry->second.generation)}};
  OMPDSM_CHECK(epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event) == 0);
}

void EventLoop::remove(int fd) {
  if (entries_.erase(fd))
    OMPDSM_CHECK(epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr) == 0);
}

void EventLoop::runOnce(int timeoutMs) {
  std::array<epoll_event, 64> ready;
  const int count = epoll_wait(epoll_.get(), ready.data(), int(ready.size()), timeoutMs);
  for (int i = 0; i < count; ++i) {
    const int fd = static_cast<int>(ready[i].data.u64 & 0xffffffffu);
    const auto entry = entries_.find(fd);
    if (entry == entries_.end() || tag(fd, entry->second.generation) != ready[i].data.u64)
      continue;
    const std::shared_ptr<Handler> handler = entry->second.handler;
    (*handler)(ready[i].events);
  }
}

} // namespace ompdsm::run
