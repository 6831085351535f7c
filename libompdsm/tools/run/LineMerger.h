// LineMerger.h: makes one stream of bytes from several, by whole lines.
//
// The lines of a stream keep their order and their bytes, and no line of another stream comes
// between the bytes of a line. Memory is bounded: a stream keeps at most kLineLimit bytes, the
// output little more than kOutputLimit; room() says when to stop reading. So a line longer than
// kLineLimit goes out in pieces, and the others wait for its end, but not for a stream that is
// silent for kIdle or over: then the line is ended with a newline of ours (the only byte that is
// added to a stream without a tag), and only if another stream has something to say. A stream's
// last line without a newline goes out at its end. A tag precedes each line, also the rest of one
// that was ended so. Pure: no I/O, and the clock is an argument.
#pragma once
#include "libompdsm/tools/run/Outcome.h"
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ompdsm::run {

inline constexpr std::size_t kLineLimit = 64 * 1024;
inline constexpr std::size_t kOutputLimit = 256 * 1024;
inline constexpr std::chrono::milliseconds kIdle{200};

class LineMerger {
public:
  /// Adds a stream and returns its index. The unfinished line of a `prompting` one is shown when it
  /// has been idle: someone waits for an answer at a terminal.
  unsigned addStream(bool prompting, std::string tag = "");

  /// How many bytes append() takes now; 0: do not read.
  std::size_t room(unsigned stream) const;
  void append(unsigned stream, std::span<const std::byte> bytes, TimePoint now);
  void end(unsigned stream, TimePoint now);
  /// A line of the launcher itself, at once; `line` has no newline.
  void insertLine(std::string_view line);
  /// Does what time asks for.
  void tick(TimePoint now);
  /// True if a tick() after kIdle may have something to do.
  bool waits() const;

  std::span<const std::byte> output() const { return std::span(output_).subspan(consumed_); }
  void consume(std::size_t count, TimePoint now);
  /// All streams are over and their bytes consumed.
  bool isFinished() const;

private:
  static constexpr unsigned kNone = ~0u;
  struct Stream {
    std::string tag;
    bool prompting = false;
    bool ended = false;
    std::vector<std::byte>
        held; ///< at most kLineLimit; no whole line unless others hold the output.
    TimePoint lastAppend{};
  };
  bool mayWrite(unsigned stream, TimePoint now) const;
  void write(unsigned stream, std::size_t count);
  void appendTagged(std::span<const std::byte> bytes, const std::string &tag, bool atLineBegin);
  void pump(unsigned stream, TimePoint now);
  void pumpAll(TimePoint now);
  bool isFull() const { return output_.size() - consumed_ >= kOutputLimit; }

  std::vector<Stream> streams_;
  std::vector<std::byte> output_;
  std::size_t consumed_ = 0;
  unsigned open_ = kNone; ///< the stream whose unfinished line ends the output.
};

} // namespace ompdsm::run
