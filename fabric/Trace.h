// Trace.h: a decorator that remembers the latest messages of a node and writes them to a file.
//
// Costs one mutex and a clock per message. It changes nothing that the layers above can see.
#pragma once
#include "Status.h"
#include "Transport.h"
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ompdsm::fabric {

struct TraceOptions {
  std::string file;            ///< "%n" in it stands for the node; required.
  std::size_t entries = 65536; ///< How many of the latest messages are kept; 1 to 2^24.

  /// Reads "file=trace.%n.jsonl,entries=1000".
  static Status parse(std::string_view text, TraceOptions &options);
};

class TraceTransport final : public Transport {
public:
  /// `inner` must outlive this.
  TraceTransport(Transport &inner, TraceOptions options);
  /// Writes the file; says so on stderr if it cannot.
  ~TraceTransport() override;

  /// One JSON object per line, oldest message first: us (microseconds of the monotonic clock, the
  /// same on all nodes of a host), node, direction ("send" or "receive"), peer, channel, bytes, and
  /// first (up to 8 first bytes, hexadecimal).
  Status write() const;

  NodeId self() const override { return inner_.self(); }
  unsigned nodeCount() const override { return inner_.nodeCount(); }
  std::string_view name() const override { return name_; }
  SendResult trySend(NodeId to, Channel channel, std::span<const Bytes> parts,
                     Urgency urgency) override;
  unsigned poll(ChannelSet channels, Receiver &receiver, unsigned maxMessages) override;
  void sleep(std::chrono::microseconds timeout) override { inner_.sleep(timeout); }
  void wake() override { inner_.wake(); }
  void beginPolling() override { inner_.beginPolling(); }
  void endPolling() override { inner_.endPolling(); }
  bool wantsLook() const override { return inner_.wantsLook(); }
  void insist() override { inner_.insist(); }
  SharedPage attention() const override { return inner_.attention(); }
  void beginWaiting() override { inner_.beginWaiting(); }
  void endWaiting() override { inner_.endWaiting(); }

private:
  struct Entry {
    std::int64_t nanoseconds = 0;
    std::uint32_t bytes = 0;
    NodeId peer = 0;
    Channel channel = Channel::Control;
    bool isSend = false;
    std::uint8_t firstCount = 0;
    std::byte first[8] = {};
  };
  class Recorder;
  void record(Entry entry, std::span<const Bytes> parts);

  Transport &inner_;
  const TraceOptions options_;
  const std::string name_;
  mutable std::mutex mutex_;   ///< Guards the ring; innermost.
  std::vector<Entry> ring_;    ///< Entry i of the trace is at i % options_.entries.
  std::uint64_t recorded_ = 0; ///< Of all time.
};

} // namespace ompdsm::fabric
