// Network.h: what a message costs, by the LogGP model.
//
// Source: Alexandrov, Ionescu, Schauser, Scheiman, "LogGP: incorporating long messages into the
// LogP model" (SPAA 1995). A node is busy for `overhead` with each message that it sends or
// receives, its interface for `gap` and the further bytes, and the last byte is `latency` under
// way.
#pragma once
#include <cstdint>
#include <vector>

namespace ompdsm::simulator {

/// Virtual time, in picoseconds.
using Time = std::uint64_t;
inline constexpr Time kNanosecond = 1000, kMicrosecond = 1000 * kNanosecond;
inline double inMicroseconds(Time time) { return double(time) / double(kMicrosecond); }

struct Network {
  const char *name;
  Time latency, overhead, gap;
  Time gapPerByte;
  const char *source; ///< Of the numbers.

  /// For how long a message of `bytes` keeps the sender's interface, and when its last byte leaves.
  Time occupies(std::size_t bytes) const { return gap + streams(bytes); }
  Time streams(std::size_t bytes) const { return Time(bytes - 1) * gapPerByte; }
};

/// Those that have a name; the first is the default.
const std::vector<Network> &namedNetworks();

/// Of the work between messages; of the order that the engine shows on current processors.
inline constexpr Time kStepCost = 100 * kNanosecond, kCostPerByte = 100;

} // namespace ompdsm::simulator
