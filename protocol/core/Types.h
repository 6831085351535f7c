// Types.h: the words of the protocol core. The core includes nothing of the project but itself.
#pragma once
#include <cstdint>

namespace ompdsm {

using NodeId = std::uint16_t;
using Address = std::uintptr_t;
/// A place in the program at which nodes synchronise, the same on all of them; kSiteIdBits bits.
using SiteId = std::uint32_t;
inline constexpr unsigned kSiteIdBits = 30; ///< What messages have room for.
inline constexpr SiteId kNoSite = 0; ///< None in particular.

} // namespace ompdsm
