// BootstrapProtocol.cpp: frames of the rendezvous, their bounds, and the proofs of the secret.
#include "fabric/BootstrapProtocol.h"
#include "fabric/Check.h"
#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <netinet/tcp.h>
#include <sodium.h>
#include <sys/random.h>
#include <sys/socket.h>

namespace ompdsm::fabric::bootstrap {
namespace {

struct LengthBounds {
  std::uint32_t least;
  std::uint32_t most;
};

constexpr std::uint32_t kChallengeBytes = 2 + 32;
constexpr std::uint32_t kHelloBytes = 2 + 2 + 4 + 32 + 32;
constexpr std::uint32_t kWelcomeBytes = 32;

/// Payload lengths by message type; type 0 does not exist.
constexpr std::array<LengthBounds, kLastMessageType + 1> kLengths = {{
    {1, 0},
    {kChallengeBytes, kChallengeBytes},
    {kHelloBytes, kHelloBytes},
    {kWelcomeBytes, kWelcomeBytes},
    {0, kMaxBlobBytes},
    {2, 2 + kMaxBlobBytes},
    {0, kMaxTextBytes},
    {0, 0},
    {0, kMaxTextBytes},
}};
static_assert(kLengths[unsigned(MessageType::Done)].most == 0);
static_assert(kLengths[unsigned(MessageType::End)].most == kMaxTextBytes);
static_assert(kLengths[unsigned(MessageType::GatherPart)].least == 2);

/// Appends integers byte by byte, so that the format does not depend on the host.
class Writer {
public:
  explicit Writer(std::vector<std::byte> &out) : out_(out) {}
  void number(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      out_.push_back(static_cast<std::byte>(value >> (8 * i)));
  }
  void raw(const void *data, std::size_t bytes) {
    const auto *first = static_cast<const std::byte *>(data);
    out_.insert(out_.end(), first, first + bytes);
  }
  void header(MessageType type, std::size_t length) {
    const LengthBounds bounds = kLengths[unsigned(type)];
    OMPDSM_CHECK(length >= bounds.least && length <= bounds.most);
    std::array<std::byte, kHeaderBytes> bytes;
    encodeHeader(type, static_cast<std::uint32_t>(length), bytes);
    raw(bytes.data(), bytes.size());
  }

private:
  std::vector<std::byte> &out_;
};

class Reader {
public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}
  std::uint32_t number(unsigned bytes) {
    OMPDSM_CHECK(bytes <= bytes_.size());
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
      value |= std::to_integer<std::uint32_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(bytes);
    return value;
  }
  template <std::size_t N> std::array<unsigned char, N> array() {
    OMPDSM_CHECK(N <= bytes_.size());
    std::array<unsigned char, N> value;
    std::memcpy(value.data(), bytes_.data(), N);
    bytes_ = bytes_.subspan(N);
    return value;
  }
  Bytes rest() const { return bytes_; }

private:
  Bytes bytes_;
};

Proof prove(std::string_view label, const Secret &secret, const Exchange &exchange) {
  // Every field has a fixed width and the labels differ, so no two statements have equal bytes.
  std::vector<std::byte> statement;
  Writer writer(statement);
  writer.raw(label.data(), label.size());
  writer.number(kProtocolVersion, 2);
  writer.number(exchange.node, 2);
  writer.number(exchange.pid, 4);
  writer.raw(exchange.launcherNonce.data(), exchange.launcherNonce.size());
  writer.raw(exchange.nodeNonce.data(), exchange.nodeNonce.size());
  Proof proof;
  static_assert(crypto_auth_hmacsha256_BYTES == std::tuple_size_v<Proof>);
  static_assert(crypto_auth_hmacsha256_KEYBYTES == std::tuple_size_v<Secret>);
  crypto_auth_hmacsha256(proof.data(), reinterpret_cast<const unsigned char *>(statement.data()),
                         statement.size(), secret.data());
  return proof;
}

} // namespace

Proof proveNode(const Secret &secret, const Exchange &exchange) {
  return prove("ompdsm node    ", secret, exchange);
}

Proof proveLauncher(const Secret &secret, const Exchange &exchange) {
  return prove("ompdsm launcher", secret, exchange);
}

bool sameProof(const Proof &left, const Proof &right) {
  static_assert(crypto_verify_32_BYTES == std::tuple_size_v<Proof>);
  return crypto_verify_32(left.data(), right.data()) == 0;
}

std::string printSecret(const Secret &secret) {
  std::array<char, 2 * std::tuple_size_v<Secret> + 1> text;
  sodium_bin2hex(text.data(), text.size(), secret.data(), secret.size());
  return text.data();
}

std::optional<Secret> parseSecret(std::string_view hexadecimal) {
  Secret secret;
  std::size_t length = 0;
  if (hexadecimal.size() != 2 * secret.size() ||
      sodium_hex2bin(secret.data(), secret.size(), hexadecimal.data(), hexadecimal.size(), nullptr,
                     &length, nullptr) != 0 ||
      length != secret.size())
    return std::nullopt;
  return secret;
}

bool parseNumber(std::string_view text, unsigned most, unsigned &value) {
  unsigned parsed = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, parsed);
  if (error != std::errc() || stop != end || parsed > most)
    return false;
  value = parsed;
  return true;
}

std::string printAddress(const sockaddr_in &address) {
  char host[INET_ADDRSTRLEN];
  OMPDSM_CHECK(inet_ntop(AF_INET, &address.sin_addr, host, sizeof host));
  return std::string(host) + ":" + std::to_string(ntohs(address.sin_port));
}

