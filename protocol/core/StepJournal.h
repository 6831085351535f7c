// StepJournal.h: what a Port (BlockStep.h) answers and is told during one visit of a block.
//
// Journaled<Port> passes everything on and notes it in its order. The engine notes real visits; a
// replay runs the same code over the answers that were noted, notes again, and compares: so a
// condition, an action or an event that is new to the tables needs nothing here but the methods
// that are new to the Port.
#pragma once
#include "Serving.h"
#include <optional>
#include <vector>

namespace ompdsm {

enum class Note : std::uint8_t {
  OthersOffline, ///< Answer.
  QuietSince,    ///< Stamp, answer.
  Changed,       ///< Whether the snapshot differs from the twin, or from what the digest is of.
  SentDiffers,   ///< Whether what was sent differs from the twin, or from what the digest is of.
  Await,
  Wake,
  Postpone,
  Stamp,     ///< The new stamp.
  Overwrite, ///< Digest of the data.
  Merge,     ///< Digest of the data.
  TakeWhole,
  Keeping,       ///< Answer.
  ExpectsWriter, ///< Answer.
  ExpectsStores, ///< Answer.
  TakeTwin,
  KeepSnapshot,
  RenewTwin,
  FreeTwin,
  KeepDigest,
  DropDigest,
  Enlist,
  Apply, ///< Lines, digest of the changes.
  ApplyToTwin,
  Execute,
  ExecuteInTwin,
  SendGet,        ///< Home.
  SendPut,        ///< Home, lines, digest of the changes.
  SendWhole,      ///< Home, lines, digest of the block.
  SendAway,       ///< The same.
  SendSums,       ///< Home, messages.
  SendLeave,      ///< Home.
  SendTwin,       ///< To, digest.
  SendMemory,     ///< To, digest.
  SendInvalidate, ///< To.
  SendUpdate,     ///< To, lines, digest of the changes or of the block.
  Expects,        ///< Node, answer.
  ListForeign,
  IsSharer,    ///< Node, answer.
  HasSaidSole, ///< Answer, if it is yes.
  SaysSole,    ///< The same.
  Impossible,  ///< The node ends here.
};

struct NoteShape {
  const char *name;
  unsigned numbers; ///< That belong to it.
};
inline constexpr NoteShape kNoteShapes[] = {
    {"OthersOffline", 1}, {"QuietSince", 2},     {"Changed", 1},     {"SentDiffers", 1},
    {"Await", 0},         {"Wake", 0},           {"Postpone", 0},    {"Stamp", 1},
    {"Overwrite", 1},     {"Merge", 1},          {"TakeWhole", 0},   {"Keeping", 1},
    {"ExpectsWriter", 1}, {"ExpectsStores", 1},  {"TakeTwin", 0},    {"KeepSnapshot", 0},
    {"RenewTwin", 0},     {"FreeTwin", 0},       {"KeepDigest", 0},  {"DropDigest", 0},
    {"Enlist", 0},        {"Apply", 2},          {"ApplyToTwin", 0}, {"Execute", 0},
    {"ExecuteInTwin", 0}, {"SendGet", 1},        {"SendPut", 3},     {"SendWhole", 3},
    {"SendAway", 3},      {"SendSums", 2},       {"SendLeave", 1},   {"SendTwin", 2},
    {"SendMemory", 2},    {"SendInvalidate", 1}, {"SendUpdate", 3},  {"Expects", 2},
    {"ListForeign", 0},   {"IsSharer", 2},       {"HasSaidSole", 1}, {"SaysSole", 1},
    {"Impossible", 0}};
static_assert(std::size(kNoteShapes) == std::size_t(Note::Impossible) + 1);
constexpr const NoteShape &shapeOf(Note note) { return kNoteShapes[std::size_t(note)]; }

struct Noted {
  static constexpr std::size_t kMaxNumbers = 3;
  Note note = Note::Await;
  std::array<std::uint64_t, kMaxNumbers> numbers{};
  friend bool operator==(const Noted &, const Noted &) = default;
};

struct StepJournal {
  std::optional<Event> event; ///< That was looked up last.
  std::vector<Noted> notes;

