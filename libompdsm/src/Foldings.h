// Foldings.h: which parallel regions of the program are spread over the nodes and which are folded
// into one (FoldedRegion.h).
//
// Folded are those whose work takes one node no longer than a limit (RegionWork.h). The same region
// may be large at one time and small at another, as the levels of a multigrid method, so that each
// size has its own times. What determines the size is among the numbers that the region captures by
// value: visits count as of the same size where the product of these has about the same magnitude.
#pragma once
#include "libompdsm/src/FoldedReport.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/RegionWork.h"
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace ompdsm {

/// Of what a region captures, by the words that it gets: pointers count for nothing.
unsigned magnitudeOf(std::span<void *const> captures);

/// Node 0's initial thread only.
class Foldings {
public:
  enum class Mode : std::uint8_t { Never, WhereItGains, Always };

  /// What is known of one region at one size.
  struct Region {
    RegionWork work;
    const Ident *location;
    std::uint64_t visits = 0, folded = 0;
  };

  /// One visit of a region, until its end.
  class Visit {
  public:
    Visit(Foldings &foldings, Region &region, unsigned threads);
    /// By so many threads of node 0; 0: the region is to be spread.
    unsigned foldedThreads() const { return threads_; }
    /// `useful`: what a thread worked, if the region was spread. Nanoseconds.
    void end(std::uint64_t useful);

  private:
    Foldings &foldings_;
    Region &region_;
    const unsigned threads_;
    const std::uint64_t begin_;
  };

  Foldings(Mode mode, unsigned nodes) : mode_(mode), nodes_(nodes) {}
  /// Before the first region.
  void begin(std::string_view transport) { limit_ = foldingLimit(transport, nodes_); }
  /// Nothing if the region is to be spread in any case. `threadsHere`: of node 0, of the team.
  std::optional<Visit> begin(const Ident *location, Microtask microtask,
                             std::span<void *const> captures, bool mayFold, unsigned threadsHere);

  /// Those that were folded most often come first.
  std::vector<FoldedLine> lines() const;

private:
  using Key = std::pair<const void *, unsigned>; ///< Microtask, magnitude.
  RegionWork firstGuess(const Key &key) const;

  const Mode mode_;
  const unsigned nodes_;
  std::uint64_t limit_ = 0;       ///< Nanoseconds.
  bool wasFolded_ = false;        ///< The latest region.
  std::map<Key, Region> regions_; ///< Of each region as many as there are magnitudes at most.
};

/// Nanoseconds of a steady clock.
std::uint64_t steadyNanoseconds();

} // namespace ompdsm
