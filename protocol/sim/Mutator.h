// Mutator.h: every change of a single cell of the tables, and whether some program notices it.
#pragma once
#include "protocol/sim/Explorer.h"
#include <optional>

namespace ompdsm::sim {

/// One cell of a table, changed in one way.
struct Mutant {
  enum class Change : std::uint8_t {
    Without,    ///< The action at `index` is left out.
    To,         ///< Another next state.
    Stall,      ///< Nothing happens at all.
    Impossible, ///< The event counts as a fault of the peers.
  };
  BlockState state;
  Event event;
  Change change;
  unsigned index = 0;
  BlockState next = BlockState::Exclusive;

  void apply(Rules &rules) const;
  /// "Dirty/FlushChanged/without-SendPut", ".../to-Clean", ".../stall", ".../impossible".
  std::string name() const;
};

/// All of them, of all cells that are possible; none twice.
std::vector<Mutant> allMutants();
std::optional<Mutant> mutantOf(const std::string &name);

/// What the programs do under the unchanged rules.
struct Baseline {
  std::vector<Outcome> outcomes; ///< By program.
  std::size_t states = 0;
  /// Explores all programs on `jobs` threads.
  static Baseline of(const std::vector<Litmus> &programs, unsigned jobs);
  bool isReached(BlockState state, Event event) const;
  /// Programs that take the transition, those with few states first.
  std::vector<std::size_t> reaching(BlockState state, Event event) const;
};

/// The first of the programs that fails under the mutant, or none.
std::optional<std::size_t> killerOf(const Mutant &mutant, const std::vector<Litmus> &programs,
                                    const Baseline &baseline);

/// A mutant that no program can notice, and why.
struct Survivor {
  const char *name;
  const char *reason;
};
const std::vector<Survivor> &listedSurvivors();

/// What is not as it is listed: a mutant that survives and is not, one that is killed and is, and
/// entries of the list without a mutant of that name. killers[i] is of mutants[i].
std::vector<std::string> disagreements(const std::vector<Mutant> &mutants,
                                       const std::vector<std::optional<std::size_t>> &killers,
                                       const std::vector<Survivor> &listed);

} // namespace ompdsm::sim
