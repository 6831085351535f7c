#include "libompdsm/src/Sites.h"
#include "libompdsm/src/SourceLocation.h"

namespace ompdsm {

SiteId Sites::idOf(const Ident *location, SiteKind kind, const void *code) {
  // Fibonacci hashing (Knuth 3, 6.4); locations are aligned to 8 bytes.
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;
  const std::uint64_t key = reinterpret_cast<std::uintptr_t>(location) + std::uint64_t(kind);
  const std::uint64_t both = (key * kGolden) ^ reinterpret_cast<std::uintptr_t>(code);
  const SiteId site = std::max<SiteId>(SiteId(both * kGolden >> (64 - kSiteIdBits)), kNoSite + 1);
  if (!areNamed_)
    return site;
  const std::lock_guard lock(mutex_);
  places_.try_emplace(site, Place{location, kind});
  return site;
}

std::string Sites::nameOf(SiteId site) const {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(site);
  if (found == places_.end())
    return "locks, flushes and hints";
  static constexpr const char *kKinds[] = {"barrier", "region begins", "region ends"};
  return sourceLine(found->second.location) + ", " + kKinds[unsigned(found->second.kind)];
}

} // namespace ompdsm
