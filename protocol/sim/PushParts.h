// PushParts.h: what litmus programs about pushed changes are made of. Internal to their lists.
#pragma once
#include "protocol/sim/ProgramParts.h"

namespace ompdsm::sim::parts {

/// Nodes 0 to 2 as a set.
inline constexpr std::uint8_t kNone = 0, kOne = 2, kTwo = 4, kOneAndTwo = 6;

/// Block 0 has its home at node 0.
inline Litmus pushed(std::string name, std::uint8_t readers, std::vector<Program> threads) {
  Litmus litmus{"push: " + std::move(name), std::move(threads)};
  litmus.blocks[0].readers = readers;
  return litmus;
}
inline Litmus watched(std::string name, std::uint8_t readers, std::vector<Program> threads) {
  Litmus litmus = pushed("watched, " + name, readers, std::move(threads));
  litmus.blocks[0].watched = true;
  return litmus;
}
inline Litmus moving(Litmus litmus) {
  litmus.blocks[0].migratable = true;
  return litmus;
}
/// The home closes the block as it pushes its changes.
inline Litmus closed(Litmus litmus) {
  litmus.name += ", closed";
  litmus.blocks[0].closes = true;
  return litmus;
}
/// The home opens the block without a twin, and sends all of it.
inline Litmus bare(Litmus litmus) {
  litmus.name += ", bare";
  litmus.blocks[0].dense = true;
  return litmus;
}

/// The home is not expected to write the block once it has sent it.
inline Litmus unwritten(Litmus litmus) {
  litmus.name += ", unwritten";
  litmus.blocks[0].unwritten = true;
  return litmus;
}
/// Node 1 is expected to read the block behind barriers.
inline Litmus supplied(Litmus litmus) {
  litmus.blocks[0].supplied = kOne;
  return litmus;
}

/// Each of those `programs` that do not say what they cost or leave behind.
inline std::vector<Litmus> variantsOf(const std::vector<Litmus> &programs, Litmus (*vary)(Litmus)) {
  std::vector<Litmus> variants;
  for (const Litmus &litmus : programs)
    if (litmus.endings.empty() && litmus.most.isAny())
      variants.push_back(vary(litmus));
  return variants;
}

} // namespace ompdsm::sim::parts

namespace ompdsm::sim {

// Parts of pushPrograms().
std::vector<Litmus> pushesOfHomes();
std::vector<Litmus> pushesOfPuts();
std::vector<Litmus> watchedPushes();
std::vector<Litmus> pushesAndHomes();

} // namespace ompdsm::sim
