// EventQueue.h: what happens next, in virtual time; what was put in first comes first among equals.
#pragma once
#include "protocol/sim/simulator/Network.h"
#include <queue>

namespace ompdsm::simulator {

struct Occurrence {
  Time time;
  std::uint64_t order;
  std::uint32_t index; ///< Of a thread or of a message.
  bool isThread;
  bool operator>(const Occurrence &other) const {
    return time != other.time ? time > other.time : order > other.order;
  }
};

class EventQueue {
public:
  bool empty() const { return events_.empty(); }
  void push(Time time, std::uint32_t index, bool isThread) {
    events_.push({time, order_++, index, isThread});
  }
  /// An event that must wait keeps its place among those of its time.
  void defer(Occurrence event, Time until) {
    event.time = until;
    events_.push(event);
  }
  Occurrence pop() {
    const Occurrence first = events_.top();
    events_.pop();
    return first;
  }

private:
  std::priority_queue<Occurrence, std::vector<Occurrence>, std::greater<>> events_;
  std::uint64_t order_ = 0;
};

} // namespace ompdsm::simulator
