// Payload.h: messages whose content says who sent them, on which channel, as which one, and whether
// every byte is right.
#pragma once
#include "fabric/Transport.h"
#include <cstring>
#include <vector>

namespace ompdsm::test {

/// A stateless random number: splitmix64 of `seed`.
inline std::uint64_t mix(std::uint64_t seed) {
  std::uint64_t z = seed + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Identity of a message; `stream` tells the threads of a sender apart.
struct Label {
  std::uint16_t from = 0;
  std::uint8_t channel = 0;
  std::uint8_t stream = 0;
  std::uint32_t bytes = 0; ///< Of the whole message.
  std::uint64_t sequence = 0;
};
inline constexpr std::size_t kLabelBytes = sizeof(Label);
static_assert(kLabelBytes == 16);

inline std::uint64_t labelHash(const Label &label) {
  std::uint64_t words[2];
  std::memcpy(words, &label, sizeof words);
  return mix(words[0] ^ mix(words[1]));
}

/// The message with that label: the label (as far as it fits) and bytes that follow from it.
inline void makeMessage(const Label &label, std::vector<std::byte> &message) {
  message.resize(label.bytes);
  std::size_t head = label.bytes < kLabelBytes ? 0 : kLabelBytes;
  if (head != 0)
    std::memcpy(message.data(), &label, kLabelBytes);
  std::uint64_t state = labelHash(label);
  for (std::size_t at = head; at < message.size(); at += 8) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(message.data() + at, &state, std::min<std::size_t>(8, message.size() - at));
  }
}

/// True if `message` is exactly the message with that label.
inline bool isMessage(fabric::Bytes message, const Label &label) {
  static thread_local std::vector<std::byte> expected;
  makeMessage(label, expected);
  return message.size() == expected.size() &&
         std::memcmp(message.data(), expected.data(), message.size()) == 0;
}

/// The label that `message` claims; its size must be at least kLabelBytes.
inline Label labelOf(fabric::Bytes message) {
  Label label;
  std::memcpy(&label, message.data(), kLabelBytes);
  return label;
}

/// A message size: mostly small, now and then around the limits that transports care about, up to
/// the largest.
inline std::uint32_t randomBytes(std::uint64_t random) {
  constexpr std::uint32_t kEdges[] = {64,   128,  240,   256,   4064,  4079,  4080,  4081, 4096,
                                      8160, 8161, 16384, 65535, 65536, 65537, 66047, 66048};
  static_assert(fabric::kMaxMessageBytes == 66048);
  std::uint64_t kind = random % 16;
  std::uint64_t rest = random >> 8;
  if (kind < 11)
    return static_cast<std::uint32_t>(kLabelBytes + rest % 300);
  if (kind < 13)
    return static_cast<std::uint32_t>(kLabelBytes + rest % 5000);
  if (kind < 14)
    return static_cast<std::uint32_t>(kLabelBytes + rest % (66048 - kLabelBytes + 1));
  return kEdges[rest % std::size(kEdges)];
}

} // namespace ompdsm::test
