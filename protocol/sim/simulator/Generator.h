// Generator.h: random programs without data races, and how they run, from a seed.
#pragma once
#include "protocol/sim/simulator/Program.h"
#include <optional>

namespace ompdsm::simulator {

/// What is not left to the seed.
struct Wishes {
  std::optional<unsigned> nodes;
  std::optional<Network> network;
};

/// The same on every machine. Of the seeds without wishes, most have few nodes, one in a hundred
/// has more than 64.
Scenario generatedScenario(std::uint64_t seed, const Wishes &wishes = {});

} // namespace ompdsm::simulator
