#include "protocol/sim/replay/EventReader.h"
#include "protocol/core/Print.h"
#include <charconv>
#include <nlohmann/json.hpp>

namespace ompdsm::sim {

namespace {
using Json = nlohmann::json;
constexpr std::uint64_t kMaxNodes = 0xffff;
/// Blocks are aligned to at least a line.
constexpr Address kLine = 64;

std::optional<std::uint64_t> numberIn(const Json &value, std::uint64_t limit) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > limit)
    return {};
  return value.get<std::uint64_t>();
}
std::optional<Address> addressIn(const Json &value) {
  if (!value.is_string())
    return {};
  const std::string &text = value.get_ref<const std::string &>();
  Address address = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), address, 16);
  if (error != std::errc() || end != text.data() + text.size() || address >= Address(1) << 62)
    return {};
  return address;
}
/// The value of an enumeration whose names nameOf gives.
template <class Value> std::optional<Value> valueNamed(const Json &name, std::size_t count) {
  if (name.is_string())
    for (std::size_t i = 0; i < count; ++i)
      if (name.get_ref<const std::string &>() == nameOf(Value(i)))
        return Value(i);
  return {};
}

std::optional<Noted> notedIn(const Json &list) {
  if (!list.is_array() || list.empty() || !list[0].is_string())
    return {};
  const std::string &name = list[0].get_ref<const std::string &>();
  for (std::size_t i = 0; i < std::size(kNoteShapes); ++i) {
    if (name != kNoteShapes[i].name)
      continue;
    Noted noted;
    noted.note = Note(i);
    if (list.size() != kNoteShapes[i].numbers + 1)
      return {};
    for (unsigned n = 0; n < kNoteShapes[i].numbers; ++n) {
      const auto number = numberIn(list[n + 1], ~std::uint64_t(0));
      if (!number)
        return {};
      noted.numbers[n] = *number;
    }
    return noted;
  }
  return {};
}

/// The first of the numbers, which is a node, is one of the job's.
bool namesNodes(const Noted &noted, unsigned nodes) {
  switch (noted.note) {
  case Note::SendGet:
  case Note::SendPut:
  case Note::SendWhole:
  case Note::SendAway:
  case Note::SendLeave:
  case Note::SendTwin:
  case Note::SendMemory:
  case Note::SendInvalidate:
  case Note::IsSharer:
    return noted.numbers[0] < nodes;
  default:
    return true;
  }
}

/// One line; remembers the first field that is not as it must be.
class Line {
  template <class Read> auto take(const char *name, Read read) {
    using Value = typename decltype(read(json_))::value_type;
    if (!problem_.empty())
      return Value();
    const auto found = json_.find(name);
    auto value = found == json_.end() ? std::nullopt : read(*found);
    if (!value)
      refuse("has no usable \"" + std::string(name) + "\"");
    return value ? std::move(*value) : Value();
  }

public:
  explicit Line(std::string_view text) : json_(Json::parse(text, nullptr, false)) {
    if (!json_.is_object())
      problem_ = "is no JSON object";
  }
  bool has(const char *name) const { return json_.is_object() && json_.contains(name); }
  std::uint64_t number(const char *name, std::uint64_t limit = ~std::uint64_t(0)) {
    return take(name, [&](const Json &value) { return numberIn(value, limit); });
  }
  Address address(const char *name) {
    return take(name, [](const Json &value) { return addressIn(value); });
  }
  template <class Value> Value value(const char *name, std::size_t count) {
    return take(name, [&](const Json &value) { return valueNamed<Value>(value, count); });
  }
  std::string text(const char *name) {
    return take(name, [](const Json &value) {
      return value.is_string() ? std::optional(value.get<std::string>()) : std::nullopt;
    });
  }
  /// Each element, by read(element), which answers an optional.
  template <class Element, class Read> std::vector<Element> list(const char *name, Read read) {
    return take(name, [&](const Json &value) -> std::optional<std::vector<Element>> {
      if (!value.is_array())
        return {};
      std::vector<Element> all;
      for (const Json &element : value) {
        const std::optional<Element> one = read(element);
        if (!one)
          return {};
        all.push_back(*one);
      }
      return all;
    });
  }
  void refuse(const std::string &why) {
    if (problem_.empty())
      problem_ = why;
  }
  const std::string &problem() const { return problem_; }

private:
  const Json json_;
  std::string problem_;
};

