// Sites.h: the places of the program at which nodes meet: a number for the protocol, which counts
// by it (protocol/engine/SiteCounts.h), and a name for the user.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include "protocol/core/Types.h"
#include <map>
#include <mutex>
#include <string>

namespace ompdsm {

enum class SiteKind : std::uint8_t {
  Barrier,
  RegionBegin,
  RegionEnd, ///< The barrier there.
};

/// Any thread may call.
class Sites {
public:
  /// `areNamed`: else nobody will ask for their names.
  explicit Sites(bool areNamed) : areNamed_(areNamed) {}

  /// `code`: an address in the program that tells apart places of the same location, as without -g
  /// all of a file have one. The same on all nodes, as constants and functions of the program have
  /// the same addresses. Two places may have the same number, with a probability of one in 2^31:
  /// they are taken for one then.
  SiteId idOf(const Ident *location, SiteKind kind, const void *code);
  /// "file:line, barrier", or as far as that is known.
  std::string nameOf(SiteId site) const;

private:
  struct Place {
    const Ident *location;
    SiteKind kind;
  };
  const bool areNamed_;
  mutable std::mutex mutex_;
  std::map<SiteId, Place> places_;
};

} // namespace ompdsm
