// RemoteStreams.h: files that another node has opened. A C stream is memory of that node's C
// library, and its file is open there alone, so what is written to it here is sent there; other
// uses end the job with a message. Streams of C++ are code that runs anywhere
// (InterceptFileBuffers.cpp), with the descriptors of the node that has opened the file.
#pragma once
#include "fabric/Transport.h"
#include "protocol/core/Types.h"
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

namespace ompdsm {

struct Runtime;

/// Any thread may call; nodes > 1.
class RemoteStreams {
public:
  explicit RemoteStreams(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();

  /// Whether another node has opened it. The standard streams are each node's own.
  bool isElsewhere(const std::FILE *stream) const;
  /// Who has opened it, if it is somebody's.
  NodeId ownerOf(const std::FILE *stream) const;

  // As the functions of the C library, on the node that has opened the stream; errno, too. They
  // return when it is done.
  /// How many bytes were written.
  std::size_t write(std::FILE *stream, std::string_view text);
  int flush(std::FILE *stream);
  int close(std::FILE *stream);

  // As the system calls, with a descriptor of `owner`; reading and seeking in regular files only.
  std::int64_t writeDescriptor(NodeId owner, int fd, std::string_view text);
  std::int64_t readDescriptor(NodeId owner, int fd, void *to, std::size_t bytes);
  std::int64_t seekDescriptor(NodeId owner, int fd, std::int64_t offset, int whence);

private:
  enum class Operation : std::uint8_t {
    Write,
    Flush,
    Close,
    WriteDescriptor,
    ReadDescriptor,
    SeekDescriptor,
  };
  struct RequestBody;
  struct AnswerBody;
  struct Answer {
    bool isHere = false;
    std::int64_t result = 0;
    int error = 0;
    void *to = nullptr; ///< What is read.
  };
  std::int64_t perform(NodeId owner, RequestBody request, std::string_view text = {},
                       void *to = nullptr);
  /// `read`: room for what is read.
  static AnswerBody carryOut(const RequestBody &request, fabric::Bytes text,
                             std::vector<std::byte> &read);

  Runtime &runtime_;
  std::mutex mutex_;                        ///< Guards what follows; innermost.
  std::map<std::uint64_t, Answer> answers_; ///< Of threads that wait, by number of their request.
  std::uint64_t requests_ = 0;
};

/// Ends the job if another node has opened the stream.
void requireOwnStream(const std::FILE *stream, const char *function);
/// Of the calling thread's job, if it has several nodes and the stream is another one's.
RemoteStreams *remoteStreamsFor(const std::FILE *stream);

} // namespace ompdsm
