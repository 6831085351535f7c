// RemoteStreams.cpp: a request for each piece of output, which the stream's node carries out in the
// handler, and an answer.
#include "libompdsm/src/RemoteStreams.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace ompdsm {

struct RemoteStreams::RequestBody {
  std::FILE *stream = nullptr;
  std::uint64_t number = 0;
  std::int64_t amount = 0; ///< Bytes to read, or where to.
  std::int32_t descriptor = -1, whence = 0;
  Operation operation = Operation::Write;
};
struct RemoteStreams::AnswerBody {
  std::uint64_t number = 0;
  std::int64_t result = 0;
  std::int32_t error = 0;
};

namespace {
bool isRegularFile(int fd) {
  struct stat status{};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}
} // namespace

RemoteStreams *remoteStreamsFor(const std::FILE *stream) {
  if (!jobIsSpread())
    return nullptr;
  RemoteStreams &streams = team().remoteStreams();
  return streams.isElsewhere(stream) ? &streams : nullptr;
}

void RemoteStreams::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::StreamRequest),
                       [this](NodeId from, fabric::Bytes bytes) {
                         fabric::Bytes text;
                         const auto request = bodyFrom<RequestBody>(bytes, &text);
                         std::vector<std::byte> read;
                         const AnswerBody answer = carryOut(request, text, read);
                         postTeamMessage(*runtime_.messenger, from, TeamMessage::StreamAnswer,
                                         {bytesOf(answer), fabric::Bytes(read)});
                       });
  messenger.setHandler(messageKind(TeamMessage::StreamAnswer), [this](NodeId, fabric::Bytes bytes) {
    fabric::Bytes read;
    const auto body = bodyFrom<AnswerBody>(bytes, &read);
    {
      std::lock_guard lock(mutex_);
      const auto waiting = answers_.find(body.number);
      OMPDSM_CHECK(waiting != answers_.end());
      Answer &answer = waiting->second;
      OMPDSM_CHECK(read.empty() || answer.to);
      if (!read.empty())
        std::memcpy(answer.to, read.data(), read.size());
      answer = {.isHere = true, .result = body.result, .error = body.error};
    }
    runtime_.messenger->notify();
  });
}

bool RemoteStreams::isElsewhere(const std::FILE *stream) const {
  return runtime_.addressSpace->contains(stream) && ownerOf(stream) != runtime_.node;
}
NodeId RemoteStreams::ownerOf(const std::FILE *stream) const {
  return runtime_.addressSpace->ownerOf(stream);
}

RemoteStreams::AnswerBody RemoteStreams::carryOut(const RequestBody &request, fabric::Bytes text,
                                                  std::vector<std::byte> &read) {
  AnswerBody answer{.number = request.number};
  errno = 0;
  switch (request.operation) {
  case Operation::Write:
    answer.result = std::int64_t(std::fwrite(text.data(), 1, text.size(), request.stream));
    break;
  case Operation::Flush:
    answer.result = std::fflush(request.stream);
    break;
  case Operation::Close:
    answer.result = std::fclose(request.stream);
    break;
  case Operation::WriteDescriptor:
    answer.result = ::write(request.descriptor, text.data(), text.size());
    break;
  case Operation::ReadDescriptor:
    // A handler must not wait for somebody to type.
    answer.result = -1;
    errno = ESPIPE;
    OMPDSM_CHECK(std::uint64_t(request.amount) <= Messenger::kMaxBodyBytes);
    if (isRegularFile(request.descriptor)) {
      read.resize(std::size_t(request.amount));
      answer.result = ::read(request.descriptor, read.data(), read.size());
      read.resize(std::size_t(std::max<std::int64_t>(answer.result, 0)));
    }
    break;
  case Operation::SeekDescriptor:
    answer.result = ::lseek(request.descriptor, request.amount, request.whence);
    break;
  }
  answer.error = errno;
  return answer;
}

// Not offline: what a thread has asked for before it prints, it may use behind it.
std::int64_t RemoteStreams::perform(NodeId owner, RequestBody request, std::string_view text,
                                    void *to) {
  {
    std::lock_guard lock(mutex_);
    request.number = ++requests_;
    answers_[request.number] = {.to = to};
  }
  runtime_.messenger->waitForRoom(owner, messageKind(TeamMessage::StreamRequest));
  postTeamMessage(*runtime_.messenger, owner, TeamMessage::StreamRequest,
                  {bytesOf(request), std::as_bytes(std::span(text))});
  runtime_.messenger->waitUntil([&] {
    std::lock_guard lock(mutex_);
    return answers_.at(request.number).isHere;
  });
  std::lock_guard lock(mutex_);
  const Answer answer = answers_.extract(request.number).mapped();
  errno = answer.error ? answer.error : errno;
  return answer.result;
}

std::size_t RemoteStreams::write(std::FILE *stream, std::string_view text) {
  constexpr std::size_t kMostBytes = Messenger::kMaxBodyBytes - sizeof(RequestBody);
  std::size_t written = 0;
  while (written < text.size()) {
    const std::string_view piece = text.substr(written, kMostBytes);
    const std::size_t got = std::size_t(
        perform(ownerOf(stream), {.stream = stream, .operation = Operation::Write}, piece));
    written += got;
    if (got < piece.size())
      break;
  }
  return written;
}

int RemoteStreams::flush(std::FILE *stream) {
  return int(perform(ownerOf(stream), {.stream = stream, .operation = Operation::Flush}));
}
int RemoteStreams::close(std::FILE *stream) {
  return int(perform(ownerOf(stream), {.stream = stream, .operation = Operation::Close}));
}

// As with the system's, callers go on where less than all was written or read.
std::int64_t RemoteStreams::writeDescriptor(NodeId owner, int fd, std::string_view text) {
  constexpr std::size_t kMostBytes = Messenger::kMaxBodyBytes - sizeof(RequestBody);
  return perform(owner, {.descriptor = fd, .operation = Operation::WriteDescriptor},
                 text.substr(0, kMostBytes));
}

std::int64_t RemoteStreams::readDescriptor(NodeId owner, int fd, void *to, std::size_t bytes) {
  constexpr std::size_t kMostBytes = Messenger::kMaxBodyBytes - sizeof(AnswerBody);
  const auto most = std::int64_t(std::min(bytes, kMostBytes));
  return perform(owner, {.amount = most, .descriptor = fd, .operation = Operation::ReadDescriptor},
                 {}, to);
}

std::int64_t RemoteStreams::seekDescriptor(NodeId owner, int fd, std::int64_t offset, int whence) {
  return perform(owner, {.amount = offset,
                         .descriptor = fd,
                         .whence = whence,
                         .operation = Operation::SeekDescriptor});
}

void requireOwnStream(const std::FILE *stream, const char *function) {
  if (remoteStreamsFor(stream))
    fatal("the program calls %s on node %u with a stream that node %u has opened, to which other "
          "nodes can only write: let threads of that node use it, or open it on each node",
          function, unsigned(runtime()->node), unsigned(team().remoteStreams().ownerOf(stream)));
}

} // namespace ompdsm
