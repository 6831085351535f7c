// Bootstrap.cpp: the node's side of the connection to the launcher.
//
// connect() and allGather() run on one thread, before watch(); then the liveness thread alone reads
// the connection. reportFailure() and reportDone() may be called by any thread and from a signal
// handler: each writes one whole frame in one send(), from its own stack.
#include "fabric/Bootstrap.h"
#include "fabric/BootstrapProtocol.h"
#include "fabric/Check.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ompdsm::fabric {
namespace {

using namespace bootstrap;
using Clock = std::chrono::steady_clock;

/// Where the connection's descriptor is put if the limit allows: programs that close the low
/// descriptors (as daemons and shells do) do not close it.
constexpr int kHighDescriptor = 1000;

/// Between two attempts to be let in.
constexpr std::chrono::milliseconds kRetryDelay{20};

std::string describeError(const char *what, int error) {
  return std::string(what) + ": " + std::strerror(error);
}

int moveHigh(int fd) {
  rlimit limit{};
  int wanted = kHighDescriptor;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= rlim_t(kHighDescriptor))
    wanted = std::max(0, static_cast<int>(limit.rlim_cur) - 8);
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, wanted);
  if (moved < 0)
    return fd; // The limit is all used; the low descriptor serves as well.
  close(fd);
  return moved;
}

/// Waits until `fd` has one of `events` or the deadline has passed.
bool waitFor(int fd, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{fd, events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 1 << 30)));
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

class LauncherConnection final : public Bootstrap {
public:
  LauncherConnection(int fd, const BootstrapOptions &options)
      : fd_(fd), options_(options), decoder_(typeBit(MessageType::Challenge)) {}

  ~LauncherConnection() override {
    if (watching_) {
      // The thread's poll ends with the end of file that this makes.
      stopping_.store(true, std::memory_order_release); // pairs with the acquire in watchLoop()
      shutdown(fd_, SHUT_RDWR);
      pthread_join(thread_, nullptr);
    }
    close(fd_);
  }

  Status authenticate(const Secret &secret, Clock::time_point deadline);
  /// True after an error that only says that the launcher closed the connection.
  bool wasClosed() const { return wasClosed_; }
  Status allGather(std::span<const std::byte> mine, std::vector<std::vector<std::byte>> &all,
                   std::chrono::milliseconds timeout) override;
  void watch(std::function<void(const std::string &reason)> onJobEnd) override;
  void reportFailure(const char *message) noexcept override;
  void reportDone() noexcept override;

private:
  Status send(Bytes bytes, Clock::time_point deadline);
  Status receive(Frame &frame, Clock::time_point deadline);
  std::string watchLoop();
  static void *runWatch(void *self);
  void sendAtOnce(const std::byte *bytes, std::size_t count) noexcept;
  void awaitEnd() noexcept;

  const int fd_;
  const BootstrapOptions options_;
  FrameDecoder decoder_; ///< of the caller until watch(), then of the liveness thread.
  bool watching_ = false;
  bool wasClosed_ = false;
  pthread_t thread_{};
  std::function<void(const std::string &)> onJobEnd_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> failureSent_{false};
  std::atomic<bool> doneSent_{false};
};

Status LauncherConnection::send(Bytes bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    else if (errno == EAGAIN && !waitFor(fd_, POLLOUT, deadline))
      return Status::error("the launcher at " + options_.rendezvous +
                           " does not take our messages in time");
    else if (errno != EAGAIN && errno != EINTR)
      return Status::error(describeError("the connection to the launcher broke", errno));
  }
  return Status::ok();
}

Status LauncherConnection::receive(Frame &frame, Clock::time_point deadline) {
  std::array<std::byte, 16 * 1024> chunk;
  for (;;) {
    switch (decoder_.next(frame)) {
    case FrameDecoder::Result::Malformed:
      return Status::error(
          "what answers at " + options_.rendezvous +
          " does not speak as ompdsm-run of this version does; start the program with the "
          "ompdsm-run of the same installation");
    case FrameDecoder::Result::Frame:
      if (frame.type == MessageType::End)
        return Status::error("the job ends: " + decodeText(frame));
      return Status::ok();
    case FrameDecoder::Result::NeedBytes:
      break;
    }
    if (!waitFor(fd_, POLLIN, deadline))
      return Status::error("the launcher at " + options_.rendezvous + " does not answer in time");
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (got > 0)
      decoder_.append(Bytes(chunk).first(static_cast<std::size_t>(got)));
    else if (got == 0 || errno == ECONNRESET) {
      wasClosed_ = true;
      return Status::error("the launcher at " + options_.rendezvous + " closed the connection");
    } else if (errno != EAGAIN && errno != EINTR)
      return Status::error(describeError("the connection to the launcher broke", errno));
  }
}

