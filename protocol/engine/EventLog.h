// EventLog.h: writes what happens to a node's blocks, messages and threads to a file, one line each
// (core/EventFormat.h), so that the core can replay it (ompdsm-check --replay).
//
// The engine, the messenger and the grace periods have a pointer to it that is null if nobody asked
// for a trace; that is all that it costs then. What happens under the engine's lock is written in
// its order there; a Send is written before the message leaves, a Receive before it is handled, a
// quiescence before a flush can see it. So the lines of all nodes have an order that respects both
// the nodes' and the messages'.
#pragma once
#include "fabric/Status.h"
#include "protocol/core/EventRecord.h"
#include "protocol/engine/AddressMap.h"
#include <memory>
#include <mutex>
#include <string_view>

namespace ompdsm {

struct EventLogOptions {
  std::string file;                             ///< "%n" in it stands for the node; required.
  std::uint64_t bytes = std::uint64_t(1) << 30; ///< Where the trace ends, if the job has not.
  static constexpr std::uint64_t kLeastBytes = std::uint64_t(1) << 16;

  /// Reads "file=events.%n.ndjson,bytes=100000000".
  static Status parse(std::string_view text, EventLogOptions &options);
};

class EventLog {
public:
  static Status open(const EventLogOptions &options, NodeId node, unsigned nodes,
                     const AddressMap &map, std::unique_ptr<EventLog> &log);
  ~EventLog();
  EventLog(const EventLog &) = delete;
  EventLog &operator=(const EventLog &) = delete;

  void write(const EventRecord &record);
  // The same for records of few fields.
  void writeQuiescent(unsigned registration, std::uint64_t clock);
  /// Numbers the messages of each pair and channel itself: callers keep their order.
  void writeMessage(RecordKind kind, NodeId peer, unsigned channel, std::string_view message);
  void writeRange(RecordKind kind, Address begin, std::uint64_t bytes, bool forWriting);
  void writeAtomic(Address block, NodeId home);
  void writeRelease(RecordKind kind);
  void writeBarrier(RecordKind kind, std::uint64_t epoch, bool hadSecondHalf = false);
  void writeResize(Address begin, std::uint64_t bytes, unsigned blockShift);
  void writeMove(Address begin, std::uint64_t bytes, NodeId heir);

  /// The node ends in order; what comes afterwards is not written.
  void close();

private:
  EventLog(int file, std::uint64_t limit) : file_(file), limit_(limit) {}
  // Under the mutex.
  void writeLine(const EventRecord &record);
  void put(std::string_view line);
  void copy(std::string_view text);
  bool mapNext();
  void finish(RecordKind why);

  std::mutex mutex_; ///< Guards all below. Rank: innermost.
  int file_;         ///< Closed: -1.
  const std::uint64_t limit_;
  std::uint64_t written_ = 0;
  /// The file is written by stores into a mapping: what a node has written is there however it
  /// ends.
  char *window_ = nullptr;
  std::string line_;
  std::vector<std::uint64_t> numbers_; ///< By direction, peer and channel.
};

} // namespace ompdsm
