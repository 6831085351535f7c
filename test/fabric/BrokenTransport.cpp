// BrokenTransport.cpp: sabotage at delivery, and in sleep, wake and trySend.
#include "BrokenTransport.h"
#include "fabric/Check.h"
#include <thread>
#include <utility>

namespace ompdsm::test {

using namespace fabric;

static constexpr unsigned kPeriod = 50;

class BrokenTransport::Saboteur final : public Receiver {
public:
  Saboteur(BrokenTransport &owner, Receiver &target) : owner_(owner), target_(target) {}

  void onMessage(NodeId from, Channel channel, Bytes message) override {
    const std::string &how = owner_.how_;
    bool isTheOne = ++owner_.count_[unsigned(channel)] % kPeriod == 0;
    Kept &kept = owner_.kept_[unsigned(channel)];
    std::vector<std::byte> copy(message.begin(), message.end());
    if (isTheOne && how == "drop")
      return;
    if (how == "behind" && channel == Channel::Control) {
      owner_.behind_.push_back({from, std::move(copy), true});
      return;
    }
    if (isTheOne && how == "swap" && !kept.isFull) {
      kept = {from, std::move(copy), true};
      return;
    }
    if (isTheOne && how == "corrupt")
      copy.back() ^= std::byte{1};
    if (isTheOne && how == "truncate" && copy.size() > 1)
      copy.pop_back();
    target_.onMessage(from, channel, copy);
    if (isTheOne && how == "duplicate")
      target_.onMessage(from, channel, copy);
    if (kept.isFull) {
      kept.isFull = false;
      target_.onMessage(kept.from, channel, kept.bytes);
    }
  }

private:
  BrokenTransport &owner_;
  Receiver &target_;
};

BrokenTransport::BrokenTransport(Transport &inner, std::string how)
    : inner_(inner), how_(std::move(how)) {
  bool isKnown = false;
  for (const char *known : {"drop", "duplicate", "corrupt", "truncate", "swap", "deaf", "nowake",
                            "merge", "clog", "endless", "behind"})
    isKnown |= how_ == known;
  OMPDSM_CHECK(isKnown);
}

SendResult BrokenTransport::trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                                    Urgency urgency) {
  if (how_ == "merge")
    channel = Channel::Request;
  if (how_ == "clog" && clogged_.load() && channel != Channel::Request)
    return SendResult::WouldBlock;
  SendResult result = inner_.trySend(to, channel, parts, urgency);
  if (channel == Channel::Request)
    clogged_.store(result == SendResult::WouldBlock);
  // What does not fit is lost, so that memory stays bounded in the test.
  return how_ == "endless" ? SendResult::Sent : result;
}

unsigned BrokenTransport::poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  Saboteur saboteur(*this, receiver);
  unsigned delivered = inner_.poll(channels, saboteur, maxMessages);
  if (delivered == 0)
    for (const Kept &kept : std::exchange(behind_, {})) {
      receiver.onMessage(kept.from, Channel::Control, kept.bytes);
      ++delivered;
    }
  return delivered;
}

void BrokenTransport::sleep(std::chrono::microseconds timeout) {
  if (how_ == "deaf")
    std::this_thread::sleep_for(timeout);
  else
    inner_.sleep(timeout);
}

void BrokenTransport::wake() {
  if (how_ != "nowake")
    inner_.wake();
}

} // namespace ompdsm::test
