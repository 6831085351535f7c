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
  /// `areWanted`: else there are none.
  explicit Sites(bool areWanted) : areWanted_(areWanted) {}

  /// The same on all nodes, as constants of the program have the same addresses. Two places may
  /// have the same number, with a probability of one in 2^31: they are counted as one then.
  SiteId idOf(const Ident *location, SiteKind kind);
  /// "file:line, barrier", or as far as that is known.
  std::string nameOf(SiteId site) const;

private:
  struct Place {
    const Ident *location;
    SiteKind kind;
  };
  const bool areWanted_;
  mutable std::mutex mutex_;
  std::map<SiteId, Place> places_;
};

} // namespace ompdsm