  void add(Note note, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0) {
    notes.push_back({note, {a, b, c}});
  }
  void clear() {
    event.reset();
    notes.clear();
  }
};

/// Lines and a digest of contents. The digest of several lines is the sum of theirs, so that
/// changes that arrive in two messages can be compared with what was sent.
struct ContentsDigest {
  std::uint64_t lines = 0, sum = 0;
  ContentsDigest &operator+=(const ContentsDigest &other) {
    lines += other.lines;
    sum += other.sum;
    return *this;
  }
};

/// What Journaled asks beyond a FlushPort.
template <class P>
concept JournalPort = FlushPort<P> && requires(P port) {
  { port.homeOfBlock() } -> std::convertible_to<NodeId>;
  { port.digestOfData() } -> std::same_as<ContentsDigest>;    ///< That arrived.
  { port.digestOfChanges() } -> std::same_as<ContentsDigest>; ///< That arrived.
  { port.digestOfPut() } -> std::same_as<ContentsDigest>;     ///< Of what compareWithTwin found.
  { port.digestOfNothing() } -> std::same_as<ContentsDigest>; ///< Of a line without bytes.
  { port.digestOfWhole() } -> std::same_as<ContentsDigest>;
  { port.digestOfTwin() } -> std::same_as<ContentsDigest>;
  { port.digestOfSent() } -> std::same_as<ContentsDigest>; ///< Of what collectMemory has taken.
};

template <class Port> class Journaled : public Port {
public:
  template <class... Arguments>
  explicit Journaled(StepJournal &journal, Arguments &&...arguments)
      : Port(std::forward<Arguments>(arguments)...), journal_(journal) {
    static_assert(JournalPort<Port>);
  }

  const Transition &transition(BlockState state, Event event) {
    journal_.event = event;
    return Port::transition(state, event);
  }
  void impossible(Event event) {
    journal_.add(Note::Impossible);
    Port::impossible(event);
  }
  bool othersOffline() { return answer(Note::OthersOffline, Port::othersOffline()); }
  bool isQuietSince(std::uint64_t stamp) {
    const bool quiet = Port::isQuietSince(stamp);
    journal_.add(Note::QuietSince, stamp, quiet);
    return quiet;
  }
  bool isSharer(NodeId node) {
    const bool is = Port::isSharer(node);
    journal_.add(Note::IsSharer, node, is);
    return is;
  }
  bool compareWithTwin() { return answer(Note::Changed, Port::compareWithTwin()); }
  bool compareWithDigest() { return answer(Note::Changed, Port::compareWithDigest()); }
  bool sentDiffers() { return answer(Note::SentDiffers, Port::sentDiffers()); }

  void addWaiter() {
    journal_.add(Note::Await);
    Port::addWaiter();
  }
  void wakeWaiters() {
    journal_.add(Note::Wake);
    Port::wakeWaiters();
  }
  void postpone() {
    journal_.add(Note::Postpone);
    Port::postpone();
  }
  std::uint64_t newGraceStamp() { return answer(Note::Stamp, Port::newGraceStamp()); }
  void overwriteMemory() {
    journal_.add(Note::Overwrite, Port::digestOfData().sum);
    Port::overwriteMemory();
  }
  void mergeUnderWriters() {
    journal_.add(Note::Merge, Port::digestOfData().sum);
    Port::mergeUnderWriters();
  }
  void takeTwin() {
    journal_.add(Note::TakeTwin);
    Port::takeTwin();
  }
  void takeWhole(bool quiet) {
    journal_.add(Note::TakeWhole);
    Port::takeWhole(quiet);
  }
  Keeping keeping() {
    const Keeping keeping = Port::keeping();
    journal_.add(Note::Keeping, std::uint64_t(keeping));
    return keeping;
  }
  bool expectsWriter() {
    const bool expects = Port::expectsWriter();
    journal_.add(Note::ExpectsWriter, expects);
    return expects;
  }
  bool expectsStores() { return answer(Note::ExpectsStores, Port::expectsStores()); }
  void makeTwinOfSnapshot() {
    journal_.add(Note::KeepSnapshot);
    Port::makeTwinOfSnapshot();
  }
  void renewTwin() {
    journal_.add(Note::RenewTwin);
    Port::renewTwin();
  }
  void freeTwin() {
    journal_.add(Note::FreeTwin);
    Port::freeTwin();
  }
  void keepDigest() {
    journal_.add(Note::KeepDigest);
    Port::keepDigest();
  }
  void dropDigest() {
    journal_.add(Note::DropDigest);
    Port::dropDigest();
  }
  void enlist() {
    journal_.add(Note::Enlist);
    Port::enlist();
  }
  void applyChangesToMemory() {
    const ContentsDigest changes = Port::digestOfChanges();
    journal_.add(Note::Apply, changes.lines, changes.sum);
    Port::applyChangesToMemory();
  }
  void applyChangesToTwin() {
    journal_.add(Note::ApplyToTwin);
    Port::applyChangesToTwin();
  }
  void executeAtomicInMemory() {
    journal_.add(Note::Execute);
    Port::executeAtomicInMemory();
  }
  void applyAtomicToTwin() {
    journal_.add(Note::ExecuteInTwin);
    Port::applyAtomicToTwin();
  }
  void collectGet() {
    journal_.add(Note::SendGet, Port::homeOfBlock());
    Port::collectGet();
  }
  void collectPut() {
    const ContentsDigest changes = Port::digestOfPut();
    journal_.add(Note::SendPut, Port::homeOfBlock(), changes.lines, changes.sum);
    Port::collectPut();
  }
  void collectWhole() {
    const ContentsDigest block = Port::digestOfWhole();
    journal_.add(Note::SendWhole, Port::homeOfBlock(), block.lines, block.sum);
    Port::collectWhole();
  }
  void collectAway() {
    const ContentsDigest block = Port::digestOfWhole();
    journal_.add(Note::SendAway, Port::homeOfBlock(), block.lines, block.sum);
    Port::collectAway();
  }
  unsigned collectSums() {
    const unsigned messages = Port::collectSums();
    journal_.add(Note::SendSums, Port::homeOfBlock(), messages);
    return messages;
  }
  void collectLeave() {
    journal_.add(Note::SendLeave, Port::homeOfBlock());
    Port::collectLeave();
  }
  void collectTwin(NodeId to) {
    journal_.add(Note::SendTwin, to, Port::digestOfTwin().sum);
    Port::collectTwin(to);
  }
  void collectMemory(NodeId to) {
    Port::collectMemory(to); // First: the digest is of the bytes that it takes.
    journal_.add(Note::SendMemory, to, Port::digestOfSent().sum);
  }
  void collectSupply(NodeId to) {
    Port::collectSupply(to); // As above.
    const ContentsDigest block = Port::digestOfWhole();
    journal_.add(Note::SendUpdate, to, block.lines, block.sum);
  }
  void collectInvalidate(NodeId to) {
    journal_.add(Note::SendInvalidate, to);
    Port::collectInvalidate(to);
  }
  bool expectsReader(NodeId node) {
    const bool expects = Port::expectsReader(node);
    journal_.add(Note::Expects, node, expects);
    return expects;
  }
  void collectUpdate(NodeId to) {
    const ContentsDigest changes = Port::digestOfPut();
    journal_.add(Note::SendUpdate, to, changes.lines, changes.sum);
    Port::collectUpdate(to);
  }
  void collectRefresh(NodeId to) {
    const ContentsDigest block = Port::digestOfWhole();
    journal_.add(Note::SendUpdate, to, block.lines, block.sum);
    Port::collectRefresh(to);
  }
  void forwardPut(NodeId to) {
    const ContentsDigest changes = Port::digestOfChanges();
    journal_.add(Note::SendUpdate, to, changes.lines, changes.sum);
    Port::forwardPut(to);
  }
  bool hasSaidSole() {
    const bool has = Port::hasSaidSole();
    if (has)
      journal_.add(Note::HasSaidSole, true);
    return has;
  }
  bool saysSole() {
    const bool says = Port::saysSole();
    if (says)
      journal_.add(Note::SaysSole, true);
    return says;
  }
  void collectSharing(NodeId to, bool isSole) {
    const ContentsDigest nothing = Port::digestOfNothing();
    journal_.add(Note::SendUpdate, to, nothing.lines, nothing.sum);
    Port::collectSharing(to, isSole);
  }
  void listForeignCopy() {
    journal_.add(Note::ListForeign);
    Port::listForeignCopy();
  }

private:
  template <class Value> Value answer(Note note, Value value) {
    journal_.add(note, value);
    return value;
  }
  StepJournal &journal_;
};

} // namespace ompdsm
