#include "protocol/engine/EventLog.h"
#include "fabric/Check.h"
#include "fabric/OptionList.h"
#include "fabric/Transport.h"
#include "protocol/core/EventFormat.h"
#include "protocol/engine/ProtocolScope.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace ompdsm {

static_assert(kRecordedChannels == fabric::kChannelCount);

namespace {
constexpr std::uint64_t kWindowBytes = std::uint64_t(1) << 20;
/// Left for the last line.
constexpr std::uint64_t kReserve = 64;
} // namespace

Status EventLogOptions::parse(std::string_view text, EventLogOptions &options) {
  EventLogOptions result;
  const auto set = [&](std::string_view name, std::string_view value) {
    if (name == "file") {
      result.file = value;
      return value.find("%n") != value.npos;
    }
    return name == "bytes" && fabric::parseNumber(value, result.bytes) &&
           result.bytes >= kLeastBytes;
  };
  Status status = fabric::parseOptionList(
      text, "event", "file=<name, with %n for the node>, bytes=<limit, 65536 or more>", set);
  if (status.isOk() && result.file.empty())
    status = Status::error("the event options name no file; add file=<name, with %n for the node>");
  if (status.isOk())
    options = result;
  return status;
}

Status EventLog::open(const EventLogOptions &options, NodeId node, unsigned nodes,
                      const AddressMap &map, std::unique_ptr<EventLog> &log) {
  std::string name = options.file;
  for (std::size_t at; (at = name.find("%n")) != name.npos;)
    name.replace(at, 2, std::to_string(node));
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  std::unique_ptr<EventLog> made(new EventLog(file, options.bytes));
  if (file < 0 || !made->mapNext())
    return Status::error("cannot write the events to " + name + ": " + std::strerror(errno));
  made->numbers_.resize(std::size_t(2) * nodes * fabric::kChannelCount);
  EventHead head{node, nodes, {}};
  for (const Area &area : map.areas())
    head.areas.push_back(
        {area.begin, area.end, area.defaultHome, area.blockShift, area.untracked, area.foreign});
  std::string line;
  appendHead(line, head);
  made->put(line);
  log = std::move(made);
  return Status::ok();
}

EventLog::~EventLog() { close(); }

/// Maps the window that begins at written_. The room is allocated first: a store into a mapping has
/// no way to say that the disk is full.
bool EventLog::mapNext() {
  if (window_)
    munmap(std::exchange(window_, nullptr), kWindowBytes);
  if (const int error = posix_fallocate(file_, off_t(written_), kWindowBytes)) {
    errno = error;
    return false;
  }
  void *mapping =
      mmap(nullptr, kWindowBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, off_t(written_));
  if (mapping == MAP_FAILED)
    return false;
  window_ = static_cast<char *>(mapping);
  return true;
}

/// The file ends before a line for which there is no room on the disk.
void EventLog::copy(std::string_view text) {
  const std::uint64_t begin = written_;
  while (!text.empty()) {
    const std::uint64_t at = written_ % kWindowBytes;
    const std::size_t count = std::min<std::uint64_t>(text.size(), kWindowBytes - at);
    std::memcpy(window_ + at, text.data(), count);
    text.remove_prefix(count);
    written_ += count;
    if (written_ % kWindowBytes == 0 && !mapNext()) {
      written_ = begin;
      return finish(RecordKind::Truncated);
    }
  }
}

void EventLog::put(std::string_view line) {
  if (file_ < 0)
    return;
  if (written_ + line.size() + kReserve > limit_)
    return finish(RecordKind::Truncated);
  copy(line);
}

/// Writes the last line; not into a mapping, as there may be none any more.
void EventLog::finish(RecordKind why) {
  EventRecord record;
  record.kind = why;
  line_.clear();
  appendRecord(line_, record);
  if (window_)
    munmap(std::exchange(window_, nullptr), kWindowBytes);
  // Without room for this line the file has no end, which says the same.
  if (pwrite(file_, line_.data(), line_.size(), off_t(written_)) == ssize_t(line_.size()))
    written_ += line_.size();
  (void)!ftruncate(file_, off_t(written_));
  ::close(std::exchange(file_, -1));
}

void EventLog::close() {
  std::lock_guard lock(mutex_);
  if (file_ >= 0)
    finish(RecordKind::End);
}

void EventLog::write(const EventRecord &record) {
  ProtocolScope scope;
  std::lock_guard lock(mutex_);
  writeLine(record);
}

void EventLog::writeLine(const EventRecord &record) {
  line_.clear();
  appendRecord(line_, record);
  put(line_);
}

void EventLog::writeQuiescent(unsigned registration, std::uint64_t clock) {
  EventRecord record;
  record.kind = RecordKind::Quiescent;
  record.thread = registration;
  record.number = clock;
  write(record);
}

void EventLog::writeMessage(RecordKind kind, NodeId peer, unsigned channel,
                            std::string_view message) {
  EventRecord record;
  record.kind = kind;
  record.peer = peer;
  record.channel = channel;
  record.message = message;
  const std::size_t direction = kind == RecordKind::Send ? 0 : numbers_.size() / 2;
  ProtocolScope scope;
  std::lock_guard lock(mutex_);
  record.number = ++numbers_[direction + std::size_t(peer) * fabric::kChannelCount + channel];
  writeLine(record);
}

void EventLog::writeRange(RecordKind kind, Address begin, std::uint64_t bytes, bool forWriting) {
  EventRecord record;
  record.kind = kind;
  record.address = begin;
  record.bytes = bytes;
  record.thread = std::uint64_t(gettid());
  record.flag = forWriting;
  write(record);
}

void EventLog::writeAtomic(Address block, NodeId home) {
  EventRecord record;
  record.kind = RecordKind::Atomic;
  record.address = block;
  record.peer = home;
  write(record);
}

void EventLog::writeRelease(RecordKind kind) {
  EventRecord record;
  record.kind = kind;
  record.thread = std::uint64_t(gettid());
  write(record);
}

void EventLog::writeBarrier(RecordKind kind, std::uint64_t epoch, bool hadSecondHalf) {
  EventRecord record;
  record.kind = kind;
  record.number = epoch;
  record.flag = hadSecondHalf;
  write(record);
}

void EventLog::writeResize(Address begin, std::uint64_t bytes, unsigned blockShift) {
  EventRecord record;
  record.kind = RecordKind::Resized;
  record.address = begin;
  record.bytes = bytes;
  record.number = blockShift;
  write(record);
}

void EventLog::writeMove(Address begin, std::uint64_t bytes, NodeId heir) {
  EventRecord record;
  record.kind = RecordKind::Moved;
  record.address = begin;
  record.bytes = bytes;
  record.peer = heir;
  write(record);
}

} // namespace ompdsm
