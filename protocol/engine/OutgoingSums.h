// OutgoingSums.h: what steps collect of sums (Sums.h) for one home. They leave when the step is
// over that has collected them: a trace says first that they are under way.
#pragma once
#include "protocol/engine/BlockMessages.h"
#include "protocol/engine/Messenger.h"
#include "protocol/engine/Sums.h"
#include <deque>

namespace ompdsm {

class OutgoingSums {
public:
  struct Message {
    SumKind kind; ///< Of all of its lines, as it is in the head.
    PutWriter lines;
  };
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; } ///< Of messages.
  /// The last message, or another one if that is of another kind or has no room for so much.
  PutWriter &forLines(SumKind kind, std::size_t bytes) {
    if (empty() || messages_[count_ - 1].kind != kind ||
        !messages_[count_ - 1].lines.hasRoom(Messenger::kMaxBodyBytes, bytes)) {
      if (count_ == messages_.size())
        messages_.emplace_back();
      messages_[count_++].kind = kind;
    }
    return messages_[count_ - 1].lines;
  }
  /// Calls post(message) for each of them, in their order.
  template <class Post> void post(Post &&post) {
    for (std::size_t i = 0; i < count_; ++i) {
      post(messages_[i]);
      messages_[i].lines.clear();
    }
    count_ = 0;
  }

private:
  std::deque<Message> messages_; ///< More than are used: so that they need no allocation.
  std::size_t count_ = 0;
};

} // namespace ompdsm