std::optional<EventArea> areaIn(const Json &list, std::uint64_t nodes) {
  if (!list.is_array() || list.size() != 6)
    return {};
  const auto begin = addressIn(list[0]), end = addressIn(list[1]);
  const auto home = numberIn(list[2], nodes - 1), shift = numberIn(list[3], 16);
  const auto untracked = numberIn(list[4], 1), foreign = numberIn(list[5], 1);
  if (!begin || !end || !home || !shift || !untracked || !foreign || *begin >= *end || *shift < 6 ||
      *begin % kLine || *end % kLine)
    return {};
  return EventArea{*begin, *end, NodeId(*home), unsigned(*shift), *untracked == 1, *foreign == 1};
}

void readVisit(Line &line, unsigned nodes, EventRecord &record) {
  record.before = line.value<BlockState>("before", kBlockStateCount);
  record.after = line.value<BlockState>("after", kBlockStateCount);
  if (line.has("event"))
    record.journal.event = line.value<Event>("event", kEventCount);
  else if (record.kind == RecordKind::Step)
    line.refuse("has no usable \"event\"");
  record.journal.notes = line.list<Noted>("notes", [&](const auto &element) {
    const std::optional<Noted> noted = notedIn(element);
    return noted && namesNodes(*noted, nodes) ? noted : std::nullopt;
  });
  record.sharers = line.list<NodeId>("sharers", [&](const auto &element) {
    const auto node = numberIn(element, nodes - 1);
    return node ? std::optional(NodeId(*node)) : std::nullopt;
  });
}
} // namespace

bool isHeadLine(std::string_view line) { return line.starts_with("{\"is\":\"Head\""); }

bool readHead(std::string_view text, EventHead &head, std::string &problem) {
  Line line(text);
  if (line.text("is") != "Head")
    line.refuse("is not the head of a trace");
  if (const auto version = line.number("version"); version != EventHead::kVersion)
    line.refuse("is of version " + std::to_string(version) + ", but this program reads version " +
                std::to_string(EventHead::kVersion));
  head.nodes = unsigned(line.number("nodes", kMaxNodes));
  head.node = NodeId(line.number("node", std::max(head.nodes, 1u) - 1));
  if (head.nodes == 0)
    line.refuse("has no usable \"nodes\"");
  head.areas = line.list<EventArea>(
      "areas", [&](const auto &element) { return areaIn(element, head.nodes); });
  for (std::size_t i = 1; i < head.areas.size(); ++i)
    if (head.areas[i].begin < head.areas[i - 1].end)
      line.refuse("has areas that overlap or are not sorted");
  problem = line.problem();
  return problem.empty();
}

bool readRecord(std::string_view text, unsigned nodes, EventRecord &record, std::string &problem) {
  Line line(text);
  record = EventRecord();
  record.kind = line.value<RecordKind>("is", kRecordKindCount);
  const unsigned fields = fieldsOf(record.kind);
  if (fields & kAddress)
    record.address = line.address("address");
  if (fields & kBytes)
    record.bytes = line.number("bytes", std::uint64_t(1) << 62);
  if (fields & kMessage) {
    record.message = line.text("message");
    record.channel = unsigned(line.number("channel", kRecordedChannels - 1));
  }
  if ((fields & kPeer) && (line.has("peer") || record.kind != RecordKind::Step))
    record.peer = NodeId(line.number("peer", nodes - 1));
  if (fields & kThread)
    record.thread = line.number("thread");
  if (fields & kNumber)
    record.number = line.number("number");
  if (fields & kFlag)
    record.flag = line.number("flag", 1) == 1;
  if (fields & kVisit)
    readVisit(line, nodes, record);
  problem = line.problem();
  return problem.empty();
}

} // namespace ompdsm::sim
