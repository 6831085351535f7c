// EventLineFuzzer.cpp: whatever stands in a line of a trace, the reader refuses it or makes a
// record of it that is written as a line that reads the same. The input says what is changed in a
// good line.
#include "protocol/core/EventFormat.h"
#include "protocol/sim/replay/EventReader.h"
#include <cstdlib>

using namespace ompdsm;

namespace {
constexpr unsigned kNodes = 3;

void check(bool good) {
  if (!good)
    std::abort();
}

std::string goodLine(std::uint8_t kind) {
  std::string line;
  if (kind % (kRecordKindCount + 1) == kRecordKindCount) {
    appendHead(line,
               {1, kNodes, {{4096, 8192, 0, 8, true, false}, {8192, 8256, 2, 6, false, false}}});
    return line;
  }
  EventRecord record;
  record.kind = RecordKind(kind % (kRecordKindCount + 1));
  record.address = 0x200000001240;
  record.peer = 2;
  record.message = "Put";
  record.journal.event = Event::Get;
  record.journal.add(Note::SendPut, 1, 2, 3);
  record.journal.add(Note::Wake);
  record.sharers = {0, 2};
  appendRecord(line, record);
  return line;
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  if (size == 0)
    return 0;
  std::string line = goodLine(data[0]);
  for (std::size_t at = 1; at + 2 < size; at += 3) {
    const std::size_t place = (data[at] + 256u * data[at + 1]) % line.size();
    if (data[at + 1] & 0x80)
      line.insert(place, 1, char(data[at + 2]));
    else
      line[place] = char(data[at + 2]);
  }
  std::string problem, once, twice;
  EventHead head;
  check(!sim::readHead(line, head, problem) || head.node < head.nodes);
  EventRecord record;
  if (!sim::readRecord(line, kNodes, record, problem)) {
    check(!problem.empty());
    return 0;
  }
  for (char c : record.message)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
      return 0; // No trace has them, so the writer does not escape them.
  appendRecord(once, record);
  check(sim::readRecord(once, kNodes, record, problem));
  appendRecord(twice, record);
  check(once == twice);
  return 0;
}