std::optional<sockaddr_in> parseAddress(const std::string &text) {
  const std::size_t colon = text.rfind(':');
  unsigned port = 0;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (colon == std::string::npos ||
      !parseNumber(std::string_view(text).substr(colon + 1), 65535, port) || port == 0 ||
      inet_pton(AF_INET, text.substr(0, colon).c_str(), &address.sin_addr) != 1)
    return std::nullopt;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

void setLiveness(int fd) {
  const int on = 1, idleSeconds = 1, intervalSeconds = 1, probes = 3;
  const unsigned userTimeoutMs = 4000;
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idleSeconds, sizeof idleSeconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &intervalSeconds, sizeof intervalSeconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &userTimeoutMs, sizeof userTimeoutMs);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool fillRandom(std::span<unsigned char> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

void encodeHeader(MessageType type, std::uint32_t length, std::span<std::byte, kHeaderBytes> out) {
  out[0] = static_cast<std::byte>(type);
  out[1] = out[2] = out[3] = std::byte{0};
  for (unsigned i = 0; i < 4; ++i)
    out[4 + i] = static_cast<std::byte>(length >> (8 * i));
}

void appendChallenge(std::vector<std::byte> &out, const Challenge &challenge) {
  Writer writer(out);
  writer.header(MessageType::Challenge, kChallengeBytes);
  writer.number(challenge.version, 2);
  writer.raw(challenge.nonce.data(), challenge.nonce.size());
}

void appendHello(std::vector<std::byte> &out, const Hello &hello) {
  Writer writer(out);
  writer.header(MessageType::Hello, kHelloBytes);
  writer.number(hello.version, 2);
  writer.number(hello.node, 2);
  writer.number(hello.pid, 4);
  writer.raw(hello.nonce.data(), hello.nonce.size());
  writer.raw(hello.proof.data(), hello.proof.size());
}

void appendWelcome(std::vector<std::byte> &out, const Welcome &welcome) {
  Writer writer(out);
  writer.header(MessageType::Welcome, kWelcomeBytes);
  writer.raw(welcome.proof.data(), welcome.proof.size());
}

void appendGather(std::vector<std::byte> &out, Bytes blob) {
  Writer writer(out);
  writer.header(MessageType::Gather, blob.size());
  writer.raw(blob.data(), blob.size());
}

void appendGatherPart(std::vector<std::byte> &out, const GatherPart &part) {
  Writer writer(out);
  writer.header(MessageType::GatherPart, 2 + part.blob.size());
  writer.number(part.node, 2);
  writer.raw(part.blob.data(), part.blob.size());
}

void appendText(std::vector<std::byte> &out, MessageType type, std::string_view text) {
  text = text.substr(0, kMaxTextBytes);
  Writer writer(out);
  writer.header(type, text.size());
  writer.raw(text.data(), text.size());
}

void appendDone(std::vector<std::byte> &out) { Writer(out).header(MessageType::Done, 0); }

Challenge decodeChallenge(const Frame &frame) {
  OMPDSM_CHECK(frame.type == MessageType::Challenge);
  Reader reader(frame.payload);
  Challenge challenge;
  challenge.version = static_cast<std::uint16_t>(reader.number(2));
  challenge.nonce = reader.array<32>();
  return challenge;
}

Hello decodeHello(const Frame &frame) {
  OMPDSM_CHECK(frame.type == MessageType::Hello);
  Reader reader(frame.payload);
  Hello hello;
  hello.version = static_cast<std::uint16_t>(reader.number(2));
  hello.node = static_cast<std::uint16_t>(reader.number(2));
  hello.pid = reader.number(4);
  hello.nonce = reader.array<32>();
  hello.proof = reader.array<32>();
  return hello;
}

Welcome decodeWelcome(const Frame &frame) {
  OMPDSM_CHECK(frame.type == MessageType::Welcome);
  return Welcome{Reader(frame.payload).array<32>()};
}

GatherPart decodeGatherPart(const Frame &frame) {
  OMPDSM_CHECK(frame.type == MessageType::GatherPart);
  Reader reader(frame.payload);
  GatherPart part;
  part.node = static_cast<std::uint16_t>(reader.number(2));
  part.blob = reader.rest();
  return part;
}

std::string decodeText(const Frame &frame) {
  OMPDSM_CHECK(frame.type == MessageType::Failure || frame.type == MessageType::End);
  return std::string(reinterpret_cast<const char *>(frame.payload.data()), frame.payload.size());
}

void FrameDecoder::append(Bytes received) {
  OMPDSM_CHECK(!malformed_);
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(consumed_));
  consumed_ = 0;
  buffer_.insert(buffer_.end(), received.begin(), received.end());
}

FrameDecoder::Result FrameDecoder::next(Frame &frame) {
  if (malformed_)
    return Result::Malformed;
  const Bytes rest = Bytes(buffer_).subspan(consumed_);
  if (rest.size() < kHeaderBytes)
    return Result::NeedBytes;
  Reader header(rest.first(kHeaderBytes));
  const std::uint32_t typeWord = header.number(4);
  const std::uint32_t length = header.number(4);
  if (typeWord == 0 || typeWord > kLastMessageType || !(accepted_ & (1u << typeWord)) ||
      length < kLengths[typeWord].least || length > kLengths[typeWord].most) {
    malformed_ = true;
    return Result::Malformed;
  }
  if (rest.size() - kHeaderBytes < length)
    return Result::NeedBytes;
  frame.type = static_cast<MessageType>(typeWord);
  frame.payload = rest.subspan(kHeaderBytes, length);
  consumed_ += kHeaderBytes + length;
  return Result::Frame;
}

} // namespace ompdsm::fabric::bootstrap
