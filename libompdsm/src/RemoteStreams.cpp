// RemoteStreams.cpp: a request for each piece of output, which the stream's node carries out in the
// handler, and an answer.
#include "libompdsm/src/RemoteStreams.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include <algorithm>
#include <cerrno>

namespace ompdsm {

struct RemoteStreams::RequestBody {
  std::FILE *stream = nullptr;
  std::uint64_t number = 0;
  Operation operation = Operation::Write;
};
struct RemoteStreams::AnswerBody {
  std::uint64_t number = 0;
  std::int64_t result = 0;
  std::int32_t error = 0;
};

RemoteStreams *remoteStreamsFor(const std::FILE *stream) {
  if (!jobIsSpread())
    return nullptr;
  RemoteStreams &streams = team().remoteStreams();
  return streams.isElsewhere(stream) ? &streams : nullptr;
}

void RemoteStreams::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(
      messageKind(TeamMessage::StreamRequest), [this](NodeId from, fabric::Bytes bytes) {
        fabric::Bytes text;
        const auto request = bodyFrom<RequestBody>(bytes, &text);
        const AnswerBody answer = carryOut(request, text);
        postTeamMessage(*runtime_.messenger, from, TeamMessage::StreamAnswer, {bytesOf(answer)});
      });
  messenger.setHandler(messageKind(TeamMessage::StreamAnswer), [this](NodeId, fabric::Bytes bytes) {
    const auto body = bodyFrom<AnswerBody>(bytes);
    {
      std::lock_guard lock(mutex_);
      const auto waiting = answers_.find(body.number);
      OMPDSM_CHECK(waiting != answers_.end());
      waiting->second = {.isHere = true, .result = body.result, .error = body.error};
    }
    runtime_.messenger->notify();
  });
}

bool RemoteStreams::isElsewhere(const std::FILE *stream) const {
  const AddressSpace &space = *runtime_.addressSpace;
  return space.contains(stream) && space.ownerOf(stream) != runtime_.node;
}

RemoteStreams::AnswerBody RemoteStreams::carryOut(const RequestBody &request, fabric::Bytes text) {
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
  }
  answer.error = errno;
  return answer;
}

// Not offline: what a thread has asked for before it prints, it may use behind it.
std::int64_t RemoteStreams::perform(Operation operation, std::FILE *stream, std::string_view text) {
  RequestBody request{.stream = stream, .operation = operation};
  {
    std::lock_guard lock(mutex_);
    request.number = ++requests_;
    answers_[request.number] = {};
  }
  const NodeId owner = runtime_.addressSpace->ownerOf(stream);
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
    const auto got = std::size_t(perform(Operation::Write, stream, piece));
    written += got;
    if (got < piece.size())
      break;
  }
  return written;
}

int RemoteStreams::flush(std::FILE *stream) { return int(perform(Operation::Flush, stream)); }
int RemoteStreams::close(std::FILE *stream) { return int(perform(Operation::Close, stream)); }

void requireOwnStream(const std::FILE *stream, const char *function) {
  if (remoteStreamsFor(stream))
    fatal("the program calls %s on node %u with a stream that node %u has opened, to which other "
          "nodes can only write: let threads of that node use it, or open it on each node",
          function, unsigned(runtime()->node), unsigned(runtime()->addressSpace->ownerOf(stream)));
}

} // namespace ompdsm