Status LauncherConnection::authenticate(const Secret &secret, Clock::time_point deadline) {
  Frame frame;
  if (Status status = receive(frame, deadline); !status.isOk())
    return status;
  const Challenge challenge = decodeChallenge(frame);
  if (challenge.version != kProtocolVersion)
    return Status::error("the launcher speaks version " + std::to_string(challenge.version) +
                         " of the rendezvous, this program version " +
                         std::to_string(kProtocolVersion) +
                         "; use ompdsm-run and libompdsm of one installation");
  Hello hello;
  hello.node = static_cast<std::uint16_t>(options_.node);
  hello.pid = static_cast<std::uint32_t>(getpid());
  if (!fillRandom(hello.nonce))
    return Status::error(describeError("cannot get random bytes for the rendezvous", errno));
  const Exchange exchange{hello.node, hello.pid, challenge.nonce, hello.nonce};
  hello.proof = proveNode(secret, exchange);
  std::vector<std::byte> bytes;
  appendHello(bytes, hello);
  if (Status status = send(bytes, deadline); !status.isOk())
    return status;
  decoder_.accept(typeBit(MessageType::Welcome) | typeBit(MessageType::End));
  if (Status status = receive(frame, deadline); !status.isOk())
    return status;
  if (!sameProof(decodeWelcome(frame).proof, proveLauncher(secret, exchange)))
    return Status::error("what answers at " + options_.rendezvous +
                         " is not the launcher of this job (it does not know the secret)");
  decoder_.accept(typeBit(MessageType::GatherPart) | typeBit(MessageType::End));
  return Status::ok();
}

Status LauncherConnection::allGather(std::span<const std::byte> mine,
                                     std::vector<std::vector<std::byte>> &all,
                                     std::chrono::milliseconds timeout) {
  OMPDSM_CHECK(!watching_ && mine.size() <= kMaxBlobBytes);
  const Clock::time_point deadline = Clock::now() + timeout;
  std::vector<std::byte> bytes;
  appendGather(bytes, mine);
  if (Status status = send(bytes, deadline); !status.isOk())
    return status;
  std::vector<std::vector<std::byte>> gathered;
  gathered.reserve(options_.nodes);
  while (gathered.size() < options_.nodes) {
    Frame frame;
    if (Status status = receive(frame, deadline); !status.isOk())
      return status;
    const GatherPart part = decodeGatherPart(frame);
    if (part.node != gathered.size())
      return Status::error("the launcher sent the part of node " + std::to_string(part.node) +
                           " in the place of node " + std::to_string(gathered.size()));
    gathered.emplace_back(part.blob.begin(), part.blob.end());
  }
  all = std::move(gathered);
  return Status::ok();
}

void LauncherConnection::watch(std::function<void(const std::string &reason)> onJobEnd) {
  OMPDSM_CHECK(!watching_);
  onJobEnd_ = std::move(onJobEnd);
  // The thread is born with all signals blocked: the program's handlers run on the program's
  // threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&thread_, nullptr, runWatch, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // Without the thread a node would outlive its job, and at start-up there is nothing to save.
  OMPDSM_CHECK(error == 0);
  watching_ = true;
}

void *LauncherConnection::runWatch(void *self) {
  auto *connection = static_cast<LauncherConnection *>(self);
  pthread_setname_np(pthread_self(), "ompdsm-watch");
  const std::string reason = connection->watchLoop();
  if (!connection->stopping_.load(std::memory_order_acquire)) // pairs with the destructor's release
    connection->onJobEnd_(reason);
  return nullptr;
}

std::string LauncherConnection::watchLoop() {
  std::array<std::byte, 4096> chunk;
  for (;;) {
    Frame frame;
    FrameDecoder::Result result = decoder_.next(frame);
    if (result == FrameDecoder::Result::Frame && frame.type == MessageType::End)
      return decodeText(frame);
    if (result != FrameDecoder::Result::NeedBytes)
      return "the launcher broke the rendezvous protocol";
    // Blocks without a limit: the launcher's death is an end of file, a cut link a keepalive error.
    const ssize_t got = recv(fd_, chunk.data(), chunk.size(), 0);
    if (got > 0)
      decoder_.append(Bytes(chunk).first(static_cast<std::size_t>(got)));
    else if (got == 0)
      return "the launcher is gone";
    else if (errno == EAGAIN)
      waitFor(fd_, POLLIN, Clock::now() + std::chrono::hours(1));
    else if (errno != EINTR)
      return describeError("the connection to the launcher broke", errno);
  }
}

