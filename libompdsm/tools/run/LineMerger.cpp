// LineMerger.cpp: who may write next, and how much.
#include "libompdsm/tools/run/LineMerger.h"
#include "fabric/Check.h"
#include <algorithm>
#include <utility>

namespace ompdsm::run {

unsigned LineMerger::addStream(bool prompting, std::string tag) {
  streams_.emplace_back().prompting = prompting;
  streams_.back().tag = std::move(tag);
  return unsigned(streams_.size() - 1);
}

std::size_t LineMerger::room(unsigned stream) const {
  return isFull() ? 0 : kLineLimit - streams_[stream].held.size();
}

void LineMerger::append(unsigned stream, std::span<const std::byte> bytes, TimePoint now) {
  OMPDSM_CHECK(!streams_[stream].ended && bytes.size() <= room(stream));
  std::vector<std::byte> &held = streams_[stream].held;
  held.insert(held.end(), bytes.begin(), bytes.end());
  streams_[stream].lastAppend = now;
  const unsigned before = open_;
  pump(stream, now);
  if (before != kNone && open_ == kNone)
    pumpAll(now);
}

void LineMerger::end(unsigned stream, TimePoint now) {
  streams_[stream].ended = true;
  pumpAll(now);
}

void LineMerger::insertLine(std::string_view line) {
  if (open_ != kNone)
    output_.push_back(std::byte{'\n'});
  open_ = kNone;
  const auto *first = reinterpret_cast<const std::byte *>(line.data());
  output_.insert(output_.end(), first, first + line.size());
  output_.push_back(std::byte{'\n'});
}

void LineMerger::tick(TimePoint now) {
  pumpAll(now);
  for (unsigned stream = 0; stream < streams_.size(); ++stream) {
    const Stream &s = streams_[stream];
    if (s.prompting && !s.held.empty() && now - s.lastAppend >= kIdle && !isFull() &&
        mayWrite(stream, now))
      write(stream, s.held.size());
  }
}

bool LineMerger::waits() const {
  const bool othersWait =
      open_ != kNone && std::any_of(streams_.begin(), streams_.end(),
                                    [](const Stream &s) { return !s.held.empty(); });
  return othersWait || std::any_of(streams_.begin(), streams_.end(),
                                   [](const Stream &s) { return s.prompting && !s.held.empty(); });
}

void LineMerger::consume(std::size_t count, TimePoint now) {
  const bool wasFull = isFull();
  consumed_ += count;
  OMPDSM_CHECK(consumed_ <= output_.size());
  // Moved only when it pays, so that small writes do not shift the whole buffer each time.
  if (consumed_ == output_.size() || consumed_ >= kOutputLimit) {
    output_.erase(output_.begin(), output_.begin() + static_cast<std::ptrdiff_t>(consumed_));
    consumed_ = 0;
  }
  if (wasFull)
    pumpAll(now);
}

bool LineMerger::isFinished() const {
  return output().empty() && std::all_of(streams_.begin(), streams_.end(),
                                         [](const Stream &s) { return s.ended && s.held.empty(); });
}

bool LineMerger::mayWrite(unsigned stream, TimePoint now) const {
  if (open_ == kNone || open_ == stream)
    return true;
  const Stream &owner = streams_[open_];
  return owner.ended || (owner.held.empty() && now - owner.lastAppend >= kIdle);
}

void LineMerger::write(unsigned stream, std::size_t count) {
  if (open_ != kNone && open_ != stream)
    output_.push_back(std::byte{'\n'});
  std::vector<std::byte> &held = streams_[stream].held;
  appendTagged(std::span(held).first(count), streams_[stream].tag, open_ != stream);
  open_ = held[count - 1] == std::byte{'\n'} ? kNone : stream;
  held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(count));
}

void LineMerger::appendTagged(std::span<const std::byte> bytes, const std::string &tag,
                              bool atLineBegin) {
  if (tag.empty()) {
    output_.insert(output_.end(), bytes.begin(), bytes.end());
    return;
  }
  const auto tagBytes = std::as_bytes(std::span(tag));
  while (!bytes.empty()) {
    if (atLineBegin)
      output_.insert(output_.end(), tagBytes.begin(), tagBytes.end());
    const auto newline = std::find(bytes.begin(), bytes.end(), std::byte{'\n'});
    const auto end = newline == bytes.end() ? newline : newline + 1;
    output_.insert(output_.end(), bytes.begin(), end);
    bytes = bytes.subspan(static_cast<std::size_t>(end - bytes.begin()));
    atLineBegin = true;
  }
}

void LineMerger::pump(unsigned stream, TimePoint now) {
  const Stream &s = streams_[stream];
  if (s.held.empty() || isFull() || !mayWrite(stream, now))
    return;
  const auto newline = std::find(s.held.rbegin(), s.held.rend(), std::byte{'\n'});
  if (newline != s.held.rend())
    write(stream, static_cast<std::size_t>(s.held.rend() - newline));
  // What is left has no newline: an unfinished line goes out only when it must.
  if (!s.held.empty() && (s.ended || s.held.size() == kLineLimit))
    write(stream, s.held.size());
}

void LineMerger::pumpAll(TimePoint now) {
  // The owner of the unfinished line first: it may be what the others wait for.
  if (open_ != kNone)
    pump(open_, now);
  for (unsigned stream = 0; stream < streams_.size(); ++stream)
    pump(stream, now);
}

} // namespace ompdsm::run
