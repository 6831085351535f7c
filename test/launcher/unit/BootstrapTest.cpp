// BootstrapTest.cpp: a node whose launcher is not the one that has started it.
#include "fabric/Bootstrap.h"
#include "fabric/BootstrapProtocol.h"
#include <arpa/inet.h>
#include <atomic>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace ompdsm::fabric {
namespace {

using namespace bootstrap;

/// Lets one node in, takes its report, and then says that the job ends, or nothing.
class OneNodeLauncher {
public:
  explicit OneNodeLauncher(bool says) : says_(says) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr *>(&address), length), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    getsockname(listener_, reinterpret_cast<sockaddr *>(&address), &length);
    options_ = {.node = 0,
                .nodes = 1,
                .rendezvous = printAddress(address),
                .secret = printSecret(secret_),
                .awaitsEnd = true};
    thread_ = std::thread([this] { serve(); });
  }
  ~OneNodeLauncher() {
    thread_.join();
    close(listener_);
  }
  const BootstrapOptions &options() const { return options_; }
  const std::string &reported() const { return reported_; }
  bool hasSaid() const { return hasSaid_; }

private:
  void serve() {
    const int fd = accept(listener_, nullptr, nullptr);
    Challenge challenge;
    std::vector<std::byte> bytes;
    appendChallenge(bytes, challenge);
    sendAll(fd, bytes);
    FrameDecoder decoder(typeBit(MessageType::Hello) | typeBit(MessageType::Failure));
    while (const std::optional<Frame> frame = next(fd, decoder)) {
      bytes.clear();
      if (frame->type == MessageType::Hello) {
        const Hello hello = decodeHello(*frame);
        appendWelcome(
            bytes, {proveLauncher(secret_, {hello.node, hello.pid, challenge.nonce, hello.nonce})});
      } else {
        reported_ = decodeText(*frame);
        if (!says_)
          continue;
        std::this_thread::sleep_for(std::chrono::milliseconds(100)); // it prints
        hasSaid_ = true;
        appendText(bytes, MessageType::End, "it has failed");
      }
      sendAll(fd, bytes);
    }
    close(fd);
  }
  static void sendAll(int fd, const std::vector<std::byte> &bytes) {
    EXPECT_EQ(send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL), ssize_t(bytes.size()));
  }
  static std::optional<Frame> next(int fd, FrameDecoder &decoder) {
    Frame frame;
    std::byte chunk[4096];
    while (decoder.next(frame) == FrameDecoder::Result::NeedBytes) {
      const ssize_t got = recv(fd, chunk, sizeof chunk, 0);
      if (got <= 0)
        return std::nullopt;
      decoder.append({chunk, std::size_t(got)});
    }
    return frame;
  }

  const bool says_;
  const Secret secret_{1, 2, 3};
  int listener_ = -1;
  BootstrapOptions options_;
  std::string reported_;
  std::atomic<bool> hasSaid_{false};
  std::thread thread_;
};

std::unique_ptr<Bootstrap> connectTo(const OneNodeLauncher &launcher) {
  std::unique_ptr<Bootstrap> node;
  const Status status =
      Bootstrap::connect(launcher.options(), std::chrono::milliseconds(20000), node);
  EXPECT_TRUE(status.isOk()) << status.message();
  return node;
}

TEST(Bootstrap, WhoReportsAFailureWaitsUntilTheJobEnds) {
  OneNodeLauncher launcher(/*says=*/true);
  connectTo(launcher)->reportFailure("a mistake");
  EXPECT_TRUE(launcher.hasSaid());
  EXPECT_EQ(launcher.reported(), "a mistake");
}

TEST(Bootstrap, ButNotForEver) {
  OneNodeLauncher launcher(/*says=*/false);
  connectTo(launcher)->reportFailure("a mistake"); // the test has a time limit
  EXPECT_FALSE(launcher.hasSaid());
}

} // namespace
} // namespace ompdsm::fabric
