// Fault.cpp: queues of held messages at the receiver, with due times.
#include "Fault.h"
#include "Check.h"
#include "OptionList.h"
#include <algorithm>
#include <string>

namespace ompdsm::fabric {

Status FaultOptions::parse(std::string_view text, FaultOptions &options) {
  FaultOptions result = options;
  auto set = [&](std::string_view name, std::string_view value) {
    if (name == "delay") {
      // "5us" or "0..500us".
      if (!value.ends_with("us"))
        return false;
      value.remove_suffix(2);
      std::size_t dots = value.find("..");
      std::int64_t least = 0, most = 0;
      if (!parseNumber(dots == value.npos ? value : value.substr(dots + 2), most) || most < 0)
        return false;
      least = most;
      if (dots != value.npos && !parseNumber(value.substr(0, dots), least))
        return false;
      result.delayMin = std::chrono::microseconds(least);
      result.delayMax = std::chrono::microseconds(most);
      return least >= 0 && least <= most;
    }
    if (name == "block")
      return parseNumber(value, result.blockProbability) && result.blockProbability >= 0 &&
             result.blockProbability < 1;
    if (name == "seed")
      return parseNumber(value, result.seed);
    if (name == "order") {
      result.keepsOrder = value == "kept";
      return value == "kept" || value == "relaxed";
    }
    return false;
  };
  Status status = parseOptionList(
      text, "fault", "delay=<min>..<max>us, block=<probability>, seed=<number>, order=kept|relaxed",
      set);
  if (status.isOk())
    options = result;
  return status;
}

class FaultTransport::Collector final : public Receiver {
public:
  explicit Collector(FaultTransport &owner) : owner_(owner), now_(Clock::now()) {}
  void onMessage(NodeId from, Channel channel, Bytes message) override {
    auto span =
        static_cast<std::uint64_t>((owner_.options_.delayMax - owner_.options_.delayMin).count());
    auto delay = owner_.options_.delayMin +
                 std::chrono::microseconds(span ? owner_.random() % (span + 1) : 0);
    owner_.held_[from][unsigned(channel)].push_back(
        {now_ + delay, std::vector<std::byte>(message.begin(), message.end())});
    ++owner_.heldCount_[unsigned(channel)];
  }

private:
  FaultTransport &owner_;
  const Clock::time_point now_;
};

FaultTransport::FaultTransport(Transport &inner, FaultOptions options)
    : inner_(inner), options_(options), name_(std::string(inner.name()) + " with faults"),
      held_(inner.nodeCount()) {
  OMPDSM_CHECK(options.blockProbability < 1 && options.delayMin <= options.delayMax);
}

std::uint64_t FaultTransport::random() const {
  // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014) of
  // a counter: any thread may draw.
  std::uint64_t n = drawn_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::uint64_t z = (options_.seed + inner_.self()) * 0xd1342543de82ef95u + n * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

SendResult FaultTransport::trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                                   Urgency urgency) {
  if (options_.blockProbability > 0 &&
      static_cast<double>(random() >> 11) * 0x1p-53 < options_.blockProbability) {
    // Room "appears" at once: whoever sleeps now or next must learn it.
    inner_.wake();
    return SendResult::WouldBlock;
  }
  return inner_.trySend(to, channel, parts, urgency);
}

bool FaultTransport::takeDue(NodeId from, unsigned channel, Clock::time_point now, Held &held) {
  std::deque<Held> &queue = held_[from][channel];
  if (queue.empty())
    return false;
  std::size_t index = options_.keepsOrder ? 0 : random() % queue.size();
  if (queue[index].due > now)
    return false;
  held = std::move(queue[index]);
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(index));
  --heldCount_[channel];
  return true;
}

unsigned FaultTransport::deliverDue(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  unsigned delivered = 0;
  Clock::time_point now = Clock::now();
  Held held;
  for (unsigned channel = 0; channel < kChannelCount; ++channel) {
    if (!(channels & channelBit(Channel(channel))))
      continue;
    for (unsigned from = 0; from < held_.size() && heldCount_[channel] != 0; ++from)
      while (delivered < maxMessages && takeDue(static_cast<NodeId>(from), channel, now, held)) {
        ++delivered;
        receiver.onMessage(static_cast<NodeId>(from), Channel(channel), held.bytes);
      }
  }
  return delivered;
}

unsigned FaultTransport::poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  // One poll of the inner transport, which takes its channels as those that end a sleep.
  ChannelSet open = 0;
  std::size_t room = maxMessages;
  for (unsigned channel = 0; channel < kChannelCount; ++channel)
    if ((channels & channelBit(Channel(channel))) && heldCount_[channel] < kMaxHeld) {
      open |= channelBit(Channel(channel));
      room = std::min(room, kMaxHeld - heldCount_[channel]);
    }
  Collector collector(*this);
  inner_.poll(open, collector, static_cast<unsigned>(room));
  unsigned delivered = deliverDue(channels, receiver, maxMessages);
  updateNextDue(channels);
  // Another thread may be asleep for longer than that.
  if (nextDue_.load(std::memory_order_seq_cst) != kNever &&
      sleeping_.load(std::memory_order_seq_cst))
    inner_.wake();
  return delivered;
}

void FaultTransport::updateNextDue(ChannelSet channels) {
  Clock::rep next = kNever;
  for (const auto &sender : held_)
    for (unsigned channel = 0; channel < kChannelCount; ++channel)
      if (channels & channelBit(Channel(channel)))
        for (const Held &held : sender[channel]) {
          next = std::min(next, held.due.time_since_epoch().count());
          if (options_.keepsOrder)
            break; // The first one decides when the rest may go.
        }
  nextDue_.store(next, std::memory_order_seq_cst);
}

void FaultTransport::sleep(std::chrono::microseconds timeout) {
  sleeping_.store(true, std::memory_order_seq_cst);
  Clock::rep due = nextDue_.load(std::memory_order_seq_cst);
  if (due != kNever) {
    auto left = Clock::time_point(Clock::duration(due)) - Clock::now();
    timeout = std::min(timeout, std::chrono::ceil<std::chrono::microseconds>(left));
  }
  if (timeout.count() > 0)
    inner_.sleep(timeout);
  sleeping_.store(false, std::memory_order_seq_cst);
}

} // namespace ompdsm::fabric