void LauncherConnection::sendAtOnce(const std::byte *bytes, std::size_t count) noexcept {
  // One send() for the whole frame, so that frames of several threads do not mix. A node sends a
  // few frames in its life, so the socket's buffer has room; if not, the launcher is stuck or gone,
  // and waiting for it in a signal handler would be worse than a lost text.
  const int saved = errno;
  ssize_t sent;
  do
    sent = ::send(fd_, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  errno = saved;
}

void LauncherConnection::reportFailure(const char *message) noexcept {
  // relaxed: the flag only picks the first caller, it publishes nothing.
  if (failureSent_.exchange(true, std::memory_order_relaxed))
    return;
  std::array<std::byte, kHeaderBytes + kMaxTextBytes> frame;
  const std::size_t length = strnlen(message, kMaxTextBytes);
  encodeHeader(MessageType::Failure, static_cast<std::uint32_t>(length),
               std::span(frame).first<kHeaderBytes>());
  std::memcpy(frame.data() + kHeaderBytes, message, length);
  sendAtOnce(frame.data(), kHeaderBytes + length);
  if (options_.awaitsEnd)
    awaitEnd();
}

void LauncherConnection::awaitEnd() noexcept {
  constexpr std::chrono::milliseconds kLongest(1000);
  if (!watching_) {
    Frame frame;
    while (receive(frame, Clock::now() + kLongest).isOk()) {
    }
    return;
  }
  // The liveness thread reads what comes, and ends the process.
  pollfd entry{fd_, POLLRDHUP, 0};
  (void)poll(&entry, 1, static_cast<int>(kLongest.count()));
}

void LauncherConnection::reportDone() noexcept {
  if (doneSent_.exchange(true, std::memory_order_relaxed)) // relaxed: as in reportFailure()
    return;
  std::array<std::byte, kHeaderBytes> frame;
  encodeHeader(MessageType::Done, 0, frame);
  sendAtOnce(frame.data(), frame.size());
}

/// One connection, not authenticated yet.
Status dial(const sockaddr_in &address, const BootstrapOptions &options, Clock::time_point deadline,
            std::unique_ptr<LauncherConnection> &connection) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0)
    return Status::error(describeError("cannot make a socket for the rendezvous", errno));
  fd = moveHigh(fd);
  auto dialled = std::make_unique<LauncherConnection>(fd, options);
  setLiveness(fd);
  int error = 0;
  if (::connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
    error = errno;
  if (error == EINPROGRESS || error == EINTR) {
    socklen_t length = sizeof error;
    if (!waitFor(fd, POLLOUT, deadline))
      error = ETIMEDOUT;
    else if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) != 0)
      error = errno;
  }
  if (error != 0)
    return Status::error(
        describeError(("cannot connect to the launcher at " + options.rendezvous).c_str(), error));
  connection = std::move(dialled);
  return Status::ok();
}

} // namespace

Status readBootstrapEnvironment(BootstrapOptions &options) {
  const char *nodes = getenv("OMPDSM_NODES");
  char *secret = getenv("OMPDSM_SECRET");
  // A child of a node inherits everything but the secret; it is a program of its own, not a node.
  if (!nodes || !secret)
    return Status::ok();
  BootstrapOptions read;
  const char *node = getenv("OMPDSM_NODE");
  const char *rendezvous = getenv("OMPDSM_RENDEZVOUS");
  if (!parseNumber(nodes, kMaxNodes, read.nodes) || read.nodes == 0)
    return Status::error("OMPDSM_NODES is '" + std::string(nodes) + "', not a number from 1 to " +
                         std::to_string(kMaxNodes) +
                         "; start the program with ompdsm-run, which sets it");
  if (!node || !parseNumber(node, read.nodes - 1, read.node))
    return Status::error("OMPDSM_NODE is " +
                         (node ? "'" + std::string(node) + "'" : std::string("not set")) +
                         ", it must be a number below OMPDSM_NODES (" + nodes +
                         "); start the program with ompdsm-run, which sets it");
  if (!rendezvous || !parseAddress(rendezvous))
    return Status::error(
        "OMPDSM_RENDEZVOUS must be the launcher's address as ip:port; start the program "
        "with ompdsm-run, which sets it");
  if (!parseSecret(secret))
    return Status::error(
        "OMPDSM_SECRET is not a secret of ompdsm-run (64 hexadecimal digits); start the "
        "program with ompdsm-run, which sets it");
  read.rendezvous = rendezvous;
  read.secret = secret;
  // The kernel shows the first environment in /proc, so the text itself is wiped, not only unset.
  explicit_bzero(secret, std::strlen(secret));
  unsetenv("OMPDSM_SECRET");
  options = std::move(read);
  return Status::ok();
}

Status Bootstrap::connect(const BootstrapOptions &options, std::chrono::milliseconds timeout,
                          std::unique_ptr<Bootstrap> &bootstrap) {
  const Clock::time_point deadline = Clock::now() + timeout;
  const std::optional<sockaddr_in> address = parseAddress(options.rendezvous);
  const std::optional<Secret> secret = parseSecret(options.secret);
  if (!address || !secret || options.node >= options.nodes || options.nodes > kMaxNodes)
    return Status::error(
        "the rendezvous with the launcher is not described well (node, nodes, address, secret)");
  for (;;) {
    std::unique_ptr<LauncherConnection> connection;
    if (Status status = dial(*address, options, deadline, connection); !status.isOk())
      return status;
    Status status = connection->authenticate(*secret, deadline);
    if (status.isOk()) {
      bootstrap = std::move(connection);
      return status;
    }
    // A launcher that is crowded by strangers drops whoever has not proved itself yet, and that may
    // be us: try again.
    if (!connection->wasClosed() || Clock::now() + kRetryDelay >= deadline)
      return status;
    usleep(std::chrono::microseconds(kRetryDelay).count());
  }
}

} // namespace ompdsm::fabric
