// ProtocolScope.h: tells that the calling thread executes the protocol, so that what it calls there
// must not come back: a C library function that asks for permissions on behalf of the program would
// wait for locks and moves that its own thread holds or has to carry out.
#pragma once

namespace ompdsm {

class ProtocolScope {
public:
  ProtocolScope() { ++depth_; }
  ~ProtocolScope() { --depth_; }
  ProtocolScope(const ProtocolScope &) = delete;
  ProtocolScope &operator=(const ProtocolScope &) = delete;

  /// Whether the calling thread is in one.
  static bool isActive() { return depth_ != 0; }

private:
  // A thread's own state.
  inline static thread_local constinit unsigned depth_ = 0;
};

} // namespace ompdsm
