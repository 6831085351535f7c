// Connection.cpp: reading, writing and ending of one connection.
#include "libompdsm/tools/run/Connection.h"
#include "fabric/Check.h"
#include <array>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace ompdsm::run {
namespace {

/// A node that does not read cannot make us keep more than this many messages.
constexpr std::size_t kMaxQueued = 64;

} // namespace

using fabric::bootstrap::Frame;
using fabric::bootstrap::FrameDecoder;

Connection::Connection(EventLoop &loop, UniqueFd fd, fabric::bootstrap::TypeSet accepted)
    : loop_(loop), fd_(std::move(fd)), decoder_(accepted) {
  OMPDSM_CHECK(loop_.add(fd_.get(), EPOLLIN, [this](std::uint32_t events) { onEvents(events); }));
}

Connection::~Connection() { loop_.remove(fd_.get()); }

void Connection::setHandlers(FrameHandler onFrame, EndHandler onEnd) {
  onFrame_ = std::move(onFrame);
  onEnd_ = std::move(onEnd);
}

void Connection::send(Buffer bytes) {
  OMPDSM_CHECK(queue_.size() < kMaxQueued);
  queue_.push_back(std::move(bytes));
  loop_.modify(fd_.get(), EPOLLIN | EPOLLOUT);
}

void Connection::onEvents(std::uint32_t events) {
  if ((events & EPOLLOUT) && !flush())
    return;
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR))
    receive();
}

bool Connection::end(Ended why) {
  loop_.remove(fd_.get());
  const EndHandler onEnd = std::move(onEnd_); // outlives this connection, which it may destroy
  onEnd(why);
  return false;
}

bool Connection::receive() {
  std::array<std::byte, 16 * 1024> chunk;
  const ssize_t got = recv(fd_.get(), chunk.data(), chunk.size(), MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return true;
  if (got <= 0)
    return end(Ended::Closed);
  decoder_.append(fabric::bootstrap::Bytes(chunk).first(static_cast<std::size_t>(got)));
  for (;;) {
    Frame frame;
    switch (decoder_.next(frame)) {
    case FrameDecoder::Result::NeedBytes:
      return true;
    case FrameDecoder::Result::Malformed:
      return end(Ended::Malformed);
    case FrameDecoder::Result::Frame: {
      const FrameHandler handler = onFrame_; // a copy: the handler may give the connection others
      if (!handler(frame))
        return end(Ended::Malformed);
    }
    }
  }
}

bool Connection::flush() {
  while (!queue_.empty()) {
    const std::vector<std::byte> &front = *queue_.front();
    const ssize_t count =
        ::send(fd_.get(), front.data() + sent_, front.size() - sent_, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
      return true;
    if (count < 0)
      return end(Ended::Closed);
    sent_ += static_cast<std::size_t>(count);
    if (sent_ == front.size()) {
      queue_.pop_front();
      sent_ = 0;
    }
  }
  loop_.modify(fd_.get(), EPOLLIN);
  return true;
}

} // namespace ompdsm::run
