// Dice.h: random numbers that are the same on every machine. All that a generated program, or a
// simulated run, leaves to chance comes from one seed.
#pragma once
#include <cstdint>

namespace ompdsm::sim {

/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators").
class Dice {
public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 to bound - 1; `bound` is small against 2^64, so that the bias does not matter.
  unsigned below(unsigned bound) { return unsigned(next() % bound); }
  bool oneIn(unsigned count) { return below(count) == 0; }

private:
  std::uint64_t state_;
};

} // namespace ompdsm::sim
