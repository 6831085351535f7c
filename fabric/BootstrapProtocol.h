// BootstrapProtocol.h: the wire format between a node and the launcher.
//
// A connection carries frames: 8 bytes of header (type, zero, zero, zero, length; little-endian)
// and `length` bytes of payload. The launcher speaks first:
//   launcher -> node: Challenge, Welcome, GatherPart (one per node, in order of nodes), End
//   node -> launcher: Hello, Gather, Failure, Done
// Challenge, Hello and Welcome prove to each side that the other knows the job's secret (HMAC over
// fresh nonces of both), and the secret itself never travels.
//
// The decoder trusts nothing: a frame's type and length are judged from its header, before a byte
// of payload is kept, so what a peer can make us store is bounded. It has no I/O, allocates only
// its one buffer, and may be used by one thread at a time.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ompdsm::fabric::bootstrap {

inline constexpr std::uint16_t kProtocolVersion = 1;
inline constexpr unsigned kMaxNodes = 256;
inline constexpr std::size_t kMaxBlobBytes = 64 * 1024;
inline constexpr std::size_t kMaxTextBytes = 1024;
inline constexpr std::size_t kHeaderBytes = 8;

using Bytes = std::span<const std::byte>;
using Secret = std::array<unsigned char, 32>;
using Nonce = std::array<unsigned char, 32>;
using Proof = std::array<unsigned char, 32>;

enum class MessageType : std::uint8_t {
  Challenge = 1,
  Hello = 2,
  Welcome = 3,
  Gather = 4,
  GatherPart = 5,
  Failure = 6,
  Done = 7,
  End = 8
};
inline constexpr unsigned kLastMessageType = 8;

/// Set of message types, one bit each: what a side accepts in its present state.
using TypeSet = std::uint16_t;
constexpr TypeSet typeBit(MessageType type) { return static_cast<TypeSet>(1u << unsigned(type)); }

struct Challenge {
  std::uint16_t version = kProtocolVersion;
  Nonce nonce{}; ///< of the launcher.
};
struct Hello {
  std::uint16_t version = kProtocolVersion;
  std::uint16_t node = 0;
  std::uint32_t pid = 0;
  Nonce nonce{}; ///< of the node.
  Proof proof{};
};
struct Welcome {
  Proof proof{};
};
struct GatherPart {
  std::uint16_t node = 0;
  Bytes blob; ///< points into the decoder's buffer.
};

/// What both sides know when they prove themselves; the proofs of the two sides differ by a label.
struct Exchange {
  std::uint16_t node = 0;
  std::uint32_t pid = 0;
  Nonce launcherNonce{};
  Nonce nodeNonce{};
};
Proof proveNode(const Secret &secret, const Exchange &exchange);
Proof proveLauncher(const Secret &secret, const Exchange &exchange);
/// Compares in constant time.
bool sameProof(const Proof &left, const Proof &right);

std::string printSecret(const Secret &secret);
std::optional<Secret> parseSecret(std::string_view hexadecimal);
/// A decimal number of at most `most`; false leaves `value` as it was.
bool parseNumber(std::string_view text, unsigned most, unsigned &value);
/// The launcher's address as the nodes' environment has it, "a.b.c.d:port": numbers, so that no
/// name is looked up.
std::string printAddress(const sockaddr_in &address);
std::optional<sockaddr_in> parseAddress(const std::string &text);

/// Both sides of a connection notice a cut link or a lost host within seconds, not after the
/// kernel's quarter of an hour.
void setLiveness(int fd);

/// Fills `out` from the kernel's generator; false (errno set) if it refuses.
bool fillRandom(std::span<unsigned char> out);

/// Writes the header of a frame with `length` bytes of payload. Async-signal-safe.
void encodeHeader(MessageType type, std::uint32_t length, std::span<std::byte, kHeaderBytes> out);
/// Each appends one whole frame to `out`.
void appendChallenge(std::vector<std::byte> &out, const Challenge &challenge);
void appendHello(std::vector<std::byte> &out, const Hello &hello);
void appendWelcome(std::vector<std::byte> &out, const Welcome &welcome);
void appendGather(std::vector<std::byte> &out, Bytes blob);
void appendGatherPart(std::vector<std::byte> &out, const GatherPart &part);
/// Text beyond kMaxTextBytes is cut.
void appendText(std::vector<std::byte> &out, MessageType type, std::string_view text);
void appendDone(std::vector<std::byte> &out);

struct Frame {
  MessageType type = MessageType::Done;
  Bytes payload; ///< valid until the decoder's next append().
};

/// The payload of a frame of that type; lengths were checked by the decoder.
Challenge decodeChallenge(const Frame &frame);
Hello decodeHello(const Frame &frame);
Welcome decodeWelcome(const Frame &frame);
GatherPart decodeGatherPart(const Frame &frame);
std::string decodeText(const Frame &frame);

/// Cuts a stream of bytes into frames.
class FrameDecoder {
public:
  enum class Result : std::uint8_t { NeedBytes, Frame, Malformed };

  explicit FrameDecoder(TypeSet accepted) : accepted_(accepted) {}
  /// Frames of other types are malformed from now on.
  void accept(TypeSet accepted) { accepted_ = accepted; }

  /// Adds received bytes. Callers take all frames with next() before they append again, so that at
  /// most one incomplete frame is kept; after Malformed nothing may be appended.
  void append(Bytes received);
  /// The next whole frame, if there is one. Malformed stays.
  Result next(Frame &frame);
  /// Bytes held that belong to no frame that was returned.
  std::size_t pendingBytes() const { return buffer_.size() - consumed_; }

private:
  TypeSet accepted_;
  bool malformed_ = false;
  std::vector<std::byte> buffer_;
  std::size_t consumed_ = 0; ///< prefix of buffer_ that belongs to frames already returned.
};

} // namespace ompdsm::fabric::bootstrap
