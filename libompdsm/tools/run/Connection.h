// Connection.h: the launcher's end of one TCP connection: frames in, frames out, never blocking.
//
// What waits to be sent is bounded by the caller: one gather's result, which all connections share,
// and a few small frames.
#pragma once
#include "fabric/BootstrapProtocol.h"
#include "libompdsm/tools/run/EventLoop.h"
#include <deque>
#include <functional>
#include <memory>

namespace ompdsm::run {

class Connection {
public:
  using Buffer = std::shared_ptr<const std::vector<std::byte>>;
  /// Returns false to have the connection closed.
  using FrameHandler = std::function<bool(const fabric::bootstrap::Frame &frame)>;
  enum class Ended { Closed, Malformed };
  /// The last call of a connection, unless its owner destroys it; the owner may destroy it here.
  using EndHandler = std::function<void(Ended why)>;

  Connection(EventLoop &loop, UniqueFd fd, fabric::bootstrap::TypeSet accepted);
  ~Connection();
  Connection(const Connection &) = delete;

  void setHandlers(FrameHandler onFrame, EndHandler onEnd);
  void accept(fabric::bootstrap::TypeSet accepted) { decoder_.accept(accepted); }
  void send(Buffer bytes);

private:
  void onEvents(std::uint32_t events);
  /// False when the connection has ended (and may be destroyed).
  bool receive();
  bool flush();
  bool end(Ended why);

  EventLoop &loop_;
  UniqueFd fd_;
  fabric::bootstrap::FrameDecoder decoder_;
  FrameHandler onFrame_;
  EndHandler onEnd_;
  std::deque<Buffer> queue_;
  std::size_t sent_ = 0; ///< bytes of the queue's front that are sent.
};

} // namespace ompdsm::run
