// OutputRelay.cpp: reading the nodes' pipes and writing the launcher's stdout and stderr.
#include "libompdsm/tools/run/OutputRelay.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ompdsm::run {
namespace {

/// At most this much is read or written for one descriptor in one round, so that no node starves.
constexpr std::size_t kTurnBytes = 64 * 1024;

bool isSameFile(int left, int right) {
  struct stat a{}, b{};
  return fstat(left, &a) == 0 && fstat(right, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

} // namespace

OutputRelay::OutputRelay(EventLoop &loop, Broken onBroken)
    : loop_(loop), onBroken_(std::move(onBroken)) {
  sinks_.push_back(std::make_unique<Sink>());
  sinks_.front()->fd = STDOUT_FILENO;
  if (!isSameFile(STDOUT_FILENO, STDERR_FILENO)) {
    sinks_.push_back(std::make_unique<Sink>());
    sinks_.back()->fd = STDERR_FILENO;
  }
}

void OutputRelay::start(std::vector<NodePipes> &pipes, bool tagged) {
  // A prompt is a line without an end that its reader must see; only node 0 reads the terminal.
  bool prompting = isatty(STDIN_FILENO) == 1;
  for (unsigned node = 0; node < pipes.size(); ++node) {
    const std::string tag = tagged ? "[" + std::to_string(node) + "] " : "";
    addSource(std::move(pipes[node].outRead), *sinks_.front(), prompting, tag);
    addSource(std::move(pipes[node].errRead), *sinks_.back(), prompting, tag);
    prompting = false;
  }
  update();
}

void OutputRelay::addSource(UniqueFd fd, Sink &sink, bool prompting, const std::string &tag) {
  fcntl(fd.get(), F_SETFL, O_NONBLOCK); // of our end only: the node's end is a file of its own
  auto source = std::make_unique<Source>();
  source->fd = std::move(fd);
  source->sink = &sink;
  source->stream = sink.merger.addStream(prompting, tag);
  sources_.push_back(std::move(source));
}

void OutputRelay::printMessage(std::string_view line) {
  sinks_.back()->merger.insertLine(line);
  update();
}

void OutputRelay::tick(TimePoint now) {
  for (const auto &sink : sinks_)
    sink->merger.tick(now);
  update();
}

bool OutputRelay::waits() const {
  return std::any_of(sinks_.begin(), sinks_.end(),
                     [](const auto &sink) { return sink->merger.waits(); });
}

bool OutputRelay::isFinished() const {
  return std::all_of(sinks_.begin(), sinks_.end(),
                     [](const auto &sink) { return sink->merger.isFinished(); });
}

void OutputRelay::readSource(Source &source) {
  std::array<std::byte, kTurnBytes> chunk;
  const std::size_t room = std::min(source.sink->merger.room(source.stream), chunk.size());
  if (room == 0)
    return update();
  const ssize_t got = read(source.fd.get(), chunk.data(), room);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  const TimePoint now = Clock::now();
  if (got > 0) {
    source.sink->merger.append(source.stream, std::span(chunk).first(static_cast<std::size_t>(got)),
                               now);
  } else {
    loop_.remove(source.fd.get());
    source.registered = false;
    source.fd.reset();
    source.sink->merger.end(source.stream, now);
  }
  update();
}

void OutputRelay::fail(Sink &sink, int error) {
  if (std::exchange(sink.broken, true))
    return;
  onBroken_(error);
}

void OutputRelay::writeSink(Sink &sink) {
  std::size_t turn = kTurnBytes;
  while (!sink.merger.output().empty() && turn > 0) {
    std::span<const std::byte> bytes = sink.merger.output();
    if (sink.broken) {
      sink.merger.consume(bytes.size(), Clock::now());
      continue;
    }
    if (sink.pollable) {
      // The file is shared with whoever started us, so it stays a blocking one: we write only what
      // a ready pipe or terminal takes at once.
      pollfd entry{sink.fd, POLLOUT, 0};
      if (poll(&entry, 1, 0) != 1)
        break;
      bytes = bytes.first(std::min<std::size_t>(bytes.size(), PIPE_BUF));
    }
    const ssize_t written = write(sink.fd, bytes.data(), bytes.size());
    if (written < 0 && (errno == EAGAIN || errno == EINTR))
      break;
    if (written < 0) {
      fail(sink, errno);
      continue;
    }
    sink.merger.consume(static_cast<std::size_t>(written), Clock::now());
    turn -= std::min(turn, static_cast<std::size_t>(written));
  }
}

void OutputRelay::update() {
  for (const auto &entry : sinks_) {
    Sink &sink = *entry;
    if (!sink.pollable || sink.broken)
      while (!sink.merger.output().empty())
        writeSink(sink);
    const bool wanted = !sink.merger.output().empty();
    if (wanted && !sink.registered) {
      sink.registered = true;
      if (!loop_.add(sink.fd, EPOLLOUT, [this, &sink](std::uint32_t) {
            writeSink(sink);
            update();
          })) {
        // A regular file cannot be waited for, and never makes us wait.
        sink.registered = false;
        sink.pollable = false;
        while (!sink.merger.output().empty())
          writeSink(sink);
      }
    } else if (!wanted && sink.registered) {
      sink.registered = false;
      loop_.remove(sink.fd);
    }
  }
  for (const auto &entry : sources_) {
    Source &source = *entry;
    if (!source.fd.isOpen())
      continue;
    // A paused pipe is taken out, not only masked: its hang-up would wake us again and again.
    const bool wanted = source.sink->merger.room(source.stream) > 0;
    if (wanted && !source.registered) {
      source.registered = true;
      loop_.add(source.fd.get(), EPOLLIN, [this, &source](std::uint32_t) { readSource(source); });
    } else if (!wanted && source.registered) {
      source.registered = false;
      loop_.remove(source.fd.get());
    }
  }
}

} // namespace ompdsm::run
