// Trace.cpp: a ring of fixed-size entries under a mutex.
#include "Trace.h"
#include "Check.h"
#include "OptionList.h"
#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

namespace ompdsm::fabric {

static constexpr std::size_t kMaxEntries = std::size_t(1) << 24;
static constexpr const char *kChannelNames[kChannelCount] = {"control", "request", "reply"};

Status TraceOptions::parse(std::string_view text, TraceOptions &options) {
  TraceOptions result = options;
  auto set = [&](std::string_view name, std::string_view value) {
    if (name == "file") {
      result.file = value;
      return !value.empty();
    }
    return name == "entries" && parseNumber(value, result.entries) && result.entries >= 1 &&
           result.entries <= kMaxEntries;
  };
  Status status =
      parseOptionList(text, "trace", "file=<name, %n is the node>, entries=<1 to 2^24>", set);
  if (status.isOk() && result.file.empty())
    status = Status::error("the trace options name no file; add file=<name>");
  if (status.isOk())
    options = result;
  return status;
}

class TraceTransport::Recorder final : public Receiver {
public:
  Recorder(TraceTransport &owner, Receiver &target) : owner_(owner), target_(target) {}
  void onMessage(NodeId from, Channel channel, Bytes message) override {
    Entry entry;
    entry.peer = from;
    entry.channel = channel;
    owner_.record(entry, std::span(&message, 1));
    target_.onMessage(from, channel, message);
  }

private:
  TraceTransport &owner_;
  Receiver &target_;
};

TraceTransport::TraceTransport(Transport &inner, TraceOptions options)
    : inner_(inner), options_(std::move(options)), name_(std::string(inner.name()) + ", traced") {
  OMPDSM_CHECK(!options_.file.empty() && options_.entries >= 1 && options_.entries <= kMaxEntries);
}

TraceTransport::~TraceTransport() {
  Status status = write();
  if (!status.isOk())
    std::fprintf(stderr, "ompdsm: node %u: %s\n", unsigned(self()), status.message().c_str());
}

void TraceTransport::record(Entry entry, std::span<const Bytes> parts) {
  for (Bytes part : parts) {
    std::size_t count = std::min(part.size(), sizeof entry.first - entry.firstCount);
    if (count != 0)
      std::memcpy(entry.first + entry.firstCount, part.data(), count);
    entry.firstCount = static_cast<std::uint8_t>(entry.firstCount + count);
    entry.bytes += static_cast<std::uint32_t>(part.size());
  }
  entry.nanoseconds = std::chrono::steady_clock::now().time_since_epoch().count();
  std::lock_guard lock(mutex_);
  if (ring_.size() < options_.entries)
    ring_.push_back(entry);
  else
    ring_[recorded_ % options_.entries] = entry;
  ++recorded_;
}

SendResult TraceTransport::trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                                   Urgency urgency) {
  SendResult result = inner_.trySend(to, channel, parts, urgency);
  if (result == SendResult::Sent) {
    Entry entry;
    entry.peer = to;
    entry.channel = channel;
    entry.isSend = true;
    record(entry, parts);
  }
  return result;
}

unsigned TraceTransport::poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) {
  Recorder recorder(*this, receiver);
  return inner_.poll(channels, recorder, maxMessages);
}

Status TraceTransport::write() const {
  std::string file = options_.file;
  for (std::size_t at; (at = file.find("%n")) != file.npos;)
    file.replace(at, 2, std::to_string(self()));
  std::unique_ptr<std::FILE, int (*)(std::FILE *)> out(std::fopen(file.c_str(), "w"), &std::fclose);
  if (!out)
    return Status::error("cannot write the trace " + file + ": " + std::strerror(errno));
  std::lock_guard lock(mutex_);
  for (std::uint64_t i = recorded_ - ring_.size(); i < recorded_; ++i) {
    const Entry &entry = ring_[i % options_.entries];
    char first[2 * sizeof entry.first + 1] = "";
    for (unsigned byte = 0; byte < entry.firstCount; ++byte)
      std::snprintf(first + 2 * byte, 3, "%02x", unsigned(entry.first[byte]));
    std::fprintf(out.get(),
                 "{\"us\":%" PRId64 ".%03" PRId64 ",\"node\":%u,\"direction\":\"%s\",\"peer\":%u,"
                 "\"channel\":\"%s\",\"bytes\":%u,\"first\":\"%s\"}\n",
                 entry.nanoseconds / 1000, entry.nanoseconds % 1000, unsigned(self()),
                 entry.isSend ? "send" : "receive", unsigned(entry.peer),
                 kChannelNames[unsigned(entry.channel)], entry.bytes, first);
  }
  if (std::ferror(out.get()) != 0)
    return Status::error("cannot write all of the trace " + file + "; is the disk full?");
  return Status::ok();
}

} // namespace ompdsm::fabric
