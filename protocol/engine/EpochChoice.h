// EpochChoice.h: which barriers do what only some do, without a word about it.
#pragma once
#include <cstdint>

namespace ompdsm {

/// Of what is chosen, so that the choices differ.
enum class EpochChoice : std::uint32_t {
  Moves = 0x9E3779B1,   ///< Fibonacci hashing (Knuth 3, 6.4).
  Watched = 0x85EBCA6B, ///< A multiplier of MurmurHash3 (Appleby).
  Sizes = 0xC2B2AE35,   ///< Another one.
};

/// True for one in `oneIn` epochs, a power of two: the same ones on all nodes, and not in step with
/// the program.
constexpr bool isChosen(std::uint32_t epoch, EpochChoice choice, std::uint32_t oneIn) {
  return (epoch * std::uint32_t(choice) >> 16) % oneIn == 0;
}

} // namespace ompdsm
