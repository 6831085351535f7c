#include "protocol/sim/replay/Model.h"

namespace ompdsm::sim {

const char *nameOf(BlockMessage::What what) {
  constexpr const char *kNames[] = {"Get", "Put", "Leave", "Atomic", "Data", "Invalidate", "Update"};
  return kNames[std::size_t(what)];
}

std::uint64_t ModelPort::number(Note note, unsigned index) const {
  const std::size_t at = journal_.notes.size();
  const std::vector<Noted> &notes = recorded_.journal.notes;
  return at < notes.size() && notes[at].note == note ? notes[at].numbers[index] : 0;
}

std::uint64_t ModelPort::newGraceStamp() {
  // Other blocks have stamps of the same clock, and a scenario does not have their steps.
  const std::uint64_t stamp = number(Note::Stamp, 0);
  if (stamp <= node_.lastStamp)
    doubt_ = "the stamp " + std::to_string(stamp) + " is not later than the node's last one";
  node_.lastStamp = stamp;
  return stamp;
}

bool ModelPort::othersOffline() {
  return believed(number(Note::OthersOffline, 0) != 0, Clock::kOffline, "offline");
}
bool ModelPort::isQuietSince(std::uint64_t stamp) {
  return believed(number(Note::QuietSince, 1) != 0, stamp, "quiescent since W was revoked");
}

bool ModelPort::believed(bool quiet, std::uint64_t stamp, const char *what) {
  for (const auto &[number, thread] : node_.threads)
    if (quiet && number != recorded_.thread && !Clock::isQuiet(thread, stamp))
      doubt_ = "the trace says that all other threads are " + std::string(what) + ", but thread " +
               std::to_string(number) + " is not";
  return quiet;
}

} // namespace ompdsm::sim
