// EventFormat.h: the lines of a trace, one JSON object each, numbers decimal, addresses as text in
// hexadecimal. sim/replay/EventReader.h reads them.
#pragma once
#include "EventRecord.h"
#include "Print.h"
#include <charconv>

namespace ompdsm {

/// Appends to a line; faster than printf, as it runs at every step.
class EventLine {
public:
  explicit EventLine(std::string &to, const char *is) : to_(to) {
    to_ += "{\"is\":\"";
    to_ += is;
    to_ += '"';
  }
  void text(const char *name, std::string_view value) {
    begin(name);
    to_ += '"';
    to_ += value;
    to_ += '"';
  }
  void number(const char *name, std::uint64_t value) {
    begin(name);
    append(value, 10);
  }
  void address(const char *name, Address value) {
    begin(name);
    to_ += '"';
    append(value, 16);
    to_ += '"';
  }
  /// A list whose elements `each` appends by element().
  template <class Each> void list(const char *name, Each each) {
    begin(name);
    to_ += '[';
    first_ = true;
    each();
    to_ += ']';
  }
  void element(std::uint64_t value) {
    separate();
    append(value, 10);
  }
  void element(const Noted &noted) {
    const NoteShape &shape = shapeOf(noted.note);
    separate();
    to_ += "[\"";
    to_ += shape.name;
    to_ += '"';
    for (unsigned i = 0; i < shape.numbers; ++i) {
      to_ += ',';
      append(noted.numbers[i], 10);
    }
    to_ += ']';
  }
  void element(const EventArea &area) {
    separate();
    to_ += "[\"";
    append(area.begin, 16);
    to_ += "\",\"";
    append(area.end, 16);
    to_ += '"';
    for (std::uint64_t value : {std::uint64_t(area.home), std::uint64_t(area.blockShift),
                                std::uint64_t(area.untracked), std::uint64_t(area.foreign)}) {
      to_ += ',';
      append(value, 10);
    }
    to_ += ']';
  }
  void end() { to_ += "}\n"; }

private:
  void begin(const char *name) {
    to_ += ",\"";
    to_ += name;
    to_ += "\":";
  }
  void separate() {
    if (!std::exchange(first_, false))
      to_ += ',';
  }
  void append(std::uint64_t value, int base) {
    char digits[24];
    to_.append(digits, std::to_chars(digits, digits + sizeof digits, value, base).ptr);
  }

  std::string &to_;
  bool first_ = true;
};

inline void appendHead(std::string &to, const EventHead &head) {
  EventLine line(to, "Head");
  line.number("version", EventHead::kVersion);
  line.number("node", head.node);
  line.number("nodes", head.nodes);
  line.list("areas", [&] {
    for (const EventArea &area : head.areas)
      line.element(area);
  });
  line.end();
}

inline void appendRecord(std::string &to, const EventRecord &record) {
  EventLine line(to, nameOf(record.kind));
  const unsigned fields = fieldsOf(record.kind);
  if (fields & kAddress)
    line.address("address", record.address);
  if (fields & kBytes)
    line.number("bytes", record.bytes);
  if (fields & kMessage) {
    line.text("message", record.message);
    line.number("channel", record.channel);
  }
  if ((fields & kPeer) && record.peer != kNoPeer)
    line.number("peer", record.peer);
  if (fields & kThread)
    line.number("thread", record.thread);
  if (fields & kNumber)
    line.number("number", record.number);
  if (fields & kFlag)
    line.number("flag", record.flag);
  if (fields & kVisit) {
    if (record.journal.event)
      line.text("event", nameOf(*record.journal.event));
    line.text("before", nameOf(record.before));
    line.text("after", nameOf(record.after));
    line.list("notes", [&] {
      for (const Noted &noted : record.journal.notes)
        line.element(noted);
    });
    line.list("sharers", [&] {
      for (NodeId node : record.sharers)
        line.element(node);
    });
  }
  line.end();
}

} // namespace ompdsm
