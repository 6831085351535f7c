#include "protocol/engine/Digest.h"
#include <cstring>

namespace ompdsm {

/// The output function of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014).
static std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

ContentsDigest digestOfLine(Address line, LineMask mask, const std::byte *packed) {
  std::uint64_t sum = mix(mix(line) ^ mask);
  for (std::size_t left = std::size_t(std::popcount(mask)); left;) {
    const std::size_t count = std::min<std::size_t>(left, sizeof sum);
    std::uint64_t word = 0;
    std::memcpy(&word, packed, count);
    sum = mix(sum ^ word);
    packed += count;
    left -= count;
  }
  return {1, sum};
}

ContentsDigest digestOfBlock(Address begin, const std::byte *contents, std::size_t bytes) {
  ContentsDigest digest;
  for (std::size_t at = 0; at < bytes; at += kLineBytes)
    digest += digestOfLine(begin + at, kWholeLine, contents + at);
  return digest;
}

} // namespace ompdsm
