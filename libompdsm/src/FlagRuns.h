// FlagRuns.h: which iterations of a loop have raised their flags, as far as one node knows.
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ompdsm {

/// Three bits for each iteration, in runs. Guarded by its owner.
class FlagRuns {
public:
  static constexpr std::uint64_t kRun = 512;
  /// Some iterations: runs, and those of each.
  using Iterations = std::vector<std::pair<std::uint64_t, std::bitset<kRun>>>;

  /// A thread of this node raises it.
  void raise(std::uint64_t iteration) {
    Run &run = runs_[iteration / kRun];
    run.known.set(iteration % kRun);
    run.own.set(iteration % kRun);
    if (!std::exchange(run.isUnreleased, true))
      unreleased_.push_back(iteration / kRun);
  }
  /// Another node has raised these, and what it wrote before is here. Of one run.
  void learn(std::uint64_t first, std::uint64_t count) {
    Run &run = runs_[first / kRun];
    for (std::uint64_t k = 0; k < count && first % kRun + k < kRun; ++k)
      run.known.set(first % kRun + k);
  }

  /// Raised, here or elsewhere.
  bool isKnown(std::uint64_t iteration) const { return test(iteration, &Run::known); }
  /// Raised by a thread of this node.
  bool isOwn(std::uint64_t iteration) const { return test(iteration, &Run::own); }
  /// And behind that a release of this node has begun.
  bool isReleased(std::uint64_t iteration) const { return test(iteration, &Run::released); }
  /// How many from there on are, to the end of the run.
  std::uint64_t countReleased(std::uint64_t first) const {
    const auto run = runs_.find(first / kRun);
    std::uint64_t end = first % kRun;
    while (run != runs_.end() && end < kRun && run->second.released[end])
      ++end;
    return end - first % kRun;
  }

  bool hasUnreleased() const { return !unreleased_.empty(); }
  /// Those of this node that no release covers, nor one that is beginning now: for a release that
  /// begins behind this call.
  Iterations takeUnreleased() {
    Iterations taken;
    for (const std::uint64_t index : std::exchange(unreleased_, {})) {
      Run &run = runs_.at(index);
      run.isUnreleased = false;
      taken.emplace_back(index, run.own & ~run.released);
    }
    return taken;
  }
  void noteReleased(const Iterations &iterations) {
    for (const auto &[index, bits] : iterations)
      runs_.at(index).released |= bits;
  }

private:
  struct Run {
    std::bitset<kRun> known, own, released;
    bool isUnreleased = false; ///< In unreleased_.
  };
  bool test(std::uint64_t iteration, std::bitset<kRun> Run::*bits) const {
    const auto run = runs_.find(iteration / kRun);
    return run != runs_.end() && (run->second.*bits)[iteration % kRun];
  }
  std::unordered_map<std::uint64_t, Run> runs_;
  std::vector<std::uint64_t> unreleased_; ///< Runs with such iterations.
};

} // namespace ompdsm
