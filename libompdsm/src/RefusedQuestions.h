// RefusedQuestions.h: which loops need not ask for a while whether they may run without checks.
//
// To find out that an object is not valid takes up to some microseconds, as much as is looked at; a
// short loop that is reached often, as a butterfly of a Fourier transform is, would take longer to
// ask than to run with checks. So a loop that has been refused, and came back soon, runs with
// checks without asking, the more often the more often that happened. What that can cost is little:
// so many short loops with checks. One that comes back later than soon is long, and always asks.
#pragma once
#include <array>
#include <cstdint>

namespace ompdsm {

/// Of one thread. Places are where compiled code asks.
class RefusedQuestions {
public:
  /// True: as if the answer were no.
  bool isPointless(const void *place) {
    Site &site = siteOf(place);
    if (site.place != place || site.left == 0)
      return false;
    --site.left;
    return true;
  }

  void onValid(const void *place) {
    if (Site &site = siteOf(place); site.place == place)
      site.patience = site.left = 0;
  }
  /// At `now`, in cycles.
  void onRefused(const void *place, std::uint64_t now) {
    Site &site = siteOf(place);
    if (site.place != place || now - site.last > kSoonCycles * (site.patience + 1u))
      site.patience = 0;
    else if (site.patience < kMostPatience)
      site.patience = std::uint8_t(2 * site.patience + 1);
    site.place = place;
    site.last = now;
    site.left = site.patience;
  }

  static constexpr std::uint64_t kSoonCycles = 10'000; ///< A few microseconds.
  static constexpr unsigned kMostPatience = 31;

private:
  struct Site {
    const void *place = nullptr;
    std::uint64_t last = 0;    ///< When it was refused there.
    std::uint8_t patience = 0; ///< How many questions are left out after a refusal.
    std::uint8_t left = 0;     ///< Of these.
  };
  Site &siteOf(const void *place) {
    const auto mixed = reinterpret_cast<std::uintptr_t>(place) * 0x9E3779B97F4A7C15u;
    return sites_[mixed >> (64 - kBits)]; // Fibonacci hashing (Knuth 3, 6.4).
  }

  static constexpr unsigned kBits = 6;
  std::array<Site, 1u << kBits> sites_{};
};

} // namespace ompdsm
